import type { Extent } from '../../filesystem/extents';
import type { UnitRun } from '../../filesystem/sorted-runs';
import { ImageError } from '../../image/errors';
import { directBlocks } from '../block-map';
import { iBlockOf, readInode } from '../inode';
import { holdsBlocks } from '../superblock';
import { readBlock } from '../volume';
import type { ContentMap, LogicalRun, MapPiece } from './content-map';
import type { EditContext } from './context';

const pointerSlots = 15;
const mostBlocks = 2 ** 32; // of a volume, which pointers can lead to
/** Blocks of pointers that are kept in memory until they are written: the largest files have many. */
const keptPointerBlocks = 2048;

/** What a pointer leads to. */
interface Branch {
  /** 0 for a block of content, else the number of levels of pointers below it. */
  readonly depth: number;
  readonly logical: number;
}

/** Reads and changes the block pointers of an inode, piece by piece, as a range is asked for. */
export class BlockMapWriter implements ContentMap {
  /** Pointers in a block. */
  private readonly fanOut: number;
  /** The 15 pointers in the inode. */
  private readonly roots: readonly Branch[];
  readonly reach: number;

  constructor(
    private readonly context: EditContext,
    private readonly number: number,
  ) {
    this.fanOut = context.volume.geometry.blockSize / 4;
    const roots: Branch[] = [];
    let logical = 0;
    for (let slot = 0; slot < pointerSlots; slot++) {
      const depth = Math.max(0, slot + 1 - directBlocks);
      roots.push({ depth, logical });
      logical += this.span(depth);
    }
    this.roots = roots;
    this.reach = logical;
  }

  *pieces(first: number, end: number): Generator<MapPiece, void> {
    const view = this.inodePointers();
    let last: MapPiece = { logical: first, physical: 0, length: 0 };
    for (const [slot, branch] of this.roots.entries()) {
      for (const piece of this.under(view.getUint32(4 * slot, true), branch, first, end)) {
        if (continues(last, piece)) {
          last = { ...last, length: last.length + piece.length };
        } else {
          if (last.length > 0) yield last;
          last = piece;
        }
      }
    }
    if (last.length > 0) yield last;
  }

  countMissing(runs: readonly LogicalRun[]): number {
    const view = this.inodePointers();
    // By depth: where the last node that was counted ends.
    const counted: number[] = [];
    let missing = 0;
    const count = (pointer: number, branch: Branch, first: number, end: number) => {
      if (branch.depth === 0) return;
      if (pointer === 0) {
        for (let depth = branch.depth; depth > 0; depth--) {
          const span = this.span(depth);
          const from = Math.floor((first - branch.logical) / span);
          const to = Math.ceil((end - branch.logical) / span);
          const start = branch.logical + from * span;
          const known = (counted[depth] ?? 0) > start ? 1 : 0;
          missing += to - from - known;
          counted[depth] = branch.logical + to * span;
        }
        return;
      }
      const child = this.read(pointer);
      this.visitSlots(branch, first, end, (slot, below, from, to) =>
        count(child.getUint32(4 * slot, true), below, from, to),
      );
    };
    for (const { logical, length } of runs) {
      this.visitRoots(logical, logical + length, (slot, branch, from, to) =>
        count(view.getUint32(4 * slot, true), branch, from, to),
      );
    }
    return missing;
  }

  /** @throws ImageError `unsupported` for blocks that a pointer of 32 bits cannot lead to */
  assign(extents: readonly Extent[], own: readonly UnitRun[]): number {
    const pointerBlocks = [...eachBlock(own)];
    let used = 0;
    let settled = 0;
    for (const { logical, physical, length } of extents) {
      if (physical + length > mostBlocks) {
        const message = `Inode ${this.number} has block pointers, which do not lead to block ${physical}.`;
        throw new ImageError('unsupported', message);
      }
      this.point(logical, { start: physical, length }, () => pointerBlocks[used++]);
      if (used - settled < keptPointerBlocks) continue;
      this.context.store.settle(pointerBlocks.slice(settled, used));
      settled = used;
      this.context.progress.report(used, pointerBlocks.length);
    }
    return 0;
  }

  /**
   * Fills a hole with blocks.
   * @param takePointerBlock gives a block for pointers
   */
  private point(logical: number, run: UnitRun, takePointerBlock: () => number): void {
    const put = (view: DataView, slot: number, branch: Branch, first: number, end: number) => {
      if (branch.depth === 0) {
        view.setUint32(4 * slot, run.start + (first - logical), true);
        return;
      }
      let pointer = view.getUint32(4 * slot, true);
      let child: DataView;
      if (pointer === 0) {
        pointer = takePointerBlock();
        child = this.context.store.startBlock(pointer);
        view.setUint32(4 * slot, pointer, true);
      } else {
        this.verify(pointer);
        child = this.context.writer.block(pointer);
      }
      if (branch.depth === 1) {
        for (let block = first; block < end; block++) {
          child.setUint32(4 * (block - branch.logical), run.start + (block - logical), true);
        }
        return;
      }
      this.visitSlots(branch, first, end, (at, below, from, to) => put(child, at, below, from, to));
    };
    this.editPointers((view) => {
      this.visitRoots(logical, logical + run.length, (slot, branch, from, to) =>
        put(view, slot, branch, from, to),
      );
    });
  }

