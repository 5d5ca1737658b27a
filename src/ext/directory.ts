import { EntryTableBuilder, type EntryTable } from '../filesystem/entry-table';
import { findExtent, type Extent } from '../filesystem/extents';
import type { NodeType } from '../filesystem/node';
import { ImageError } from '../image/errors';
import { crc32c, inodeSeed } from './checksums';
import { readMapping } from './content';
import { readDirectoryIndex, type DirectoryIndex } from './htree';
import { readInlineDirectory } from './inline-data';
import { inodeFlags, readInode, type Inode } from './inode';
import { Problems } from './problems';
import {
  nodeTypesByRecord,
  walkRecords,
  type BlockRole,
  type DirectoryRecord,
  type RecordRules,
} from './records';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** A part of a directory with a chain of records of its own. */
export interface DirectoryBlock {
  /** Block of the volume; 0 for what is kept in the inode. */
  readonly block: number;
  /** Block of the directory, from 0. */
  readonly logical: number;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
  readonly bytes: Uint8Array;
  readonly role: BlockRole;
}

/** A directory whose blocks are visited one by one. */
export class Directory {
  readonly rules: RecordRules;
  readonly problems: Problems;
  /** Null where the directory is linear, or claims to be indexed without having a root. */
  readonly index: DirectoryIndex | null;
  private readonly extents: readonly Extent[];

  /** @throws ImageError `not-a-directory` */
  constructor(
    private readonly volume: ExtVolume,
    readonly inode: Inode,
  ) {
    if (inode.type !== 'directory') {
      throw new ImageError('not-a-directory', `Inode ${inode.number} is not a directory.`);
    }
    const { geometry } = volume;
    this.rules = {
      blockSize: geometry.blockSize,
      hasFileType: geometry.features.has('filetype'),
      inodes: geometry.inodes,
      hasHash: inode.has(inodeFlags.encrypted) && inode.has(inodeFlags.casefolded),
    };
    this.problems = new Problems(inode.number);
    this.extents = readMapping(volume, inode, this.problems).extents;
    this.index = this.readIndex();
  }

  /**
   * Every part with records. A block that the directory claims twice is visited once, so what
   * is visited is never more than the volume.
   */
  *blocks(): Generator<DirectoryBlock> {
    if (this.inode.has(inodeFlags.inlineData)) {
      yield* readInlineDirectory(this.inode, this.problems).map(
        ({ bytes, place }, logical): DirectoryBlock => ({
          block: 0,
          logical,
          place,
          bytes,
          role: 'linear',
        }),
      );
      return;
    }
    const { blockSize } = this.volume.geometry;
    const end = Math.ceil(this.inode.size / blockSize);
    const nodes = new Set(this.index?.nodes.map(({ block }) => block));
    const seen = new Set<number>();
    for (const extent of this.extents) {
      if (extent.unwritten) continue;
      for (let i = 0; i < extent.length && extent.logical + i < end; i++) {
        const logical = extent.logical + i;
        const block = extent.physical + i;
        if (seen.has(block)) {
          this.report('directory-block-repeated', `has block ${block} twice`, block, 0, blockSize);
          continue;
        }
        seen.add(block);
        const view = readBlock(this.volume, block);
        const bytes = new Uint8Array(view.buffer);
        const role = nodes.has(logical) ? (logical === 0 ? 'htree-root' : 'htree-node') : 'linear';
        yield { block, logical, place: imageOffset(this.volume, block), bytes, role };
      }
    }
  }

  /** Adds what is wrong with the records of a block to the problems of the directory. */
  check(part: DirectoryBlock, records: readonly DirectoryRecord[]): void {
    for (const record of records) {
      if (!record.problem) continue;
      this.problems.error(
        'directory-record',
        `A record of directory inode ${this.inode.number} is broken: ${record.problem}.`,
        part.place + record.offset,
        Math.min(8, part.bytes.length - record.offset),
      );
    }
    this.checkTail(part, records);
  }

  private checkTail(part: DirectoryBlock, records: readonly DirectoryRecord[]): void {
    const { geometry } = this.volume;
    const tail = records.at(-1);
    if (!geometry.features.has('metadata_csum') || tail?.state !== 'tail') return;
    const seed = inodeSeed(geometry, this.inode.number, this.inode.generation);
    const view = new DataView(part.bytes.buffer, part.bytes.byteOffset, part.bytes.length);
    const expected = crc32c(seed, part.bytes.subarray(0, tail.offset));
    if (view.getUint32(tail.offset + 8, true) === expected) return;
    const what = `has a checksum in block ${part.block} that does not match`;
    this.report('directory-checksum', what, part.block, tail.offset, 12);
  }

  private readIndex(): DirectoryIndex | null {
    const { features } = this.volume.geometry;
    if (!this.inode.has(inodeFlags.indexedDirectory) || !features.has('dir_index')) return null;
    if (this.inode.has(inodeFlags.inlineData)) return null;
    const index = readDirectoryIndex((logical) => {
      const extent = this.extents[findExtent(this.extents, logical)];
      if (!extent || extent.logical > logical || extent.unwritten) return null;
      return readBlock(this.volume, extent.physical + logical - extent.logical);
    });
    if (!index) {
      const message = `Directory inode ${this.inode.number} claims an index but has no root of one.`;
      this.problems.error('directory-index', message, this.inode.place, this.inode.raw.length);
    }
    return index;
  }

  private report(code: string, what: string, block: number, offset: number, length: number): void {
    const message = `Directory inode ${this.inode.number} ${what}.`;
    this.problems.error(code, message, imageOffset(this.volume, block) + offset, length);
  }
}

/**
 * The names in a directory, in the order of the disk.
 * @param deleted also those that survive in slack
 */
export function readEntries(volume: ExtVolume, inode: Inode, deleted: boolean): EntryTable {
  const directory = new Directory(volume, inode);
  const builder = new EntryTableBuilder('utf-8');
  for (const part of directory.blocks()) {
    const records = walkRecords(part.bytes, directory.rules, part.role, deleted);
    directory.check(part, records);
    for (const record of records) {
      if (record.state !== 'live' && record.state !== 'deleted') continue;
      if (isDots(record.name)) continue;
      builder.add({
        name: record.name,
        node: record.inode,
        number: record.inode,
        type: typeOf(volume, record),
        deleted: record.state === 'deleted',
        offset: part.place + record.offset,
      });
    }
  }
  return builder.build(directory.problems.list);
}

/** `.` and `..` lead nowhere that a path could not say better. */
function isDots(name: Uint8Array): boolean {
  return name[0] === 0x2e && (name.length === 1 || (name.length === 2 && name[1] === 0x2e));
}

/** What the record says, or where it says nothing, the inode. */
function typeOf(volume: ExtVolume, record: DirectoryRecord): NodeType {
  const type = nodeTypesByRecord[record.fileType] ?? 'unknown';
  if (type !== 'unknown') return type;
  try {
    return readInode(volume, record.inode).type;
  } catch (error) {
    if (error instanceof ImageError) return 'unknown';
    throw error;
  }
}
