import * as vscode from 'vscode';
import { isEntryContext } from '../guards/webview-requests';
import { displayed } from '../shared/messages';
import { onWritableTarget, tell } from './edit-image';
import type { InspectorAction } from './inspector-command';

/** Opens the planner of a preallocation of the chosen file, which shows it before it is made. */
export const preallocate: InspectorAction = (inspector, target, argument) =>
  onWritableTarget(async ({ type }) => {
    if (type !== 'file') return tell(vscode.l10n.t('Choose a file first.'));
    inspector.openPlanner('preallocate', isEntryContext(argument) ? argument : null);
  })(inspector, target, argument);

/**
 * Opens the planner of a trim of the volume that is shown. It takes only what is free, which can
 * be told also of a volume that cannot be changed otherwise.
 */
export const trim: InspectorAction = async (inspector) => {
  const { whyReadOnly, first } = await inspector.image.summary();
  if (whyReadOnly !== null) return tell(displayed(whyReadOnly));
  if (first === null)
    return tell(vscode.l10n.t('This image has no filesystem that could be trimmed.'));
  inspector.openPlanner('trim', null);
};
