import { askReload } from '../image/image-questions';
import type { InspectorAction } from './inspector-command';

/** Reads the image from scratch; asks first where changes would be lost. */
export const reload: InspectorAction = async ({ image }) => {
  if (image.edits.isDirty && !(await askReload(image.uri))) return;
  await image.reload();
};
