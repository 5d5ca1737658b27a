import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { ByteRange } from '../../src/protocol/requests';
import type { Annotations } from './annotations';
import type { BytePages } from './byte-pages';
import { ByteTyping, type HexColumn, type WriteBytes } from './byte-typing';
import { keyTarget } from './hex-keys';
import { renderHexRow, twoDigits, type HexCell } from './hex-row';
import { describeAnnotation } from '../words/field-words';
import { formatAmount, formatOffset } from '../words/formats';
import { HexScale } from './hex-scale';
import { Part } from '../part';

/** Heights in pixels; the style sheet says the same. */
const rowHeight = 18;
/** Bytes in a row, and in one of a narrow window. */
const [wideRow, narrowRow] = [16, 8];
/** Blanks between the parts of a row, in characters; the style sheet says the same. */
const gaps = 4;

/** What the person does in the hex view. */
export interface HexActions {
  choose(bytes: ByteRange): void;
  /** Chooses the whole field that a byte belongs to. */
  chooseField(offset: number): void;
  /** Points at a byte, or at none any more. */
  point(offset: number | null): void;
  /** Told which bytes are in sight, `first` up to, not including, `end`. */
  show(first: number, end: number): void;
  /** Copies bytes as hexadecimal digits. */
  copy(bytes: ByteRange): void;
  readonly write: WriteBytes;
  /** Tells the person why there is nothing to type. */
  refuse(why: string): void;
}

/** The bytes of an image, of which only those in sight exist; fields are marked in them. */
@customElement('fsimg-hex')
class Hex extends Part {
  @property({ attribute: false }) pages!: BytePages;
  /** Changes when bytes have come. */
  @property({ attribute: false }) version = 0;
  @property({ attribute: false }) annotations!: Annotations;
  /** Of the image, in bytes. */
  @property({ attribute: false }) size = 0;
  @property({ attribute: false }) selected: ByteRange = { offset: 0, length: 1 };
  /** Bytes that are pointed at, here or elsewhere. */
  @property({ attribute: false }) pointed: ByteRange | null = null;
  /** Each new one has the selected bytes in sight. */
  @property({ attribute: false }) sight: object | null = null;
  @property({ attribute: false }) actions!: HexActions;
  /** Why the selected bytes cannot be typed over; null when they can. */
  @property({ attribute: false }) whyFixed: string | null = null;

  @state() private perRow = wideRow;
  @state() private sightHeight = 0;
  /** The row at the upper edge; a fraction of it is out of sight. */
  @state() private top = 0;

  @query('.hex-scroll') private readonly scroller!: HTMLElement | null;
  @query('.hex-probe') private readonly probe!: HTMLElement | null;

  /** Where a range was begun, and the byte that the keyboard is at. */
  private anchor = 0;
  private head = 0;
  /** Where the scroll bar was put; a scroll event that says so tells nothing new. */
  private written = 0;
  private revealing = false;
  private told = '';

  private readonly typing = new ByteTyping(
    (offset, bytes) => this.actions.write(offset, bytes),
    () => this.requestUpdate(),
  );

  private readonly observer = new ResizeObserver(() => this.measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.typing.leave();
  }

  override focus(): void {
    void this.updateComplete.then(() => this.scroller?.focus({ preventScroll: true }));
  }

  private get scale(): HexScale {
    return new HexScale(Math.ceil(this.size / this.perRow), rowHeight, this.sightHeight);
  }

  protected override willUpdate(changes: PropertyValues): void {
    this.revealing ||= changes.has('sight') && this.sight !== null;
    const { offset, length } = this.selected;
    const own = Math.min(this.anchor, this.head) === offset;
    if (own && Math.abs(this.anchor - this.head) + 1 === Math.max(1, length)) return;
    this.anchor = offset;
    this.head = offset + Math.max(1, length) - 1;
  }

  protected override updated(): void {
    if (this.sightHeight === 0) return;
    if (this.revealing) {
      this.revealing = false;
      this.reveal(this.selected.offset);
    }
    const first = Math.floor(this.top) * this.perRow;
    const end = Math.min(this.size, first + this.scale.rowsInSight * this.perRow);
    const told = `${first} ${end}`;
    if (told === this.told) return;
    this.told = told;
    this.actions.show(first, end);
  }

  /** As many bytes in a row as have room; the byte at the upper edge stays there. */
  private measure(): void {
    const { scroller, probe } = this;
    if (!scroller || !probe) return;
    const at = Math.floor(this.top) * this.perRow;
    // The width of characters is a fraction of pixels.
    const fits = Math.floor(probe.getBoundingClientRect().width) <= this.clientWidth;
    this.perRow = fits ? wideRow : narrowRow;
    this.sightHeight = scroller.clientHeight - rowHeight;
    this.moveTop(this.scale.clamp(at / this.perRow));
  }

