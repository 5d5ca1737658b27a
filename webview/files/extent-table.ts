import { html, nothing, type TemplateResult } from 'lit';
import type { ViewId } from '../../src/protocol/requests';
import type { Piece } from './extent-scale';
import { formatAmount, formatCount } from '../words/formats';
import { kindNames } from './extent-strip';

/** Pieces listed one by one. */
const listedPieces = 200;

/**
 * The strip in words: where each piece starts in the file and on the volume, and its length.
 * @param show shows a block or cluster in a view
 */
export function renderExtents(
  pieces: readonly Piece[],
  unit: string,
  extentCount: number,
  show: (unit: number, view: ViewId) => void,
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
            <td>${physical === null ? nothing : renderPlace(physical, unit, show)}</td>
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

function renderPlace(
  physical: number,
  unit: string,
  show: (unit: number, view: ViewId) => void,
): TemplateResult {
  const name = `${unit} ${formatCount(physical)}`;
  return html`<button
      class="icon-button"
      title="Show ${name} in Structures"
      aria-label="Show ${name} in Structures"
      @click=${() => show(physical, 'structures')}
    >
      <span class="codicon codicon-file-binary" aria-hidden="true"></span></button
    ><button class="link" title="Show ${name} in Space" @click=${() => show(physical, 'space')}>
      ${formatCount(physical)}
    </button>`;
}
