import { html, type TemplateResult } from 'lit';
import { formatSize } from '../words/formats';
import { zoomLength } from './record-scale';

/**
 * The control for how many bytes a line has.
 * @param lengths that a line can have
 * @param length that it has
 * @param zoom is told the length that is wanted; null is the one that suits the width
 */
export function renderStripZoom(
  lengths: readonly number[],
  length: number,
  zoom: (length: number | null) => void,
): TemplateResult {
  const button = (step: 1 | -1, icon: string, title: string) => {
    const next = zoomLength(lengths, length, step);
    return html`<vscode-button
      appearance="icon"
      aria-label=${title}
      title=${title}
      ?disabled=${next === length}
      @click=${() => zoom(next)}
    >
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    </vscode-button>`;
  };
  return html`<div class="strip-zoom" role="group" aria-label="Zoom">
    ${button(-1, 'zoom-out', 'Zoom Out (-)')}
    <button
      class="link zoom-length"
      title="Bytes in a line; back to what suits the width (0)"
      @click=${() => zoom(null)}
    >
      ${formatSize(length)}
    </button>
    ${button(1, 'zoom-in', 'Zoom In (+)')}
  </div>`;
}
