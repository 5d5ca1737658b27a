import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { FreeExtentPage, FreeExtentSort } from '../../src/protocol/requests';
import { formatAmount, formatCount, formatSize } from '../words/formats';
import { renderFailure } from '../parts/problems';
import { InspectionPart } from '../part';
import { RowPages, type RowPage } from '../inspection/row-pages';
import type { Stretch } from './space-grid';
import type { ControlElement } from '../toolkit';
import type { Column, RowSource, Sight, TableActions } from '../parts/table';

/** The list asks once typing pauses, in milliseconds. */
const typingPause = 150;
/** Browsers draw nothing beyond some 33 million pixels; a minimum brings the rest in sight. */
const mostRows = 1_500_000;

/** [first unit, length in units] */
type FreeExtent = readonly [number, number];

/** What the person does with a free extent. */
export interface FreeListActions {
  choose(extent: Stretch): void;
  open(extent: Stretch): void;
  setMinimum(minimum: number): void;
}

/** The free extents of the volume, each of which leads to its place on the map. */
@customElement('fsimg-free-list')
class FreeList extends InspectionPart {
  /** Leaves out what is shorter, in units. */
  @property({ attribute: false }) minimum = 1;
  @property({ attribute: false }) actions!: FreeListActions;

  private sort: FreeExtentSort = 'place';
  private descending = false;
  private pages: RowPages<FreeExtent> | null = null;
  private key = '';
  private active = 0;
  private chosen = false;
  private sight: Sight = { top: null };
  private timer: ReturnType<typeof setTimeout> | undefined;

  private readonly tableActions: TableActions = {
    choose: (index) => this.act(index, (extent) => this.actions.choose(extent)),
    open: (index) => this.act(index, (extent) => this.actions.open(extent)),
    sort: (key) => this.sortBy(key),
    scrolled: () => undefined,
    typed: () => undefined,
  };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.pages?.close();
    this.pages = null;
    this.key = '';
  }

  protected override willUpdate(): void {
    const { volume, revision, place } = this.inspection;
    const { minimum, sort, descending } = this;
    const key = JSON.stringify([volume?.index, revision, minimum, sort, descending]);
    if (this.chosen && place?.unit !== this.pages?.row(this.active)?.[0]) this.chosen = false;
    if (key === this.key || !volume) return;
    this.key = key;
    this.pages?.close();
    this.pages = this.list(volume.index);
    this.active = 0;
    this.chosen = false;
    this.sight = { top: 0 };
    this.pages.show(0, 1);
  }

  protected override render(): TemplateResult {
    const { pages, minimum } = this;
    const unit = this.inspection.volume?.unit;
    const beyond = (pages?.matched ?? 0) - mostRows;
    return html`
      <div class="free-head">
        <h3>${pages?.ready ? formatAmount(pages.matched, 'free extent') : 'Free extents'}</h3>
        <label class="minimum"
          >of at least
          <vscode-text-field
            size="7"
            aria-label="Least length, in ${unit?.name ?? 'unit'}s"
            .value=${String(minimum)}
            @input=${this.onMinimum}
          ></vscode-text-field>
          ${unit?.name ?? 'unit'}s</label
        >
      </div>
      ${beyond > 0 ? html`<p class="muted">${formatCount(beyond)} more: raise the least length to see them.</p>` : nothing}
      ${renderFailure(pages?.failure)} ${pages?.ready ? this.renderTable(pages) : nothing}
    `;
  }

  private renderTable(pages: RowPages<FreeExtent>): TemplateResult {
    const source: RowSource<FreeExtent> = {
      count: Math.min(pages.matched, mostRows),
      row: (index) => pages.row(index),
      show: (first, end) => pages.show(first, end),
    };
    return html`<fsimg-table
      class="free-extents"
      .source=${source}
      .columns=${this.columns}
      .actions=${this.tableActions}
      .name=${'Free extents'}
      .sortKey=${this.sort}
      .descending=${this.descending}
      .sight=${this.sight}
      .active=${this.active}
      .chosen=${this.chosen}
    ></fsimg-table>`;
  }

  private readonly columns: readonly Column<FreeExtent>[] = [
    { key: 'place', title: 'First', numeric: true, cell: ([first]) => formatCount(first) },
    { key: 'length', title: 'Length', numeric: true, cell: ([, length]) => formatCount(length) },
    {
      key: 'bytes',
      title: 'Size',
      numeric: true,
      cell: ([, length]) => formatSize(length * (this.inspection.volume?.unit?.size ?? 0)),
    },
  ];

  private list(volume: number): RowPages<FreeExtent> {
    const { host, tasks } = this.inspection;
    const { minimum, sort, descending } = this;
    return new RowPages<FreeExtent>(
      (start, count) => {
        const query = { volume, minimum, sort, descending, start, count };
        const { answer, cancel } = tasks.start((task) => host.freeExtents(query, task));
        return { answer: answer.then(pageOf), cancel };
      },
      () => this.requestUpdate(),
    );
  }

  private act(index: number, act: (extent: Stretch) => void): void {
    const extent = this.pages?.row(index);
    this.active = index;
    this.chosen = extent !== undefined;
    this.requestUpdate();
    if (extent) act({ first: extent[0], units: extent[1] });
  }

  /** Upwards at first, then downwards; the size is sorted as the length is. */
  private sortBy(key: string): void {
    const sort = key === 'place' ? 'place' : 'length';
    this.descending = sort === this.sort ? !this.descending : sort === 'length';
    this.sort = sort;
    this.requestUpdate();
  }

  private onMinimum(event: Event): void {
    const typed = Number((event.target as ControlElement).value.replaceAll(/[\s,]/g, ''));
    clearTimeout(this.timer);
    if (!Number.isSafeInteger(typed) || typed < 0) return;
    this.timer = setTimeout(() => this.actions.setMinimum(Math.max(1, typed)), typingPause);
  }
}

function pageOf({ total, extents }: FreeExtentPage): RowPage<FreeExtent> {
  return { matched: total, rows: extents };
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-free-list': FreeList;
  }
}
