import { html, type TemplateResult } from 'lit';
import { stateFilters, type RecordFilter } from './record-list';
import type { ControlElement } from '../toolkit';

const titles: Readonly<Record<RecordFilter['state'], string>> = {
  all: 'All records',
  live: 'Live',
  deleted: 'Deleted',
  broken: 'Broken',
};

/** The choice of which records are shown, by their state. */
export function renderStateFilter(
  chosen: RecordFilter['state'],
  choose: (states: RecordFilter['state']) => void,
): TemplateResult {
  const onChange = (event: Event) => {
    const { value } = event.target as ControlElement;
    const states = stateFilters.find((one) => one === value);
    if (states && states !== chosen) choose(states);
  };
  return html`<vscode-dropdown
    aria-label="Records shown"
    .value=${chosen as string}
    @change=${onChange}
  >
    ${stateFilters.map(
      (one) =>
        html`<vscode-option value=${one} ?selected=${one === chosen}
          >${titles[one]}</vscode-option
        >`,
    )}
  </vscode-dropdown>`;
}
