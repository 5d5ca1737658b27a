import { html, nothing, type TemplateResult } from 'lit';
import type { PlacedUnits } from '../../src/protocol/requests';
import { formatAmount, formatCount, formatSize } from '../words/formats';
import type { Stretch } from './space-grid';

/** Extents listed one by one. */
const listed = 50;

/**
 * Where the planned extents lie, in the order of the file.
 * @param count how many there are; of very many, only the first ones are planned
 * @param show shows one of them on the map
 */
export function renderPlannedExtents(
  planned: readonly Stretch[],
  count: number,
  { name, size }: PlacedUnits,
  show: (run: Stretch) => void,
): TemplateResult | typeof nothing {
  if (planned.length === 0) return nothing;
  return html`<table class="planned-extents">
    <caption>
      Planned extents, in ${name}s
    </caption>
    <thead>
      <tr>
        <th scope="col">First</th>
        <th scope="col">Length</th>
        <th scope="col">Size</th>
      </tr>
    </thead>
    <tbody>
      ${planned.slice(0, listed).map(
        (run) =>
          html`<tr>
            <td>
              <button class="link" title="Show it on the map" @click=${() => show(run)}>
                ${formatCount(run.first)}
              </button>
            </td>
            <td>${formatCount(run.units)}</td>
            <td>${formatSize(run.units * size)}</td>
          </tr>`,
      )}
    </tbody>
    ${
      count > listed
        ? html`<tfoot>
            <tr>
              <td colspan="3" class="muted">and ${formatAmount(count - listed, 'more', 'more')}</td>
            </tr>
          </tfoot>`
        : nothing
    }
  </table>`;
}
