import { html, nothing, type TemplateResult } from 'lit';
import type { VolumeSummary } from '../../src/protocol/requests';
import { formatAmount, formatCount, formatOffset, formatSize } from '../formats';
import type { Inspection } from '../inspection';
import { visibleText } from '../names';
import { describeUnits, nameOwner } from '../owner-words';
import type { OwnedUnit, OwnerLookup } from '../owner-lookup';
import { roleWords } from '../role-words';
import { unitBytes } from '../selection';
import type { SpaceModel } from '../space-model';
import { renderFacts } from './message';

/** The chosen unit: where it is, who owns it, and the way to it in the other views. */
export function renderChosenUnit(
  inspection: Inspection,
  model: SpaceModel,
): TemplateResult | typeof nothing {
  const { volume, place } = inspection;
  const unit = place?.unit ?? null;
  const bytes = unit === null ? null : unitBytes(volume, unit);
  if (!volume?.unit || unit === null || !bytes) return nothing;
  const { name } = volume.unit;
  const found = model.chosen.found;
  const node = found?.owner.node;
  return html`<section class="chosen-unit" aria-label="Selected ${name}">
    <h3>${describeUnits({ first: unit, units: 1 }, name)}</h3>
    ${renderFacts([
      ['Bytes', `${formatOffset(bytes.offset)}, ${formatCount(bytes.length)} long`],
      ...describe(volume, model.chosen, found),
    ])}
    <div class="buttons">
      ${
        node === undefined
          ? nothing
          : html`<vscode-button
              appearance="secondary"
              @click=${() => void inspection.showNode(node, 'files')}
              >Show in Files</vscode-button
            >`
      }
      <vscode-button
        appearance="secondary"
        @click=${() => inspection.showBytes(bytes.offset, bytes.length)}
        >Show in Structures</vscode-button
      >
      ${
        found
          ? html`<vscode-button
              appearance="secondary"
              title="Zoom to the run that it is part of"
              @click=${() => model.zoomTo({ first: found.owner.start, units: found.owner.length })}
              >Zoom to Run</vscode-button
            >`
          : nothing
      }
    </div>
  </section>`;
}

function describe(
  { unit }: VolumeSummary,
  { failure }: OwnerLookup,
  found: OwnedUnit | null,
): [string, string | TemplateResult][] {
  if (failure !== null) return [['Owner', visibleText(failure)]];
  if (!found || !unit) return [['Owner', '…']];
  const { owner } = found;
  const run = `${formatCount(owner.start)}–${formatCount(owner.start + owner.length - 1)}`;
  const length = `${formatAmount(owner.length, unit.name)}, ${formatSize(owner.length * unit.size)}`;
  const paths = owner.paths ?? [];
  return [
    ['Holds', roleWords[owner.role].title],
    ...(owner.role === 'free'
      ? []
      : [
          ['Owner', html`<bdi class="owner">${nameOwner(owner)}</bdi>`] as [string, TemplateResult],
        ]),
    ...paths
      .slice(1, 4)
      .map((path): [string, TemplateResult] => [
        'Also',
        html`<bdi class="owner">${visibleText(path)}</bdi>`,
      ]),
    ...(owner.number === undefined
      ? []
      : [
          [unit.name === 'cluster' ? 'First cluster' : 'Inode', formatCount(owner.number)] as [
            string,
            string,
          ],
        ]),
    ...(owner.logical === undefined
      ? []
      : [
          [
            'In the file',
            `${unit.name} ${formatCount(owner.logical + found.unit - owner.start)}`,
          ] as [string, string],
        ]),
    ['Run', `${run} (${length})`],
  ];
}
