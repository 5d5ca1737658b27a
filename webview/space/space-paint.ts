/** Paints the map and the strip of the whole volume. */
import { noRole } from './space-cells';
import { cellOfUnit, holds, startOfCell, type CellGrid, type Stretch } from './space-grid';
import type { Picture } from './space-pictures';
import type { Tile, Tiles } from './space-tiles';

/** A byte of share that stands for all of a cell. */
const wholeShare = 255;

/** What the map shows beside the cells themselves. */
export interface MapMarks {
  readonly cursor: number | null;
  readonly hovered: number | null;
  /** The cell of the chosen unit. */
  readonly chosen: number | null;
  /** For each cell the share that is planned, 255 being all; null where nothing is. */
  readonly planned: Uint8Array | null;
  readonly focused: boolean;
  /** Around all cells, in device pixels. */
  readonly margin: number;
}

/** A context whose canvas has the size in CSS pixels, at the screen's own density. */
export function prepare(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext('2d');
  context?.setTransform(1, 0, 0, 1, 0, 0);
  context?.clearRect(0, 0, w, h);
  return context;
}

/** @param pictures of the stretch or of what holds it, the finest first */
export function paintMap(
  context: CanvasRenderingContext2D,
  stretch: Stretch,
  grid: CellGrid,
  pictures: readonly Picture[],
  tiles: Tiles,
  marks: MapMarks,
): void {
  const pitch = grid.pitch * devicePixelRatio;
  const width = Math.ceil(grid.columns * pitch);
  const height = Math.ceil(grid.rows * pitch);
  // Pixels are copied by hand: thousands of small drawings would take a whole frame.
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let cell = 0; cell < grid.cells; cell++) {
    const first = startOfCell(stretch, grid.cells, cell);
    const end = startOfCell(stretch, grid.cells, cell + 1);
    const middle = Math.floor((first + end - 1) / 2);
    const picture = pictures.find((one) => holds(one, middle));
    if (!picture) continue;
    const source = cellOfUnit(picture, picture.map.cells, middle);
    const [x, y] = placeOf(cell, grid, pitch);
    copyCell(pixels, y * width + x, width, picture, source, tiles);
    const planned = marks.planned?.[cell] ?? 0;
    if (planned > 0) copyPlanned(pixels, y * width + x, width, planned, tiles);
  }
  context.putImageData(image, marks.margin, marks.margin);
  context.translate(marks.margin, marks.margin);
  paintMarks(context, grid, tiles, marks);
}

function placeOf(cell: number, { columns }: CellGrid, pitch: number): [number, number] {
  return [Math.round((cell % columns) * pitch), Math.round(Math.floor(cell / columns) * pitch)];
}

/** The role that takes most, and the second as a bar: what is free above what is used. */
function copyCell(
  pixels: Uint32Array,
  at: number,
  width: number,
  { map, looks }: Picture,
  cell: number,
  tiles: Tiles,
): void {
  const { size } = tiles;
  const main = map.roles[looks.main[cell]];
  copyRows(pixels, at, width, tiles.get(main), size, 0, size);
  if (looks.second[cell] !== noRole) {
    const second = map.roles[looks.second[cell]];
    const height = barHeight(looks.secondShare[cell], size);
    const top = second === 'free' ? 0 : size - height;
    copyRows(pixels, at, width, tiles.get(second), size, top, top + height);
  }
  const lit = map.highlighted?.[cell] ?? 0;
  if (lit === 0) return;
  const height = lit === wholeShare ? size : barHeight(lit, size);
  copyRows(pixels, at, width, tiles.get('selected'), size, size - height, size);
  drawFrame(pixels, at, width, size, tiles.frame);
}

/** From above, where what is free is drawn. */
function copyPlanned(
  pixels: Uint32Array,
  at: number,
  width: number,
  share: number,
  tiles: Tiles,
): void {
  const { size } = tiles;
  const height = share === wholeShare ? size : barHeight(share, size);
  copyRows(pixels, at, width, tiles.get('planned'), size, 0, height);
}

