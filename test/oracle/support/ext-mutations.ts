import type { FileSystem } from '../../../src/filesystem/filesystem';

/** A range of the image, in bytes. */
interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Bytes that are changed, all of one structure. */
export interface Mutation {
  readonly kind: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Numbers that look random and are the same in every run. */
export class Seeded {
  constructor(private state: number) {}

  /** A whole number below the limit. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

const superblockInUse = 0x284;
const inodeInUse = 160;
const firstOrdinary = 11;
const alwaysThere = [2, 7, 8];
const contentAt = 40;
const attributesAt = 104;
const mapBytes = 400;

/** Where the metadata of a volume lies, by its kind. */
export function metadataOf(
  fileSystem: FileSystem,
  read: (offset: number, length: number) => DataView,
): Map<string, Range[]> {
  const ranges = new Map<string, Range[]>();
  const add = (kind: string, offset: number, length: number) => {
    const list = ranges.get(kind) ?? [];
    list.push({ offset, length });
    ranges.set(kind, list);
  };
  const { blockSize, inodes } = fileSystem.facts;
  add('superblock', 1024, superblockInUse);
  for (const group of fileSystem.structureBranches('groups')) {
    add('descriptor', group.offset ?? 0, group.length);
    for (const part of fileSystem.structureBranches(group.key)) {
      if (part.name.includes('bitmap')) add('bitmap', part.offset ?? 0, blockSize / 8);
    }
  }
  for (let number = 1; number <= (inodes ?? 0); number++) {
    if (number < firstOrdinary && !alwaysThere.includes(number)) continue;
    const node = fileSystem.node(number);
    if (node.mode === 0) continue;
    add('inode', node.offset, inodeInUse);
    add('block pointers', node.offset + contentAt, 60);
    for (const { kind, offset } of fileSystem.structures(number)) {
      if (kind === 'extent node' && offset !== node.offset + contentAt) {
        add('extent node', offset, mapBytes);
      }
    }
    const block = read(node.offset + attributesAt, 4).getUint32(0, true);
    if (block > 0) add('attributes', block * blockSize, blockSize);
    if (node.type !== 'directory') continue;
    for (const { physical, length } of fileSystem.content(number).extents) {
      for (let i = 0; i < length; i++) add('directory', (physical + i) * blockSize, blockSize);
    }
  }
  return ranges;
}

/** Changes a bit, a byte, or a number of 16 or 32 bits, somewhere in the metadata. */
export function mutate(
  random: Seeded,
  ranges: ReadonlyMap<string, readonly Range[]>,
  read: (offset: number, length: number) => DataView,
): Mutation {
  const kind = random.of([...ranges.keys()]);
  const range = random.of(ranges.get(kind) ?? []);
  const width = random.of([1, 1, 2, 4]);
  const at = range.offset + random.below(range.length);
  const offset = at - (at % width);
  const view = read(offset, width);
  const value = random.of([0, 1, 0xffffffff, random.below(65536), random.below(20_000)]);
  if (width === 1 && random.below(2) === 0)
    view.setUint8(0, view.getUint8(0) ^ (1 << random.below(8)));
  else if (width === 1) view.setUint8(0, value & 0xff);
  else if (width === 2) view.setUint16(0, value & 0xffff, true);
  else view.setUint32(0, value, true);
  return { kind, offset, bytes: new Uint8Array(view.buffer) };
}
