import { VirtualizerController } from '@tanstack/lit-virtual';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type {
  DirectoryRecord,
  IndexNode,
  RecordColumn,
  RecordState,
} from '../../src/protocol/requests';
import { BlockFactsCache } from './block-facts';
import { entryAt } from './hash-scale';
import type { HashTree } from './hash-tree';
import { Part } from '../part';
import type { RecordBlocks } from './record-blocks';
import { matches, type RecordFilter } from './record-list';
import {
  fittingLength,
  headHeight,
  lineHeight,
  lineLengths,
  pieceAt,
  readableLength,
  StripRows,
  zoomLength,
} from './record-scale';
import { describeRecord } from '../words/record-words';
import type { StripSight } from '../inspection/state';
import { StripMoves, type ChosenPiece, type Spot } from './strip-moves';
import { describeNode, renderBlockHead } from './block-head';
import { renderRecordLegend } from './record-legend';
import { renderEntries, renderSegments, type LineLook } from './record-segments';
import { renderStripZoom } from './strip-zoom';

/** Rows drawn beyond what is in sight. */
const overscan = 4;
/** Width of the offsets beside the lines and of the edges, in pixels; as in the style sheet. */
const gutter = 56;
const edge = 12;

/** Turns of the wheel that make a step; a touchpad tells many small ones. */
const wheelStep = 40;

/** What the person does with the strips. */
export interface StripActions {
  choose(record: DirectoryRecord): void;
  open(record: DirectoryRecord): void;
  /** Shows a block of the directory. */
  goToBlock(logical: number): void;
  /** Bytes that a line is to have; null lets the width decide. */
  zoom(length: number | null): void;
  /** Told the first line in sight, or the head of a block with null. */
  scrolled(block: number, byte: number | null): void;
}

/** A place in the strips, and how far below their upper edge it is to stay, in pixels. */
interface Anchor {
  readonly block: number;
  readonly byte: number | null;
  readonly y: number;
}

/** The blocks of a directory, each a strip of its records in lines of equal length. */
@customElement('fsimg-record-strip')
export class RecordStrip extends Part {
  @property({ attribute: false }) blocks!: RecordBlocks;
  /** Changes when records have come. */
  @property({ attribute: false }) version = 0;
  @property({ attribute: false }) columns: readonly RecordColumn[] = [];
  @property({ attribute: false }) tree!: HashTree;
  @property({ attribute: false }) filter!: RecordFilter;
  /** How many records there are in each state. */
  @property({ attribute: false }) counts: ReadonlyMap<RecordState, number> = new Map();
  /** Where the chosen record lies in the image. */
  @property({ attribute: false }) chosen: number | null = null;
  /** Bytes in a line; null lets the width decide. */
  @property({ attribute: false }) length: number | null = null;
  /** What was in sight when these blocks were shown before. */
  @property({ attribute: false }) start: StripSight | null = null;
  /** `block` or `cluster`. */
  @property({ attribute: false }) unit = 'block';
  @property({ attribute: false }) actions!: StripActions;
  /** What the strips show, for screen readers. */
  @property({ attribute: false }) name = '';

  @state() private width = 0;
  /** What is under the pointer, in words. */
  @state() private hovered: string | null = null;
  @state() private hasFocus = false;

  private facts!: BlockFactsCache;
  private rows = new StripRows([], 1);
  private lengths: readonly number[] = [];
  private lineLength = 0;
  private anchor: Anchor | null = null;
  private wheeled = 0;
  /** Whether the blocks have been drawn where they are to stand at first. */
  private started = false;
  /** A record that is to be in sight, but was not chosen here. */
  private sought: number | null = null;
  /** A record that was chosen before, when the person may have scrolled away from it. */
  private seen: number | null = null;

