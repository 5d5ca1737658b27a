import { ImageError } from '../image/errors';
import type { PlanRequests, TrustedEditRequests } from '../protocol/edit-requests';
import type { Engine } from './serve';

const readOnly = (): never => {
  throw new ImageError('read-only', 'The image is opened for reading.');
};

/** The engine's answers about changes. */
export function editAnswers(): Pick<Engine, keyof PlanRequests | keyof TrustedEditRequests> {
  return {
    plan: readOnly,
    editState: () => ({ isDirty: false, keptForUndo: 0 }),
    edit: readOnly,
    undo: readOnly,
    redo: readOnly,
    revert: readOnly,
    save: readOnly,
    saveAs: readOnly,
    backUp: readOnly,
    restore: readOnly,
    wholeImage: readOnly,
    remember: readOnly,
    differences: readOnly,
  };
}
