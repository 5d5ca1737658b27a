import { html, nothing, type TemplateResult } from 'lit';
import type { InspectorCommand } from '../../src/protocol/requests';
import { runCommand, whyEntryFixed, whyNotPlanned, whyReadOnly } from '../inspection/edits';
import type { Inspection } from '../inspection/inspection';
import { visibleText } from '../words/names';

/** The commands that have a button here, as the menus call them, and how else they are done. */
const actions = {
  'fsimg.newFile': { title: 'New File…', icon: 'new-file', how: '' },
  'fsimg.newFolder': { title: 'New Folder…', icon: 'new-folder', how: '' },
  'fsimg.import': {
    title: 'Import…',
    icon: 'cloud-upload',
    how: 'or drop files here; hold Shift to drop them from the Explorer',
  },
  'fsimg.rename': { title: 'Rename…', icon: null, how: 'F2' },
  'fsimg.delete': { title: 'Delete', icon: null, how: 'Delete' },
  'fsimg.preallocate': { title: 'Preallocate…', icon: null, how: '' },
  'fsimg.trim': { title: 'Trim…', icon: null, how: '' },
} as const satisfies Partial<Record<InspectorCommand, unknown>>;
type ActionCommand = keyof typeof actions;

function whyNot(inspection: Inspection, command: ActionCommand): string | null {
  switch (command) {
    case 'fsimg.trim':
      return whyNotPlanned(inspection, 'trim');
    case 'fsimg.rename':
    case 'fsimg.delete':
    case 'fsimg.preallocate':
      return whyEntryFixed(inspection);
    default:
      return whyReadOnly(inspection);
  }
}

/**
 * A button that changes the image; where that cannot be, it says why.
 * @param run what it does, where that is not the command of the extension
 */
export function renderAction(
  inspection: Inspection,
  command: ActionCommand,
  run: () => void = () => runCommand(inspection, command),
): TemplateResult {
  const { title, icon, how } = actions[command];
  const why = whyNot(inspection, command);
  const tip = why === null ? `${title}${how && ` (${how})`}` : `${title}: ${visibleText(why)}`;
  return html`<vscode-button
    class="action"
    data-command=${command}
    appearance=${icon === null ? 'secondary' : 'icon'}
    title=${tip}
    aria-label=${icon === null && why === null ? nothing : tip}
    ?disabled=${why !== null}
    @click=${run}
    >${
      icon === null ? title : html`<span class="codicon codicon-${icon}" aria-hidden="true"></span>`
    }</vscode-button
  >`;
}