  private readonly observer = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry.contentRect.width) - gutter - edge;
  });

  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller,
    estimateSize: (index) => (this.rows.at(index).from === null ? headHeight : lineHeight),
    overscan,
    onChange: () => this.tellSight(),
  });

  private get scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.strips');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.scroller) this.observer.observe(this.scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  override focus(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  /** Has the line with a byte of a block in sight; `null` is the head of the block. */
  reveal(block: number, byte: number | null): void {
    const { scroller, rows } = this;
    if (!scroller || block >= rows.blocks) return;
    const top = rows.topOf(rows.indexOf(block, byte));
    const bottom = top + lineHeight;
    const inSight =
      top >= scroller.scrollTop && bottom <= scroller.scrollTop + scroller.clientHeight;
    if (!inSight) scroller.scrollTop = top - (scroller.clientHeight - lineHeight) / 2;
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has('blocks')) {
      this.facts = new BlockFactsCache(this.blocks);
      this.started = false;
      this.seen = this.start?.chosen ?? null;
    }
    if (changes.has('chosen') && this.chosen !== null) {
      this.sought = this.chosen === this.seen ? null : this.chosen;
      this.seen = null;
    }
    this.layOut(changes.has('blocks'));
  }

  /** Cuts the blocks into lines anew where width, zoom or blocks have changed. */
  private layOut(isOther: boolean): void {
    const { blocks } = this.blocks;
    const longest = Math.max(...blocks.slice(0, 2).map(({ length }) => length), 1);
    this.lengths = lineLengths(longest, this.width);
    const length =
      this.length === null
        ? readableLength(this.lengths, this.width)
        : fittingLength(this.lengths, this.length);
    if (length !== this.lineLength && !isOther) this.anchor ??= this.topAnchor();
    if (length === this.lineLength && !isOther) return;
    this.lineLength = length;
    this.rows = new StripRows(blocks, length);
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({ ...virtualizer.options, count: this.rows.count });
    virtualizer.measure();
  }

  protected override firstUpdated(): void {
    if (this.scroller) this.observer.observe(this.scroller);
  }

  protected override updated(): void {
    if (!this.scroller || this.width <= 0) return;
    if (!this.started) {
      const { block = 0, byte = null } = this.start ?? {};
      this.anchor = { block, byte, y: 0 };
    }
    this.started = true;
    this.moveTo(this.scroller);
    this.tellSight();
  }

  /** Moves to where a change of the zoom, or of the selection, leads. */
  private moveTo(scroller: HTMLElement): void {
    const { anchor, sought, rows } = this;
    this.anchor = null;
    this.sought = null;
    if (anchor) scroller.scrollTop = rows.topOf(rows.indexOf(anchor.block, anchor.byte)) - anchor.y;
    if (sought === null) return;
    const block = this.blocks.find(sought);
    if (block >= 0) this.reveal(block, sought - this.blocks.blocks[block].offset);
  }

  private tellSight(): void {
    const items = this.virtual.getVirtualizer().getVirtualItems();
    const last = items.at(-1);
    if (!last) return;
    this.blocks.show(this.rows.at(items[0].index).block, this.rows.at(last.index).block + 1);
    const first = this.started ? this.firstInSight() : undefined;
    if (first) this.actions.scrolled(first.block, first.byte);
  }

  protected override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const active = this.chosen === null ? nothing : `record-${this.chosen}`;
    return html`
      <div
        class="strips"
        role="listbox"
        tabindex="0"
        aria-label=${this.name}
        aria-activedescendant=${active}
        @keydown=${this.onKey}
        @wheel=${this.onWheel}
        @pointerdown=${this.onPointerDown}
        @pointermove=${this.onPointerMove}
        @pointerleave=${() => (this.hovered = null)}
        @focus=${() => (this.hasFocus = true)}
        @blur=${() => (this.hasFocus = false)}
        @dblclick=${this.onDoubleClick}
      >
        <div
          class="strips-body"
          role="presentation"
          .style=${`height: ${this.rows.topOf(this.rows.count)}px`}
        >
          ${repeat(
            virtualizer.getVirtualItems(),
            ({ index }) => index,
            ({ index }) => this.renderRow(index),
          )}
        </div>
      </div>
      ${this.renderBar()}
    `;
  }

  private renderRow(index: number): TemplateResult {
    const { block, from } = this.rows.at(index);
    const place = `transform: translateY(${this.rows.topOf(index)}px)`;
    if (from === null) {
      return html`<div class="strip-row" role="presentation" .style=${place}>
        ${renderBlockHead({
          block: this.blocks.blocks[block],
          unit: this.unit,
          facts: this.facts.get(block),
          node: this.tree.nodeOf(this.blocks.blocks[block].logical),
        })}
      </div>`;
    }
    return html`<div class="strip-row" role="presentation" data-index=${index} .style=${place}>
      <span class="strip-offset" aria-hidden="true">+${from.toString(16)}</span>
      ${this.renderTrack(block, from)}
    </div>`;
  }

  private renderTrack(block: number, from: number): TemplateResult {
    const { width, lineLength, columns, filter } = this;
    const { offset, length } = this.blocks.blocks[block];
    const facts = this.facts.get(block);
    const shown = Math.round((Math.min(lineLength, length - from) / lineLength) * width);
    const style = `width: ${shown}px`;
    if (!facts) return html`<div class="track waiting" aria-busy="true" .style=${style}></div>`;
    const { chosen } = this;
    const look: LineLook = {
      columns,
      length: lineLength,
      width,
      chosen: chosen !== null && chosen >= offset && chosen < offset + length ? chosen : null,
      passes: (record) => matches(record, filter),
    };
    return html`<div class="track" role="presentation" .style=${style}>
      ${guard([facts, from, lineLength, width, look.chosen, filter], () => [
        renderSegments(facts.pieces, from, look),
        renderEntries(this.tree.entriesIn(block), offset + from, look),
      ])}
    </div>`;
  }

  /** What is under the pointer or has the keyboard, or else the legend; and the zoom. */
  private renderBar(): TemplateResult {
    const record = this.hasFocus ? this.chosenRecord : null;
    const text = this.hovered ?? (record && describeRecord(this.columns, record));
    return html`<div class="strip-bar">
      ${
        text === null
          ? renderRecordLegend(this.counts)
          : html`<p class="record-readout" title=${text}>${text}</p>`
      }
      ${renderStripZoom(this.lengths, this.lineLength, this.actions.zoom)}
    </div>`;
  }

  private get chosenRecord(): DirectoryRecord | null {
    const chosen = this.chosenPiece;
    return chosen && (this.facts.get(chosen.block)?.pieces[chosen.piece].record ?? null);
  }

  private get chosenPiece(): ChosenPiece | null {
    const { chosen } = this;
    if (chosen === null) return null;
    const block = this.blocks.find(chosen);
    const piece = this.facts.get(block)?.pieces.findIndex(({ record }) => record.offset === chosen);
    return piece === undefined || piece < 0 ? null : { block, piece };
  }

  /** The upper edge of what is in sight, or the chosen record where that is in sight. */
  private topAnchor(): Anchor | null {
    const { scroller, chosen } = this;
    if (!scroller || this.rows.count === 0) return null;
    const { scrollTop, clientHeight } = scroller;
    if (chosen !== null) {
      const block = this.blocks.find(chosen);
      const byte = block < 0 ? 0 : chosen - this.blocks.blocks[block].offset;
      const y = this.rows.topOf(this.rows.indexOf(block, byte)) - scrollTop;
      if (block >= 0 && y >= 0 && y < clientHeight) return { block, byte, y };
    }
    return this.firstInSight() ?? null;
  }

  private firstInSight(): Anchor | undefined {
    const top = this.scroller?.scrollTop ?? 0;
    const items = this.virtual.getVirtualizer().getVirtualItems();
    const first = items.find(({ end }) => end > top);
    if (!first) return undefined;
    const { block, from } = this.rows.at(first.index);
    return { block, byte: from, y: first.start - top };
  }

  private zoom(step: 1 | -1, anchor: Anchor | null = null): void {
    const length = zoomLength(this.lengths, this.lineLength, step);
    if (length === this.lineLength) return;
    this.anchor = anchor;
    this.actions.zoom(length);
  }

  private onWheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.wheeled += event.deltaY;
    if (Math.abs(this.wheeled) < wheelStep) return;
    const step = this.wheeled < 0 ? 1 : -1;
    this.wheeled = 0;
    const spot = this.spotUnder(event);
    const top = this.scroller?.scrollTop ?? 0;
    const y = spot && this.rows.topOf(this.rows.indexOf(spot.block, spot.byte)) - top;
    // What is under the pointer stays there.
    this.zoom(step, spot && y !== null ? { ...spot, y } : null);
  }

  /** The block and byte under the pointer. */
  private spotUnder({ target, clientX }: MouseEvent): Spot | null {
    const row = (target as Element).closest<HTMLElement>('[data-index]');
    const track = row?.querySelector('.track');
    if (!row || !track) return null;
    const { block, from } = this.rows.at(Number(row.dataset.index));
    const x = clientX - track.getBoundingClientRect().left;
    if (from === null || x < 0 || x >= this.width) return null;
    return { block, byte: from + (x / this.width) * this.lineLength };
  }

  private recordUnder(event: MouseEvent): DirectoryRecord | null {
    const row = this.spotUnder(event);
    const pieces = row ? this.facts.get(row.block)?.pieces : undefined;
    return row && pieces ? (pieces[pieceAt(pieces, row.byte)]?.record ?? null) : null;
  }

  private onPointerDown(event: PointerEvent): void {
    const record = event.button === 1 ? null : this.recordUnder(event);
    if (record) this.actions.choose(record);
  }

  /** The entry of the hash tree under the pointer. */
  private entryUnder(event: MouseEvent): IndexNode | undefined {
    const row = this.spotUnder(event);
    if (!row) return undefined;
    const { offset } = this.blocks.blocks[row.block];
    return entryAt(this.tree.entriesIn(row.block), offset + row.byte);
  }

  private onPointerMove(event: PointerEvent): void {
    const record = this.recordUnder(event);
    const entry = this.entryUnder(event);
    const text = entry
      ? `leads to #${entry.logical}: ${describeNode(entry)}`
      : record && describeRecord(this.columns, record);
    if (text === this.hovered) return;
    this.hovered = text;
    if (this.scroller) this.scroller.title = text ?? '';
  }

  private onDoubleClick(event: MouseEvent): void {
    const record = this.recordUnder(event);
    const entry = this.entryUnder(event);
    if (entry) this.actions.goToBlock(entry.logical);
    else if (record) this.actions.open(record);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.onZoomKey(event.key) && !this.onMoveKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onZoomKey(key: string): boolean {
    if (key === '+' || key === '=') this.zoom(1);
    else if (key === '-') this.zoom(-1);
    else if (key === '0') this.actions.zoom(null);
    else return false;
    return true;
  }

  private onMoveKey(key: string): boolean {
    const { chosenRecord, chosenPiece } = this;
    if (key === 'Enter') {
      if (chosenRecord) this.actions.open(chosenRecord);
      return true;
    }
    const screen = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / lineHeight) - 1);
    const moves = new StripMoves(this.rows, this.facts);
    const to = moves.find(key, chosenPiece ?? { block: 0, piece: 0 }, screen);
    if (to === undefined) return false;
    // Where nothing is chosen, any key chooses what comes first in sight.
    const first = chosenPiece ? null : this.topAnchor();
    const spot = first ? { block: first.block, byte: first.byte ?? 0 } : to;
    if (spot) this.goTo(spot);
    return true;
  }

  /** Chooses the record at a spot, as soon as that has come. */
  private goTo({ block, byte }: Spot): void {
    this.reveal(block, byte);
    const choose = () => {
      const pieces = this.facts.get(block)?.pieces ?? [];
      const record = pieces[pieceAt(pieces, byte)]?.record;
      if (record) this.actions.choose(record);
    };
    if (this.facts.get(block)) choose();
    else void this.blocks.load(block).then(choose, () => undefined);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-record-strip': RecordStrip;
  }
}
