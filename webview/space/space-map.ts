import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { createRef, ref } from 'lit/directives/ref.js';
import { formatAmount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';
import { describeOwner, describeUnits } from '../words/owner-words';
import { InspectionPart } from '../part';
import { unitBytes } from '../inspection/selection';
import { describeCell, noRole } from './space-cells';
import type { Cell, SpaceModel } from './space-model';
import { paintMap, paintOverview, prepare } from './space-paint';
import { readPalette, watchTheme, type Palette } from './space-palette';
import { plannedShares } from './space-planned';
import { Tiles } from './space-tiles';

/** Around the cells, so that the frames of those at the edges are whole; pixels. */
const margin = 3;
const overviewHeight = 18;
/** In which what is planned is drawn. */
const overviewColumns = 1024;
/** What the pointer moves before it is a drag, in pixels. */
const dragsFrom = 4;
/** Wheels turn by this much at least for one step of zoom. */
const zoomNotch = 40;
const wheelLine = 16;

/** The map of a volume, its overview, and what is pointed at in words. */
@customElement('fsimg-space-map')
class SpaceMapPart extends InspectionPart {
  @property({ attribute: false }) model!: SpaceModel;

  private readonly area = createRef<HTMLElement>();
  private readonly canvas = createRef<HTMLCanvasElement>();
  private readonly overview = createRef<HTMLCanvasElement>();
  private palette: Palette | null = null;
  private tiles: Tiles | null = null;
  private frame = 0;
  private wheeled = 0;
  private drag: { y: number; rows: number; moved: boolean } | null = null;
  private unwatch: () => void = () => undefined;

  private readonly observer = new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    this.model.resize({ width: width - 2 * margin, height: height - 2 * margin });
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.unwatch = watchTheme(() => {
      this.palette = null;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.unwatch();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  override focus(): void {
    this.area.value?.focus({ preventScroll: true });
  }

  protected override firstUpdated(): void {
    if (this.area.value) this.observer.observe(this.area.value);
  }

  protected override updated(): void {
    // Once for each picture of the screen, however often something changes.
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  protected override render(): TemplateResult {
    const readout = this.readout();
    return html`
      <canvas
        class="overview"
        aria-hidden="true"
        title="The whole volume; drag to move what the map shows"
        ${ref(this.overview)}
        @pointerdown=${this.onOverview}
        @pointermove=${this.onOverview}
      ></canvas>
      <div
        class="map"
        role="application"
        aria-roledescription="map"
        aria-label=${this.describeMap()}
        aria-describedby="map-readout"
        tabindex="0"
        title=${readout ?? ''}
        ${ref(this.area)}
        @keydown=${this.onKey}
        @wheel=${this.onWheel}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointerleave=${() => this.model.point(null)}
        @dblclick=${this.onDoubleClick}
        @focus=${() => this.requestUpdate()}
        @blur=${() => this.requestUpdate()}
      >
        <canvas ${ref(this.canvas)}></canvas>
      </div>
      <p id="map-readout" class="readout" aria-live="polite">
        ${readout ?? html`<span class="muted">${this.help()}</span>`}
      </p>
    `;
  }

  private help(): string {
    const plain = 'Point at a cell, or walk with the arrow keys; Enter or a click selects';
    return this.model.isWhole ? `${plain}, + zooms in.` : `${plain}, 0 shows all.`;
  }

  private describeMap(): string {
    const { stretch } = this.model;
    const unit = this.inspection.volume?.unit;
    if (!stretch || !unit) return 'Map of the volume';
    return `Map of ${describeUnits(stretch, unit.name)} of ${formatAmount(unit.count, unit.name)}`;
  }

  private readout(): string | null {
    const { model, inspection } = this;
    const cell = model.focused;
    const unit = inspection.volume?.unit;
    const bytes = cell && unitBytes(inspection.volume, cell.first);
    if (!cell || !unit || !bytes) return null;
    const { found, failure } = model.pointed;
    const parts = [
      `${describeUnits(cell, unit.name)} at ${formatOffset(bytes.offset)}`,
      this.describeShares(cell),
      model.isPlanned(cell) && 'planned',
      found && ownerIn(cell, found.unit, describeOwner(found, unit.name), unit.name),
      failure && visibleText(failure),
    ];
    return parts.filter(Boolean).join(' · ');
  }

  private describeShares(cell: Cell): string {
    const { picture } = this.model;
    if (!picture) return '';
    // Its owner says better what a single role is.
    const isSimple = picture.looks.second[cell.index] === noRole;
    return isSimple && this.model.pointed.found ? '' : describeCell(picture.map, cell.index);
  }

  private paint(): void {
    const { model } = this;
    const { stretch, grid, whole } = model;
    const area = this.area.value;
    if (!area || !this.canvas.value || !this.overview.value) return;
    this.palette ??= readPalette(area);
    const size = grid
      ? Math.round(grid.pitch * devicePixelRatio) - Math.max(1, Math.round(devicePixelRatio))
      : 0;
    if (this.tiles?.palette !== this.palette || this.tiles.size !== size) {
      this.tiles = new Tiles(this.palette, size);
    }
    const context = prepare(this.canvas.value, area.clientWidth, area.clientHeight);
    const strip = prepare(this.overview.value, area.clientWidth, overviewHeight);
    if (!stretch || !grid || !whole || !context || !strip) return;
    const { planned } = model;
    const hasPlan = planned.length > 0;
    const { detail, overview } = model.pictures;
    const pictures = [detail, overview].filter((picture) => picture !== null);
    const unit = this.inspection.place?.unit ?? null;
    paintMap(context, stretch, grid, pictures, this.tiles, {
      cursor: model.cursor === null ? null : (model.cellOf(model.cursor)?.index ?? null),
      hovered: model.hovered,
      chosen: unit === null ? null : (model.cellOf(unit)?.index ?? null),
      planned: hasPlan ? plannedShares(planned, stretch, grid.cells) : null,
      focused: document.activeElement === area,
      margin: Math.round(margin * devicePixelRatio),
    });
    const columns = Math.min(overviewColumns, whole.units);
    const plan = hasPlan ? plannedShares(planned, whole, columns) : null;
    paintOverview(strip, whole, stretch, overview ?? detail, plan, this.tiles);
  }

  /** The cell under the pointer. */
  private cellUnder({ clientX, clientY }: MouseEvent): number | null {
    const { grid } = this.model;
    const box = this.area.value?.getBoundingClientRect();
    if (!grid || !box) return null;
    const column = Math.floor((clientX - box.left - margin) / grid.pitch);
    const row = Math.floor((clientY - box.top - margin) / grid.pitch);
    if (column < 0 || column >= grid.columns || row < 0) return null;
    const cell = row * grid.columns + column;
    return cell < grid.cells ? cell : null;
  }

  private unitUnder(event: MouseEvent): number | null {
    const cell = this.cellUnder(event);
    const found = cell === null ? null : this.model.cellAt(cell);
    return found && found.first + Math.floor(found.units / 2);
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.area.value?.setPointerCapture(event.pointerId);
    this.drag = { y: event.clientY, rows: 0, moved: false };
  }

  private onMove(event: PointerEvent): void {
    const { drag, model } = this;
    if (!drag) return model.point(this.cellUnder(event));
    const distance = event.clientY - drag.y;
    drag.moved ||= Math.abs(distance) > dragsFrom;
    const { grid } = model;
    if (!drag.moved || !grid) return;
    const rows = Math.round(distance / grid.pitch);
    if (rows !== drag.rows) model.pan((drag.rows - rows) * grid.columns);
    drag.rows = rows;
  }

  private onUp(event: PointerEvent): void {
    const { drag, model } = this;
    this.drag = null;
    if (!drag || drag.moved) return;
    model.point(this.cellUnder(event));
    void model.choose();
  }

  private onDoubleClick(event: MouseEvent): void {
    const unit = this.unitUnder(event);
    if (unit !== null) this.model.zoom(1 / 4, unit);
  }

  private onWheel(event: WheelEvent): void {
    const { model } = this;
    const { grid } = model;
    if (!grid || (!event.ctrlKey && model.isWhole)) return;
    event.preventDefault();
    const scale = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : wheelLine;
    this.wheeled += event.deltaY * scale;
    const notch = event.ctrlKey ? zoomNotch : grid.pitch;
    const steps = Math.trunc(this.wheeled / notch);
    if (steps === 0) return;
    if (event.ctrlKey) {
      this.wheeled = 0;
      model.zoom(steps > 0 ? 2 : 1 / 2, this.unitUnder(event));
    } else {
      this.wheeled -= steps * notch;
      model.pan(steps * grid.columns);
    }
  }

  private onOverview(event: PointerEvent): void {
    const strip = event.currentTarget as HTMLElement;
    const { whole } = this.model;
    if (event.type === 'pointerdown') strip.setPointerCapture(event.pointerId);
    if (!whole || !strip.hasPointerCapture(event.pointerId)) return;
    const { left, width } = strip.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    this.model.centre(whole.first + Math.floor(share * (whole.units - 1)));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.onMapKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onMapKey(key: string): boolean {
    const { model } = this;
    const { grid, whole } = model;
    if (!grid || !whole) return false;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -grid.columns,
      ArrowDown: grid.columns,
      PageUp: -grid.columns * Math.max(1, grid.rows - 1),
      PageDown: grid.columns * Math.max(1, grid.rows - 1),
    };
    if (key in steps) model.moveCursor(steps[key]);
    else if (key === 'Home') model.goTo(whole.first);
    else if (key === 'End') model.goTo(whole.first + whole.units - 1);
    else if (key === 'Enter' || key === ' ') void model.choose();
    else if (key === '+' || key === '=') model.zoom(1 / 2);
    else if (key === '-') model.zoom(2);
    else if (key === '0') model.zoomToWhole();
    else return false;
    return true;
  }
}

function ownerIn(cell: Cell, unit: number, owner: string, unitName: string): string {
  if (cell.units === 1) return owner;
  return `${describeUnits({ first: unit, units: 1 }, unitName)}: ${owner}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-space-map': SpaceMapPart;
  }
}