  cut(blocks: number): { data: UnitRun[]; own: UnitRun[] } {
    const data: GrowingRun[] = [];
    const pointers: GrowingRun[] = [];
    const seen = new Set<number>();
    /** @returns whether nothing is left under the pointer */
    const clear = (pointer: number, branch: Branch): boolean => {
      if (pointer === 0) return true;
      if (branch.depth === 0) {
        addBlock(data, pointer);
        return true;
      }
      if (seen.has(pointer)) throw this.corrupt(pointer);
      seen.add(pointer);
      const isWhole = branch.logical >= blocks;
      let view = this.read(pointer);
      if (isWhole && branch.depth === 1) {
        for (let at = 0; at < view.byteLength; at += 4) {
          const block = view.getUint32(at, true);
          if (block !== 0) addBlock(data, block);
        }
        addBlock(pointers, pointer);
        return true;
      }
      let keepsAny = false;
      this.visitSlots(branch, 0, Infinity, (slot, below) => {
        const next = view.getUint32(4 * slot, true);
        if (next === 0) return;
        if (below.logical + this.span(below.depth) <= blocks) {
          keepsAny = true;
        } else if (!clear(next, below)) {
          keepsAny = true;
        } else if (!isWhole) {
          view = this.context.writer.block(pointer);
          view.setUint32(4 * slot, 0, true);
        }
      });
      if (!keepsAny) addBlock(pointers, pointer);
      return !keepsAny;
    };
    this.editPointers((view) => {
      this.roots.forEach((branch, slot) => {
        if (branch.logical + this.span(branch.depth) <= blocks) return;
        if (clear(view.getUint32(4 * slot, true), branch)) view.setUint32(4 * slot, 0, true);
      });
    });
    return { data, own: pointers };
  }

  private *under(
    pointer: number,
    { depth, logical }: Branch,
    first: number,
    end: number,
  ): Generator<MapPiece, void> {
    const from = Math.max(first, logical);
    const to = Math.min(end, logical + this.span(depth));
    if (from >= to) return;
    if (pointer === 0 || depth === 0) {
      yield { logical: from, physical: pointer, length: to - from };
      return;
    }
    const view = this.read(pointer);
    if (depth === 1) {
      yield* leafPieces(view, logical, from, to);
      return;
    }
    const span = this.span(depth - 1);
    const firstSlot = Math.floor((from - logical) / span);
    const endSlot = Math.ceil((to - logical) / span);
    for (let slot = firstSlot; slot < endSlot; slot++) {
      const below = { depth: depth - 1, logical: logical + slot * span };
      yield* this.under(view.getUint32(4 * slot, true), below, from, to);
    }
  }

  /** Blocks of content under one pointer. */
  private span(depth: number): number {
    return this.fanOut ** depth;
  }

  private visitRoots(
    first: number,
    end: number,
    visit: (slot: number, branch: Branch, from: number, to: number) => void,
  ): void {
    this.roots.forEach((branch, slot) => {
      const from = Math.max(first, branch.logical);
      const to = Math.min(end, branch.logical + this.span(branch.depth));
      if (from < to) visit(slot, branch, from, to);
    });
  }

  /** Visits the pointers in a block of them that lead to a range. */
  private visitSlots(
    { depth, logical }: Branch,
    first: number,
    end: number,
    visit: (slot: number, below: Branch, from: number, to: number) => void,
  ): void {
    const span = this.span(depth - 1);
    const firstSlot = Math.max(0, Math.floor((first - logical) / span));
    const endSlot = Math.min(this.fanOut, Math.ceil((end - logical) / span));
    for (let slot = firstSlot; slot < endSlot; slot++) {
      const start = logical + slot * span;
      const below = { depth: depth - 1, logical: start };
      visit(slot, below, Math.max(first, start), Math.min(end, start + span));
    }
  }

  private inodePointers(): DataView {
    return iBlockOf(readInode(this.context.volume, this.number).view);
  }

  private editPointers(change: (view: DataView) => void): void {
    this.context.writer.editInode(this.number, (raw) => change(iBlockOf(raw)));
  }

  private read(pointer: number): DataView {
    this.verify(pointer);
    return readBlock(this.context.volume, pointer);
  }

  private verify(pointer: number): void {
    if (!holdsBlocks(this.context.volume.geometry, pointer)) throw this.corrupt(pointer);
  }

  private corrupt(pointer: number): ImageError {
    const message = `The block pointers of inode ${this.number} make no sense at block ${pointer}.`;
    return new ImageError('corrupt', message);
  }
}

function continues(last: MapPiece, { physical }: MapPiece): boolean {
  if (last.length === 0) return false;
  return last.physical === 0 ? physical === 0 : physical === last.physical + last.length;
}

/** What a block of pointers to content has of a range. @param logical of its first pointer */
function* leafPieces(
  view: DataView,
  logical: number,
  from: number,
  to: number,
): Generator<MapPiece, void> {
  let start = from;
  let physical = view.getUint32(4 * (from - logical), true);
  for (let at = from + 1; at <= to; at++) {
    const next = at < to ? view.getUint32(4 * (at - logical), true) : -1;
    if (next === (physical === 0 ? 0 : physical + at - start)) continue;
    yield { logical: start, physical, length: at - start };
    start = at;
    physical = next;
  }
}

interface GrowingRun {
  readonly start: number;
  length: number;
}

/** Adds a block to runs, to the last one where it continues that. */
function addBlock(runs: GrowingRun[], block: number): void {
  const last = runs.at(-1);
  if (last && last.start + last.length === block) last.length += 1;
  else runs.push({ start: block, length: 1 });
}

function* eachBlock(runs: readonly UnitRun[]): Generator<number, void> {
  for (const { start, length } of runs) {
    for (let block = start; block < start + length; block++) yield block;
  }
}
