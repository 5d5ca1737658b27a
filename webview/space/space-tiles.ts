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

const plus = boxes([0.4, 0.15, 0.2, 0.7], [0.15, 0.4, 0.7, 0.2]);

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

/** What a cell can look like: a role, or what is said of it beside its role. */
export type Look = Role | 'selected' | 'planned';

/** The pixels of one cell, row by row, as a canvas keeps them. */
export type Tile = Uint32Array;

/** Draws the cells of one size, each once. */
export class Tiles {
  /** The pixel of the frames around what belongs to the chosen node. */
  readonly frame: number;
  private readonly drawn = new Map<Look, Tile>();

  /** @param size of a cell, in device pixels */
  constructor(
    readonly palette: Palette,
    readonly size: number,
  ) {
    this.frame = pixelsOf(1, (context) => {
      context.fillStyle = palette.foreground;
      context.fillRect(0, 0, 1, 1);
    })[0];
  }

  get(role: Look): Tile {
    const known = this.drawn.get(role);
    if (known) return known;
    const tile = pixelsOf(this.size, (context) => drawTile(context, role, this.size, this.palette));
    this.drawn.set(role, tile);
    return tile;
  }
}

function pixelsOf(size: number, draw: (context: CanvasRenderingContext2D) => void): Tile {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return new Uint32Array(size * size);
  draw(context);
  return new Uint32Array(context.getImageData(0, 0, size, size).data.buffer);
}

/** Draws a cell of a role at the origin. */
export function drawTile(
  context: CanvasRenderingContext2D,
  role: Look,
  size: number,
  palette: Palette,
): void {
  context.fillStyle =
    role === 'selected' || role === 'planned' ? palette[role] : palette.roles[role];
  if (role === 'free') {
    // Empty, in a frame.
    const line = Math.max(1, Math.round(size / 12));
    context.globalAlpha = 0.25;
    context.fillRect(0, 0, size, size);
    context.clearRect(line, line, size - 2 * line, size - 2 * line);
    context.globalAlpha = 0.08;
    context.fillRect(line, line, size - 2 * line, size - 2 * line);
    return;
  }
  context.fillRect(0, 0, size, size);
  if (role === 'selected') return;
  context.fillStyle = palette.ground;
  context.strokeStyle = palette.ground;
  (role === 'planned' ? plus : patterns[role])?.(context, size);
}
