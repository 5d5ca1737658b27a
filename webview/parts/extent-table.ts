import { html, nothing, type TemplateResult } from 'lit';
import type { Piece } from '../extent-scale';
import { formatAmount, formatCount } from '../formats';
import { kindNames } from './extent-strip';

/** Pieces listed one by one. */
const listedPieces = 200;

/** The strip in words: where each piece starts in the file and on the volume, and its length. */
export function renderExtents(
  pieces: readonly Piece[],
  unit: string,
  extentCount: number,
): TemplateResult {
  const listed = pieces.slice(0, listedPieces).filter(({ kind }) => kind !== 'unlisted');
  const extents = listed.filter(({ kind }) => kind !== 'hole').length;
  return html`<table class="extents">
    <caption>
      ${formatAmount(extentCount, 'extent')}, in ${unit}s
    </caption>
    <thead>
      <tr>
        <th scope="col">In file</th>
        <th scope="col">On volume</th>
        <th scope="col">Length</th>
        <th scope="col" class="kind">Kind</th>
      </tr>
    </thead>
    <tbody>
      ${listed.map(
        ({ kind, logical, physical, length }) =>
          html`<tr class=${kind}>
            <td>${formatCount(logical)}</td>
            <td>${physical === null ? '' : formatCount(physical)}</td>
            <td>${formatCount(length)}</td>
            <td class="kind">${kindNames[kind]}</td>
          </tr>`,
      )}
    </tbody>
    ${
      extents < extentCount
        ? html`<tfoot>
            <tr>
              <td colspan="4">and ${formatAmount(extentCount - extents, 'more', 'more')}</td>
            </tr>
          </tfoot>`
        : nothing
    }
  </table>`;
}
