import { html, nothing, type TemplateResult } from 'lit';
import type { DescribedStructure, ViewId } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';
import { showIn } from '../inspection/reveal';
import { capitalize, formatAmount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';

/**
 * A structure, where it is, and the structures that it lies in.
 * @param around those, the outermost first
 */
export function renderStructureHead(
  inspection: Inspection,
  { name, kind, offset, length, node }: DescribedStructure,
  around: readonly DescribedStructure[],
  choose: (structure: DescribedStructure) => void,
): TemplateResult {
  const title = capitalize(visibleText(name));
  return html`<h2 title=${visibleText(kind)}>${title}</h2>
    ${node === undefined ? nothing : renderWays(inspection)}
    <p class="muted">
      ${formatOffset(offset)},
      ${formatAmount(length, 'byte')}${around.length > 0 ? ', in ' : ''}${around.map(
        (one, index) =>
          html`${index > 0 ? ' › ' : ''}<button class="link" @click=${() => choose(one)}>
              ${visibleText(one.name)}
            </button>`,
      )}
    </p>`;
}

/** The entry whose inode, record or slot the structure is. */
function renderWays(inspection: Inspection): TemplateResult {
  const link = (view: ViewId, title: string) =>
    html`<button
      class="link"
      title="Show in ${title}"
      @click=${() => void showIn(inspection, view, null)}
    >
      ${title}
    </button>`;
  return html`<p class="ways">${link('files', 'Files')}${link('records', 'Records')}</p>`;
}
