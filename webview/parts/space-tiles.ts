/** What a cell of each role looks like: a colour of its own, and a pattern of its own as well. */
import type { Role } from '../../src/protocol/requests';
import type { Palette } from './space-palette';

/** Draws on a square of `s` by `s`, over the role's colour, with the colour of the ground. */
type Pattern = (context: CanvasRenderingContext2D, s: number) => void;

function lines(...parts: (readonly [number, number, number, number])[]): Pattern {
  return (context, s) => {
    context.lineWidth = s / 8;
    context.beginPath();
    for (const [x, y, toX, toY] of parts) {
      context.moveTo(x * s, y * s);
      context.lineTo(toX * s, toY * s);
    }
    context.stroke();
  };
}

function boxes(...parts: (readonly [number, number, number, number])[]): Pattern {
  return (context, s) => {
    for (const [x, y, width, height] of parts) {
      context.fillRect(x * s, y * s, width * s, height * s);
    }
  };
}

const half = 0.5;
const third = 1 / 3;

const patterns: Readonly<Record<Role, Pattern | null>> = {
  free: null,
  file: null,
  boot: (context, s) => {
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(s, 0);
    context.lineTo(0, s);
    context.fill();
  },
  superblock: boxes([0.3, 0.3, 0.4, 0.4]),
  descriptors: lines([third, 0, third, 1], [2 * third, 0, 2 * third, 1]),
  table: lines([half, 0, half, 1], [0, half, 1, half]),
  bitmap: boxes([0, 0, half, half], [half, half, half, half]),
  inodes: lines([0, third, 1, third], [0, 2 * third, 1, 2 * third]),
  journal: lines([0, half, half, 0], [0, 1, 1, 0], [half, 1, 1, half]),
  directory: boxes([0.4, 0, 0.2, 0.6]),
  mapping: lines([0, 0, 1, 1]),
  attributes: boxes([0.2, 0.2, 0.2, 0.2], [0.6, 0.6, 0.2, 0.2]),
  bad: lines([0, 0, 1, 1], [1, 0, 0, 1]),
  lost: (context, s) => {
    context.lineWidth = s / 7;
    context.strokeRect(s / 4, s / 4, s / 2, s / 2);
  },
  allocated: boxes([0, 0.75, 1, 0.25]),
};

/** A drawing of one cell, in device pixels. */
export type Tile = HTMLCanvasElement;

/** Draws the cells of one size, each once. */
export class Tiles {
  private readonly drawn = new Map<Role | 'selected', Tile>();

  /** @param size of a cell, in device pixels */
  constructor(
    readonly palette: Palette,
    readonly size: number,
  ) {}

  get(role: Role | 'selected'): Tile {
    const known = this.drawn.get(role);
    if (known) return known;
    const tile = document.createElement('canvas');
    tile.width = this.size;
    tile.height = this.size;
    const context = tile.getContext('2d');
    if (context) this.draw(context, role);
    this.drawn.set(role, tile);
    return tile;
  }

  private draw(context: CanvasRenderingContext2D, role: Role | 'selected'): void {
    const { palette, size } = this;
    context.fillStyle = role === 'selected' ? palette.selected : palette.roles[role];
    if (role === 'free') {
      // A frame that is empty.
      context.globalAlpha = 0.35;
      context.fillRect(0, 0, size, size);
      const line = Math.max(1, Math.round(size / 12));
      context.clearRect(line, line, size - 2 * line, size - 2 * line);
      return;
    }
    context.fillRect(0, 0, size, size);
    if (role === 'selected') return;
    context.fillStyle = palette.ground;
    context.strokeStyle = palette.ground;
    patterns[role]?.(context, size);
  }
}
