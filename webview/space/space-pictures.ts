import type { NodeId, SpaceMap, SpaceMapQuery } from '../../src/protocol/requests';
import { hasEnded, isCancelled, messageOf } from '../inspection/errors';
import type { Host } from '../inspection/host';
import { lookAtCells, type CellLooks } from './space-cells';
import type { Stretch } from './space-grid';
import type { Task, Tasks } from '../inspection/tasks';

/** Cells of the picture of the whole volume. */
const overviewCells = 1024;

/** A stretch of the volume as the engine has drawn it. */
export interface Picture extends Stretch {
  readonly map: SpaceMap;
  readonly looks: CellLooks;
}

/** What is to be drawn. */
export interface PictureWish {
  readonly volume: number;
  /** All units of the volume. */
  readonly whole: Stretch;
  readonly stretch: Stretch;
  readonly cells: number;
  readonly highlight: NodeId | null;
  /** Changes with whatever makes older pictures out of date. */
  readonly version: string;
}

/** `ended`: the engine did; another one will be announced. */
export type Obstacle = { readonly kind: 'stopped' | 'ended' } | FailedDrawing;

interface FailedDrawing {
  readonly kind: 'failed';
  readonly message: string;
}

/**
 * The pictures of a volume: one of what is in sight, and a coarse one of all of it. One question
 * is under way at a time, and then the newest wish is next: the older pictures stay until then.
 */
export class SpacePictures {
  detail: Picture | null = null;
  overview: Picture | null = null;
  /** How far the engine is with what it must know before it can draw, from 0 to 1. */
  progress: number | null = null;
  /** Why there is no picture, or no newer one. */
  obstacle: Obstacle | null = null;

  private wish: PictureWish | null = null;
  private detailKey = '';
  private overviewKey = '';
  private running: Task<SpaceMap> | null = null;

  constructor(
    private readonly host: Host,
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  /** Asks for what is missing of a wish; with null for nothing any more. */
  want(wish: PictureWish | null): void {
    const other = wish?.volume !== this.wish?.volume;
    const newer = other || wish?.version !== this.wish?.version;
    this.wish = wish;
    if (other) this.forget();
    if (newer) this.obstacle = null;
    void this.work();
  }

  /** Gives up what is asked for. */
  stop(): void {
    this.obstacle = { kind: 'stopped' };
    this.running?.cancel();
    this.changed();
  }

  /** Asks again for what was given up, or has failed. */
  retry(): void {
    this.obstacle = null;
    void this.work();
    this.changed();
  }

  private forget(): void {
    this.running?.cancel();
    this.detail = null;
    this.overview = null;
    this.detailKey = '';
    this.overviewKey = '';
  }

  private async work(): Promise<void> {
    if (this.running) return;
    for (;;) {
      const { wish } = this;
      if (!wish || this.obstacle) return;
      const detailKey = keyOf(wish, wish.stretch, wish.cells);
      const overviewKey = keyOf(wish, wish.whole, overviewCells);
      if (detailKey !== this.detailKey) {
        const picture = await this.draw(wish, wish.stretch, wish.cells);
        if (!picture) continue;
        this.detail = picture;
        this.detailKey = detailKey;
      } else if (overviewKey !== this.overviewKey) {
        const picture = await this.draw(wish, wish.whole, overviewCells);
        if (!picture) continue;
        this.overview = picture;
        this.overviewKey = overviewKey;
      } else {
        return;
      }
      this.changed();
    }
  }

  /** Null where it came to nothing, or is of a volume that is not shown any more. */
  private async draw(
    { volume, highlight }: PictureWish,
    stretch: Stretch,
    cells: number,
  ): Promise<Picture | null> {
    const query: SpaceMapQuery = { volume, ...stretch, cells, highlight };
    const task = this.tasks.start(
      (id) => this.host.spaceMap(query, id),
      (done, total) => {
        if (this.running !== task || total <= 0) return;
        this.progress = done / total;
        this.changed();
      },
    );
    this.running = task;
    try {
      const map = await task.answer;
      if (this.wish?.volume !== volume) return null;
      return { first: map.firstUnit, units: map.units, map, looks: lookAtCells(map) };
    } catch (error) {
      if (this.wish?.volume === volume) this.fail(error);
      return null;
    } finally {
      this.running = null;
      this.progress = null;
    }
  }

  private fail(error: unknown): void {
    if (isCancelled(error)) this.obstacle = { kind: 'stopped' };
    else if (hasEnded(error)) this.obstacle = { kind: 'ended' };
    else this.obstacle = { kind: 'failed', message: messageOf(error) };
    this.changed();
  }
}

function keyOf({ highlight, version }: PictureWish, stretch: Stretch, cells: number): string {
  return `${version} ${highlight} ${stretch.first} ${stretch.units} ${cells}`;
}
