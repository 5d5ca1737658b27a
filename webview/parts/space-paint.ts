/** Paints the map and the strip of the whole volume. */
import { noRole } from '../space-cells';
import { cellOfUnit, holds, startOfCell, type CellGrid, type Stretch } from '../space-grid';
import type { Picture } from '../space-pictures';
import type { Tiles } from './space-tiles';

/** What the map shows beside the cells themselves. */
export interface MapMarks {
  readonly cursor: number | null;
  readonly hovered: number | null;
  /** The cell of the chosen unit. */
  readonly chosen: number | null;
  readonly focused: boolean;
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
  const lit: number[] = [];
  for (let cell = 0; cell < grid.cells; cell++) {
    const first = startOfCell(stretch, grid.cells, cell);
    const end = startOfCell(stretch, grid.cells, cell + 1);
    const middle = Math.floor((first + end - 1) / 2);
    const picture = pictures.find((one) => holds(one, middle));
    if (!picture) continue;
    const source = cellOfUnit(picture, picture.map.cells, middle);
    const [x, y] = placeOf(cell, grid, pitch);
    paintCell(context, picture, source, tiles, x, y);
    if (picture.map.highlighted?.[source]) lit.push(cell);
  }
  paintLit(context, lit, grid, tiles);
  paintMarks(context, grid, tiles, marks);
}

function placeOf(cell: number, { columns }: CellGrid, pitch: number): [number, number] {
  return [Math.round((cell % columns) * pitch), Math.round(Math.floor(cell / columns) * pitch)];
}

/** The role that takes most, and the second as a bar: what is free above what is used. */
function paintCell(
  context: CanvasRenderingContext2D,
  { map, looks }: Picture,
  cell: number,
  tiles: Tiles,
  x: number,
  y: number,
): void {
  const { size } = tiles;
  const main = map.roles[looks.main[cell]];
  const lit = map.highlighted?.[cell] ?? 0;
  context.drawImage(tiles.get(main), x, y);
  if (looks.second[cell] !== noRole) {
    const second = map.roles[looks.second[cell]];
    const height = barHeight(looks.secondShare[cell], size);
    const top = second === 'free' ? 0 : size - height;
    context.clearRect(x, y + top, size, height);
    context.drawImage(tiles.get(second), 0, top, size, height, x, y + top, size, height);
  }
  if (lit > 0) {
    const height = lit === 255 ? size : barHeight(lit, size);
    context.drawImage(
      tiles.get('selected'),
      0,
      0,
      size,
      height,
      x,
      y + size - height,
      size,
      height,
    );
  }
}

/** However small, a part can be seen, and so can what is left of the cell. */
function barHeight(share: number, size: number): number {
  const least = Math.max(2, Math.round(size / 5));
  return Math.min(Math.max(Math.round((share * size) / 255), least), size - least);
}

/** Frames what belongs to the chosen node, so that more than its colour tells it. */
function paintLit(
  context: CanvasRenderingContext2D,
  cells: readonly number[],
  grid: CellGrid,
  tiles: Tiles,
): void {
  const pitch = grid.pitch * devicePixelRatio;
  context.strokeStyle = tiles.palette.foreground;
  context.lineWidth = Math.max(1, Math.round(devicePixelRatio));
  const inset = context.lineWidth / 2;
  for (const cell of cells) {
    const [x, y] = placeOf(cell, grid, pitch);
    context.strokeRect(
      x + inset,
      y + inset,
      tiles.size - context.lineWidth,
      tiles.size - context.lineWidth,
    );
  }
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

/** The whole volume in one row, and what of it the map shows. */
export function paintOverview(
  context: CanvasRenderingContext2D,
  whole: Stretch,
  stretch: Stretch,
  picture: Picture | null,
  tiles: Tiles,
): void {
  const { width, height } = context.canvas;
  const ratio = devicePixelRatio;
  if (picture) paintColumns(context, picture, tiles, width, height);
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
      { role: looks.main[cell], share: 255 - looks.secondShare[cell] },
      { role: looks.second[cell], share: looks.secondShare[cell] },
    ].sort((a, b) => Number(map.roles[a.role] === 'free') - Number(map.roles[b.role] === 'free'));
    let bottom = height;
    for (const { role, share } of parts) {
      const h = Math.round((share * height) / 255);
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