  private reveal(offset: number): void {
    const row = Math.floor(offset / this.perRow);
    this.moveTop(this.scale.topToShow(row, this.top));
  }

  private moveTop(top: number): void {
    this.top = top;
    void this.updateComplete.then(() => {
      const { scroller } = this;
      if (!scroller) return;
      scroller.scrollTop = this.scale.scrollAt(this.top);
      this.written = scroller.scrollTop;
    });
  }

  protected override render(): TemplateResult {
    const { scale, size, selected } = this;
    const first = Math.floor(this.top);
    const rows: TemplateResult[] = [];
    const count = Math.min(scale.rowsInSight, scale.rows - first);
    for (let row = first; row < first + count; row++) rows.push(this.renderRow(row));
    const shift = -Math.round((this.top - first) * rowHeight);
    const digits = this.digits;
    return html`
      <div
        class="hex-scroll ${this.typing.column}"
        data-takes-text=${this.typing.column === 'text' ? '' : nothing}
        role="grid"
        tabindex="0"
        aria-label="Bytes of the image"
        aria-rowcount=${scale.rows}
        aria-colcount=${this.perRow}
        aria-multiselectable="true"
        aria-readonly=${this.whyFixed !== null}
        aria-describedby="hex-typing"
        aria-activedescendant="byte-${this.head}"
        data-vscode-context=${contextOf(selected)}
        @scroll=${this.onScroll}
        @wheel=${this.onWheel}
        @keydown=${this.onKey}
        @blur=${() => this.typing.leave()}
        @pointerdown=${this.onPointerDown}
        @pointermove=${this.onPointerMove}
        @pointerleave=${() => this.actions.point(null)}
        @dblclick=${this.onDoubleClick}
      >
        <div class="hex-header" aria-hidden="true">
          <span class="hex-row"
            ><span class="hex-offset">${' '.repeat(digits)}</span
            ><span class="hex-bytes"
              >${this.columns.map((column) => html`<span class="byte">${twoDigits(column)}</span>`)}</span
            ></span
          >
        </div>
        <div class="hex-all" role="presentation" .style=${`height: ${scale.height}px`}>
          <div class="hex-sight" role="presentation" .style=${`height: ${this.sightHeight}px`}>
            <div class="hex-rows" role="rowgroup" .style=${`transform: translateY(${shift}px)`}>
              ${rows}
            </div>
          </div>
        </div>
      </div>
      <span class="hex-row hex-probe" aria-hidden="true"
        >${'0'.repeat(digits + 4 * wideRow + gaps)}</span
      >
      <p id="hex-typing" class="hex-typing" role="status">${this.describeTyping()}</p>
      ${size === 0 ? html`<p class="hex-empty muted">The image is empty.</p>` : nothing}
    `;
  }

  private get digits(): number {
    return Math.max(8, Math.max(0, this.size - 1).toString(16).length);
  }

  private get columns(): readonly number[] {
    return Array.from({ length: this.perRow }, (_, column) => column);
  }

  private renderRow(row: number): TemplateResult {
    const { perRow, size, typing } = this;
    const start = row * perRow;
    const cells = Array.from({ length: Math.min(perRow, size - start) }, (_, column): HexCell => {
      const offset = start + column;
      return {
        offset,
        byte: typing.byte(offset) ?? this.pages.byte(offset),
        digit: typing.digit(offset),
        isSelected: isIn(this.selected, offset),
        looks: this.looksOf(offset),
      };
    });
    return renderHexRow(row, start, this.digits, cells);
  }

  private looksOf(offset: number): string {
    const looks: string[] = [];
    const annotation = this.annotations.at(offset);
    if (annotation) {
      looks.push(annotation.field ? (annotation.parity ? 'odd' : 'even') : 'between');
      if (!this.annotations.goesOn(offset)) looks.push('last');
    }
    if (this.isSelected(offset)) looks.push('selected');
    if (isIn(this.pointed, offset)) looks.push('pointed');
    if (offset === this.head) looks.push('head');
    const { typing } = this;
    if (typing.byte(offset) !== undefined || typing.digit(offset) !== null) looks.push('typed');
    return looks.join(' ');
  }

  private isSelected(offset: number): boolean {
    return isIn(this.selected, offset);
  }

  private onScroll(): void {
    const { scroller } = this;
    if (!scroller || Math.abs(scroller.scrollTop - this.written) < 1) return;
    this.written = scroller.scrollTop;
    this.top = this.scale.topAt(scroller.scrollTop);
  }