function copyRows(
  pixels: Uint32Array,
  at: number,
  width: number,
  tile: Tile,
  size: number,
  from: number,
  end: number,
): void {
  for (let row = from; row < end; row++) {
    const target = at + row * width;
    for (let x = 0; x < size; x++) pixels[target + x] = tile[row * size + x];
  }
}

/** Tells what belongs to the chosen node by more than its colour. */
function drawFrame(
  pixels: Uint32Array,
  at: number,
  width: number,
  size: number,
  colour: number,
): void {
  const line = Math.max(1, Math.round(devicePixelRatio));
  for (let row = 0; row < size; row++) {
    const isEdge = row < line || row >= size - line;
    const start = at + row * width;
    pixels.fill(colour, start, start + (isEdge ? size : line));
    pixels.fill(colour, start + size - line, start + size);
  }
}

/** However small, a part can be seen, and so can what is left of the cell. */
function barHeight(share: number, size: number): number {
  const least = Math.max(2, Math.round(size / 5));
  return Math.min(Math.max(Math.round((share * size) / wholeShare), least), size - least);
}

function paintMarks(
  context: CanvasRenderingContext2D,
  grid: CellGrid,
  { palette, size }: Tiles,
  { cursor, hovered, chosen, focused }: MapMarks,
): void {
  const pitch = grid.pitch * devicePixelRatio;
  const frame = (cell: number | null, colour: string, width: number) => {
    if (cell === null) return;
    const [x, y] = placeOf(cell, grid, pitch);
    const line = Math.round(width * devicePixelRatio);
    const out = line / 2;
    context.lineWidth = line;
    context.strokeStyle = colour;
    context.strokeRect(x - out, y - out, size + line, size + line);
  };
  frame(hovered, palette.muted, 1);
  if (chosen !== null) {
    frame(chosen, palette.ground, 4);
    frame(chosen, palette.foreground, 2);
  }
  if (focused) frame(cursor, palette.focus, 2);
}

/**
 * The whole volume in one row, and what of it the map shows.
 * @param planned for columns of equal width the share that is planned
 */
export function paintOverview(
  context: CanvasRenderingContext2D,
  whole: Stretch,
  stretch: Stretch,
  picture: Picture | null,
  planned: Uint8Array | null,
  tiles: Tiles,
): void {
  const { width, height } = context.canvas;
  const ratio = devicePixelRatio;
  if (picture) paintColumns(context, picture, tiles, width, height);
  planned?.forEach((share, column) => {
    if (share === 0) return;
    const x = Math.floor((column * width) / planned.length);
    context.fillStyle = tiles.palette.planned;
    context.fillRect(x, 0, Math.max(2 * ratio, Math.ceil(width / planned.length)), height / 3);
  });
  if (stretch.units >= whole.units) return;
  const from = Math.floor(((stretch.first - whole.first) / whole.units) * width);
  const length = Math.max(4 * ratio, Math.ceil((stretch.units / whole.units) * width));
  context.lineWidth = 2 * ratio;
  context.strokeStyle = tiles.palette.foreground;
  context.strokeRect(from + ratio, ratio, length - 2 * ratio, height - 2 * ratio);
}

function paintColumns(
  context: CanvasRenderingContext2D,
  { map, looks }: Picture,
  { palette }: Tiles,
  width: number,
  height: number,
): void {
  for (let cell = 0; cell < map.cells; cell++) {
    const x = Math.floor((cell * width) / map.cells);
    const w = Math.max(1, Math.ceil(((cell + 1) * width) / map.cells) - x);
    const parts = [
      { role: looks.main[cell], share: wholeShare - looks.secondShare[cell] },
      { role: looks.second[cell], share: looks.secondShare[cell] },
    ].sort((a, b) => Number(map.roles[a.role] === 'free') - Number(map.roles[b.role] === 'free'));
    let bottom = height;
    for (const { role, share } of parts) {
      const h = Math.round((share * height) / wholeShare);
      bottom -= h;
      if (role === noRole || map.roles[role] === 'free') continue;
      context.fillStyle = palette.roles[map.roles[role]];
      context.fillRect(x, bottom, w, h);
    }
    if (!map.highlighted?.[cell]) continue;
    context.fillStyle = palette.selected;
    context.fillRect(x, 0, Math.max(w, 2), height / 2);
  }
}
