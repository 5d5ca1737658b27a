/** The hash tree of a directory, each node as wide as the hashes that it is responsible for. */
import type { IndexNode } from '../../src/protocol/requests';

const hashes = 2 ** 32;

/** A run of pixels in a level of the tree. */
export interface HashSpan {
  readonly left: number;
  readonly width: number;
  /** Index of the node, and of the last of those that share its pixel. */
  readonly first: number;
  readonly last: number;
}

/** The levels of the tree from the root down; `width` is in pixels. None of the nodes is lost. */
export function scaleHashes(nodes: readonly IndexNode[], width: number): HashSpan[][] {
  const levels: HashSpan[][] = [];
  if (width < 1) return levels;
  const pixel = (hash: number) => Math.round((hash / hashes) * width);
  nodes.forEach(({ level, lowest, highest }, index) => {
    const spans = (levels[level] ??= []);
    const left = Math.min(pixel(lowest), width - 1);
    const span = { left, width: Math.max(1, pixel(highest + 1) - left), first: index, last: index };
    const before = spans.at(-1);
    if (before?.left === left && span.width === 1) {
      spans[spans.length - 1] = { ...before, last: index };
    } else {
      spans.push(span);
    }
  });
  return levels;
}

/** Bytes of an entry of a node: a hash and a block (`struct dx_entry` of Linux). */
const entryLength = 8;

/** An entry as it lies in the block of its node; numbers are pixels from the line's start. */
export interface EntryMark {
  readonly node: IndexNode;
  readonly left: number;
  readonly width: number;
}

/**
 * The entries in one line of a block.
 * @param entries the nodes that the block leads to, in the order of the disk
 * @param offset of the line in the image, in bytes
 * @param length of the line in bytes, which are `width` pixels wide
 */
export function lineEntries(
  entries: readonly IndexNode[],
  offset: number,
  length: number,
  width: number,
): EntryMark[] {
  const scale = width / length;
  return entries
    .filter(({ entryOffset }) => entryOffset >= offset && entryOffset < offset + length)
    .map((node) => {
      const left = Math.round((node.entryOffset - offset) * scale);
      const right = Math.round((node.entryOffset + entryLength - offset) * scale);
      return { node, left, width: Math.max(1, right - left) };
    });
}

/** The entry at a byte of the image. */
export function entryAt(entries: readonly IndexNode[], offset: number): IndexNode | undefined {
  return entries.find(
    ({ entryOffset }) => offset >= entryOffset && offset < entryOffset + entryLength,
  );
}

/** The node that one comes to from another; itself where there is none. */
export function stepInTree(
  nodes: readonly IndexNode[],
  from: number,
  to: 'before' | 'after' | 'parent' | 'child',
): number {
  const { level } = nodes[from];
  const wanted = to === 'parent' ? level - 1 : to === 'child' ? level + 1 : level;
  const by = to === 'before' || to === 'parent' ? -1 : 1;
  for (let index = from + by; index >= 0 && index < nodes.length; index += by) {
    if (nodes[index].level === wanted) return index;
    // The nodes below one follow it at once.
    if (to === 'child') break;
  }
  return from;
}
