import { html, type TemplateResult } from 'lit';

/** One byte as it is shown. */
export interface HexCell {
  /** In the image. */
  readonly offset: number;
  /** Undefined where it has not come. */
  readonly byte: number | undefined;
  /** The first digit of another one that is being typed; null where none is. */
  readonly digit: string | null;
  readonly isSelected: boolean;
  /** Classes of the style sheet. */
  readonly looks: string;
}

/**
 * Some bytes in a row: as hexadecimal digits, and as text.
 * @param row from 0
 * @param digits of the offset
 */
export function renderHexRow(
  row: number,
  start: number,
  digits: number,
  cells: readonly HexCell[],
): TemplateResult {
  return html`<div class="hex-row" role="row" aria-rowindex=${row + 1}>
    <span class="hex-offset" role="rowheader">${start.toString(16).padStart(digits, '0')}</span
    ><span class="hex-bytes" role="presentation">${cells.map(renderByte)}</span
    ><span class="hex-text" aria-hidden="true">${cells.map(renderLetter)}</span>
  </div>`;
}

function renderByte({ offset, byte, digit, isSelected, looks }: HexCell): TemplateResult {
  const known = byte === undefined ? '··' : twoDigits(byte);
  return html`<span
    id="byte-${offset}"
    class="byte ${looks} ${byte === 0 ? 'zero' : ''}"
    role="gridcell"
    aria-selected=${isSelected}
    data-at=${offset}
    >${digit === null ? known : `${digit}_`}</span
  >`;
}

function renderLetter({ offset, byte, looks }: HexCell): TemplateResult {
  const isPrintable = byte !== undefined && byte >= 0x20 && byte < 0x7f;
  return html`<span class="letter ${looks} ${isPrintable ? '' : 'blank'}" data-at=${offset}
    >${isPrintable ? String.fromCharCode(byte) : '·'}</span
  >`;
}

export const twoDigits = (byte: number) => byte.toString(16).padStart(2, '0');
