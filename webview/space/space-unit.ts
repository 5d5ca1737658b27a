import { html, nothing, type TemplateResult } from 'lit';
import { formatAmount, formatCount, formatOffset, formatSize } from '../words/formats';
import type { Inspection } from '../inspection/inspection';
import { visibleText } from '../words/names';
import type { OwnedUnit } from '../inspection/owner-lookup';
import { describeUnits, nameOwner } from '../words/owner-words';
import { roleWords } from '../words/role-words';
import { unitBytes } from '../inspection/selection';
import type { SpaceModel } from './space-model';

/** The chosen unit: where it is, who owns it, and the way to it in the other views. */
export function renderChosenUnit(inspection: Inspection, model: SpaceModel): TemplateResult {
  const { volume, place } = inspection;
  const unit = place?.unit ?? null;
  const bytes = unit === null ? null : unitBytes(volume, unit);
  const name = volume?.unit?.name ?? 'block';
  if (unit === null || !bytes) {
    return html`<div class="chosen-unit muted">No ${name} is selected.</div>`;
  }
  const { found, failure } = model.chosen;
  const node = found?.owner.node;
  return html`<div class="chosen-unit" role="region" aria-label="Selected ${name}">
    <p class="chosen-facts">
      <b>${describeUnits({ first: unit, units: 1 }, name)}</b>
      <span class="muted">at ${formatOffset(bytes.offset)}</span>
      ${found ? renderOwner(found, name, bytes.length) : nothing}
      ${failure === null ? nothing : html`<span class="error">${visibleText(failure)}</span>`}
    </p>
    <div class="buttons">
      ${
        node === undefined
          ? nothing
          : renderButton('Files', 'Show in Files', () => void inspection.showNode(node, 'files'))
      }
      ${renderButton('Structures', 'Show in Structures', () => inspection.showBytes(bytes.offset, bytes.length))}
      ${
        found
          ? renderButton('Zoom to Run', 'Zoom to the run that it is part of', () =>
              model.zoomTo({ first: found.owner.start, units: found.owner.length }),
            )
          : nothing
      }
    </div>
  </div>`;
}

function renderOwner({ unit, owner }: OwnedUnit, name: string, size: number): TemplateResult {
  const { role, start, length, number, logical, paths = [] } = owner;
  const end = start + length - 1;
  const more = paths.length > 1 ? `and ${formatAmount(paths.length - 1, 'more name')}` : '';
  const facts = [
    number !== undefined && number > 0 && `${numberName(name)} ${formatCount(number)}`,
    // `logical` is the place of the run's first unit.
    logical !== undefined && `its ${name} ${formatCount(logical + unit - start)}`,
    length > 1 && `run ${formatCount(start)}–${formatCount(end)}, ${formatSize(length * size)}`,
  ];
  const whose = nameOwner(owner);
  return html`<span title=${paths.map(visibleText).join('\n')}
      >${role === 'free' ? nothing : html`${roleWords[role].word}: `}<bdi>${whose}</bdi>
      ${more}</span
    >
    <span class="muted">${facts.filter(Boolean).join(' · ')}</span>`;
}

function numberName(unitName: string): string {
  return unitName === 'cluster' ? 'first cluster' : 'inode';
}

function renderButton(text: string, title: string, run: () => void): TemplateResult {
  return html`<vscode-button appearance="secondary" title=${title} @click=${run}
    >${text}</vscode-button
  >`;
}
