import * as vscode from 'vscode';
import { isEntryContext } from '../webview-requests';
import { onWritable, onWritableTarget, tell } from './edit-image';
import type { InspectorAction } from './inspector-command';

/** Opens the planner of a preallocation of the chosen file, which shows it before it is made. */
export const preallocate: InspectorAction = (inspector, target, argument) =>
  onWritableTarget(async ({ type }) => {
    if (type !== 'file') return tell(vscode.l10n.t('Choose a file first.'));
    inspector.openPlanner('preallocate', isEntryContext(argument) ? argument : null);
  })(inspector, target, argument);

/** Opens the planner of a trim of the volume that is shown. */
export const trim = onWritable(async (inspector) => inspector.openPlanner('trim', null));