  /** Where a pixel of the scroll bar is many rows, the wheel still moves by few. */
  private onWheel(event: WheelEvent): void {
    if (this.scale.isExact || event.ctrlKey) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? rowHeight : 1;
    const rows = Math.sign(event.deltaY) * Math.max(1, Math.abs(Math.round(event.deltaY / unit)));
    this.moveTop(this.scale.clamp(this.top + rows));
    event.preventDefault();
  }

  private onPointerDown(event: PointerEvent): void {
    const at = offsetOf(event.target);
    if (at === null) return;
    // The context menu works on what is selected.
    if (event.button !== 0 && this.isSelected(at)) return;
    const isLetter = event.target instanceof Element && event.target.classList.contains('letter');
    this.useColumn(isLetter ? 'text' : 'hex');
    this.focus();
    this.select(at, event.shiftKey);
    if (event.button === 0) this.scroller?.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  private onPointerMove(event: PointerEvent): void {
    const dragging = this.scroller?.hasPointerCapture(event.pointerId);
    const under = dragging ? document.elementFromPoint(event.clientX, event.clientY) : event.target;
    const at = offsetOf(under);
    // A tooltip for each byte in sight would be made with every step of scrolling.
    if (at !== null) (under as HTMLElement).title = describeAnnotation(this.annotations.at(at));
    this.actions.point(at);
    if (dragging && at !== null && at !== this.head) this.select(at, true);
  }

  private onDoubleClick(event: MouseEvent): void {
    const at = offsetOf(event.target);
    if (at !== null) this.actions.chooseField(at);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const letter = command ? event.key.toLowerCase() : '';
    // What is saved holds what is typed; what is undone first is what is not written yet.
    if (letter === 's') this.typing.leave();
    const isUndone = letter === 'z' && !event.shiftKey && this.typing.drop();
    if (letter === 'c') this.actions.copy(this.selected);
    else if (!isUndone && !this.move(event.key, command, event.shiftKey)) {
      if (command || !this.type(event.key, event.shiftKey)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private move(key: string, command: boolean, extend: boolean): boolean {
    const { anchor, head, perRow, size } = this;
    const page = Math.max(1, Math.floor(this.sightHeight / rowHeight) - 1) * perRow;
    const to = keyTarget(key, command, extend, { anchor, head, perRow, page, size });
    if (to === null) return false;
    this.typing.leave();
    this.goTo(to, extend);
    return true;
  }

  /** Takes a key that is typed over a byte, or has to do with what is typed. */
  private type(key: string, shift: boolean): boolean {
    const { typing } = this;
    switch (key) {
      case 'Enter':
        if (!typing.isActive) return false;
        typing.leave();
        return true;
      case 'Escape':
        return typing.drop();
      case 'Tab':
        return this.changeColumn(shift);
    }
    const isTyped = [...key].length === 1;
    if (isTyped && this.whyFixed !== null) this.actions.refuse(this.whyFixed);
    const to =
      key === 'Backspace'
        ? typing.back()
        : isTyped && this.whyFixed === null && this.size > 0
          ? typing.type(key, typing.isActive ? this.head : this.selected.offset)
          : null;
    if (to === null) return false;
    this.goTo(to, false);
    return true;
  }

  /** The two columns follow each other as two stops of the Tab key. */
  private changeColumn(backwards: boolean): boolean {
    if ((this.typing.column === 'text') !== backwards) return false;
    this.useColumn(backwards ? 'hex' : 'text');
    return true;
  }

  private useColumn(column: HexColumn): void {
    this.typing.leave();
    this.typing.column = column;
    this.requestUpdate();
  }

  private goTo(to: number, extend: boolean): void {
    this.select(to, extend);
    this.reveal(this.head);
  }

  private describeTyping(): string {
    const { pending, isActive } = this.typing;
    if (!isActive) return '';
    return `${formatAmount(pending, 'byte')} typed: Enter writes, Escape gives up`;
  }

  private select(to: number, extend: boolean): void {
    if (this.size === 0) return;
    this.head = Math.min(Math.max(to, 0), this.size - 1);
    if (!extend) this.anchor = this.head;
    const offset = Math.min(this.anchor, this.head);
    this.actions.choose({ offset, length: Math.abs(this.anchor - this.head) + 1 });
  }
}

function contextOf({ offset }: ByteRange): string {
  return JSON.stringify({
    webviewSection: 'bytes',
    preventDefaultContextMenuItems: true,
    place: formatOffset(offset),
  });
}

function offsetOf(target: EventTarget | null): number | null {
  const at = (target as HTMLElement | null)?.dataset?.at;
  return at === undefined ? null : Number(at);
}

function isIn(range: ByteRange | null, offset: number): boolean {
  return range !== null && offset >= range.offset && offset < range.offset + range.length;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-hex': Hex;
  }
}
