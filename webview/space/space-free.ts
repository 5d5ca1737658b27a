import { html, type TemplateResult } from 'lit';
import type { FreeSpaceSummary, VolumeSummary } from '../../src/protocol/requests';
import { formatCount, formatShare, formatSize, formatType } from '../words/formats';
import { renderFacts } from '../parts/message';

/** What was counted of the free space, beside what the volume says of itself. */
export function renderFreeFacts(
  volume: VolumeSummary,
  { free, extents, largest, unit }: FreeSpaceSummary,
): TemplateResult {
  const amount = (units: number) => `${formatCount(units)} (${formatSize(units * unit)})`;
  return renderFacts([
    ['Counted', amount(free)],
    [claimant(volume), renderClaim(volume, free * unit)],
    ['Free extents', formatCount(extents)],
    ['Largest', amount(largest)],
  ]);
}

function claimant({ type }: VolumeSummary): string {
  if (type === 'fat12' || type === 'fat16') return 'Own count';
  return type === 'fat32' ? 'FSInfo' : 'Superblock';
}

function renderClaim(volume: VolumeSummary, counted: number): TemplateResult {
  const { freeBlocks, blockSize, type } = volume;
  if (freeBlocks === null || blockSize === null) {
    const why = type === 'fat32' ? 'says nothing' : `${formatType(type)} keeps none`;
    return html`<span class="muted">${why}</span>`;
  }
  const difference = freeBlocks * blockSize - counted;
  if (difference === 0) return html`${formatCount(freeBlocks)}`;
  const by = formatCount(Math.abs(difference) / blockSize);
  return html`<span class="mismatch"
    ><span class="codicon codicon-warning warning" role="img" aria-label="warning"></span>
    ${formatCount(freeBlocks)}: ${by} too ${difference > 0 ? 'many' : 'few'}</span
  >`;
}

/**
 * How many free extents there are of each size.
 * @param choose called with the least length of a row
 */
export function renderHistogram(
  { histogram, free, unit: size }: FreeSpaceSummary,
  unit: string,
  minimum: number,
  choose: (minimum: number) => void,
): TemplateResult {
  const most = Math.max(...histogram.map(({ units }) => units), 1);
  return html`<table class="histogram">
    <caption>
      Free extents by length, in ${unit}s
    </caption>
    <thead class="hidden">
      <tr>
        <th scope="col">Length</th>
        <th scope="col">Extents</th>
        <th scope="col">Size of all of them</th>
        <th scope="col">Share of the free space</th>
      </tr>
    </thead>
    <tbody>
      ${histogram.map(
        ({ minimum: least, extents, units }) =>
          html`<tr
            class=${least < minimum ? 'left-out' : ''}
            .style=${`--share: ${(100 * units) / most}%`}
          >
            <th scope="row">
              <button
                class="link"
                title="${formatBucket(least)} ${unit}s; list free extents of ${formatCount(least)} or more"
                @click=${() => choose(least)}
              >
                ≥ ${formatCount(least)}
              </button>
            </th>
            <td>${formatCount(extents)} ×</td>
            <td>${formatSize(units * size)}</td>
            <td class="muted">${formatShare(units, free)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function formatBucket(least: number): string {
  return least === 1 ? '1' : `${formatCount(least)}–${formatCount(2 * least - 1)}`;
}
