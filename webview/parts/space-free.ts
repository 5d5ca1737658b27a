import { html, type TemplateResult } from 'lit';
import type { FreeSpaceSummary, VolumeSummary } from '../../src/protocol/requests';
import { formatAmount, formatCount, formatShare, formatSize } from '../formats';
import { renderFacts } from './message';

/** What was counted of the free space, beside what the volume says of itself. */
export function renderFreeFacts(
  volume: VolumeSummary,
  { free, extents, largest, unit }: FreeSpaceSummary,
): TemplateResult {
  const name = volume.unit?.name ?? 'block';
  const amount = (units: number) => `${formatAmount(units, name)}, ${formatSize(units * unit)}`;
  return renderFacts([
    ['Counted', amount(free)],
    [claimant(volume), renderClaim(volume, free * unit, name)],
    ['Free extents', formatCount(extents)],
    ['Largest', amount(largest)],
  ]);
}

function claimant({ type }: VolumeSummary): string {
  return type.startsWith('fat') ? 'FSInfo says' : 'Superblock says';
}

function renderClaim(volume: VolumeSummary, counted: number, name: string): TemplateResult {
  const { freeBlocks, blockSize, type } = volume;
  if (freeBlocks === null || blockSize === null) {
    const why = type === 'fat32' ? 'nothing' : 'nothing: this type keeps no count';
    return html`<span class="muted">${why}</span>`;
  }
  const amount = formatAmount(freeBlocks, name);
  const difference = freeBlocks * blockSize - counted;
  if (difference === 0) return html`${amount}`;
  const by = formatAmount(Math.abs(difference) / blockSize, name);
  return html`<span class="mismatch"
    ><span class="codicon codicon-warning warning" role="img" aria-label="warning"></span>
    ${amount}: ${by} too ${difference > 0 ? 'many' : 'few'}</span
  >`;
}

/**
 * How many free extents there are of each size.
 * @param choose called with the least length of a row
 */
export function renderHistogram(
  { histogram, free }: FreeSpaceSummary,
  unit: string,
  minimum: number,
  choose: (minimum: number) => void,
): TemplateResult {
  const most = Math.max(...histogram.map(({ units }) => units), 1);
  return html`<table class="histogram">
    <caption>
      Free extents by size, in ${unit}s
    </caption>
    <thead class="hidden">
      <tr>
        <th scope="col">Size</th>
        <th scope="col">Extents</th>
        <th scope="col">${unit}s</th>
      </tr>
    </thead>
    <tbody>
      ${histogram.map(
        ({ minimum: least, extents, units }) =>
          html`<tr class=${least < minimum ? 'left-out' : ''}>
            <th scope="row">
              <button
                class="link"
                title="List extents of ${formatCount(least)} or more"
                @click=${() => choose(least)}
              >
                ${formatBucket(least)}
              </button>
            </th>
            <td>${formatCount(extents)} ×</td>
            <td class="bar-cell" title="${formatAmount(units, unit)} in them">
              <span class="amount" .style=${`width: ${(100 * units) / most}%`}></span>
              <span class="amount-text">${formatShare(units, free)}</span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function formatBucket(least: number): string {
  return least === 1 ? '1' : `${formatCount(least)}–${formatCount(2 * least - 1)}`;
}
