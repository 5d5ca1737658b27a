import { EntryTableBuilder, type EntryTable } from '../filesystem/entry-table';
import { findExtent, type Extent } from '../filesystem/extents';
import type { NodeType } from '../filesystem/node';
import { readBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { crc32c, inodeSeed } from './checksums';
import { readMapping } from './content';
import { readDirectoryIndex, type DirectoryIndex, type IndexSource } from './htree';
import { readInlineDirectory } from './inline-data';
import { inodeFlags, readInode, type Inode } from './inode';
import { Problems } from './problems';
import {
  isDots,
  nodeTypesByRecord,
  walkRecords,
  type BlockRole,
  type BlockRecord,
  type RecordRules,
} from './records';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** A part of a directory with a chain of records of its own. */
export interface DirectoryPart {
  /** Block of the volume; null for what is kept in the inode. */
  readonly block: number | null;
  /** Block of the directory, from 0. */
  readonly logical: number;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
  /** In bytes. */
  readonly length: number;
  readonly role: BlockRole;
}

/** A directory whose parts are looked at one by one. */
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
   * Every part with records. A block that the directory claims twice is a part once, so all parts
   * together are never more than the volume.
   */
  *parts(): Generator<DirectoryPart> {
    if (this.inode.has(inodeFlags.inlineData)) {
      let logical = 0;
      for (const { bytes, place } of readInlineDirectory(this.inode, this.problems)) {
        yield { block: null, logical, place, length: bytes.length, role: 'linear' };
        logical += 1;
      }
      return;
    }
    const length = this.volume.geometry.blockSize;
    const end = Math.ceil(this.inode.size / length);
    const seen = new Set<number>();
    for (const extent of this.extents) {
      if (extent.unwritten) continue;
      for (let i = 0; i < extent.length && extent.logical + i < end; i++) {
        const logical = extent.logical + i;
        const block = extent.physical + i;
        const place = imageOffset(this.volume, block);
        if (seen.has(block)) {
          const message = `Directory inode ${this.inode.number} has block ${block} twice.`;
          this.problems.error('directory-block-repeated', message, place, length);
          continue;
        }
        seen.add(block);
        yield { block, logical, place, length, role: this.roleOf(logical) };
      }
    }
  }

  /** The records of a part; with `leftovers` also what no driver sees. */
  records(part: DirectoryPart, leftovers: boolean): BlockRecord[] {
    const offset = part.place - this.volume.bytes.offset;
    const bytes = readBytes(this.volume.bytes, offset, part.length);
    const records = walkRecords(bytes, this.rules, part.role, leftovers);
    const tail = records.at(-1);
    if (tail?.state === 'tail' && !this.checksumMatches(bytes, tail.offset)) {
      records[records.length - 1] = { ...tail, problem: 'its checksum does not match' };
    }
    return records;
  }

  /** The checksum in the last four bytes of the tail is made over all before it. */
  private checksumMatches(bytes: Uint8Array, tailAt: number): boolean {
    const { geometry } = this.volume;
    if (!geometry.features.has('metadata_csum')) return true;
    const seed = inodeSeed(geometry, this.inode.number, this.inode.generation);
    const checksum = new DataView(bytes.buffer).getUint32(tailAt + 8, true);
    return crc32c(seed, bytes.subarray(0, tailAt)) === checksum;
  }

  private roleOf(logical: number): BlockRole {
    if (!this.index?.interior.has(logical)) return 'linear';
    return logical === 0 ? 'htree-root' : 'htree-node';
  }

  private readIndex(): DirectoryIndex | null {
    const { features, blockSize } = this.volume.geometry;
    if (!this.inode.has(inodeFlags.indexedDirectory) || !features.has('dir_index')) return null;
    if (this.inode.has(inodeFlags.inlineData)) return null;
    const source: IndexSource = {
      blocks: Math.ceil(this.inode.size / blockSize),
      hasChecksums: features.has('metadata_csum'),
      read: (logical) => {
        const block = this.blockOf(logical);
        if (block === null) return null;
        return { view: readBlock(this.volume, block), place: imageOffset(this.volume, block) };
      },
      checksumMatches: (checked, checksum) => {
        const { number, generation } = this.inode;
        return crc32c(inodeSeed(this.volume.geometry, number, generation), checked) === checksum;
      },
    };
    const index = readDirectoryIndex(source, this.problems);
    if (!index) {
      const message = `Directory inode ${this.inode.number} claims an index but has no root of one.`;
      this.problems.error('directory-index', message, this.inode.place, this.inode.raw.length);
    }
    return index;
  }

  /** The block of the volume that holds a block of the directory, null where it has none. */
  private blockOf(logical: number): number | null {
    const extent = this.extents[findExtent(this.extents, logical)];
    if (!extent || extent.logical > logical || extent.unwritten) return null;
    return extent.physical + logical - extent.logical;
  }
}

/**
 * The names in a directory, in the order of the disk.
 * @param deleted also those that survive in slack; not the remains of names that only moved,
 *   which splitting a block of an index leaves behind
 */
export function readEntries(volume: ExtVolume, inode: Inode, deleted: boolean): EntryTable {
  const directory = new Directory(volume, inode);
  const builder = new EntryTableBuilder('utf-8');
  const found: { part: DirectoryPart; record: BlockRecord }[] = [];
  for (const part of directory.parts()) {
    for (const record of directory.records(part, deleted)) {
      if (record.problem) reportRecord(directory, part, record);
      if (isDots(record.name)) continue; // they lead nowhere that a path could not say better
      if (record.state === 'live' || (record.state === 'deleted' && deleted)) {
        found.push({ part, record });
      }
    }
  }
  const records = found.map(({ record }) => record);
  const moved = new Set(remainsOfMoved(records));
  for (const { part, record } of found) {
    if (moved.has(record)) continue;
    builder.add({
      name: record.name,
      node: record.inode,
      number: record.inode,
      type: typeOf(volume, record),
      deleted: record.state === 'deleted',
      offset: part.place + record.offset,
    });
  }
  return builder.build(directory.problems.list);
}

/** Deleted records with a live one of the same name and inode. */
function remainsOfMoved(records: readonly BlockRecord[]): BlockRecord[] {
  const deleted = records.filter(({ state }) => state === 'deleted');
  const inodes = new Set(deleted.map(({ inode }) => inode));
  const live = new Set(
    records.filter(({ state, inode }) => state === 'live' && inodes.has(inode)).map(keyOf),
  );
  return deleted.filter((record) => live.has(keyOf(record)));
}

const byteDecoder = new TextDecoder('latin1');

function keyOf({ inode, name }: BlockRecord): string {
  return `${inode} ${byteDecoder.decode(name)}`;
}

function reportRecord(directory: Directory, part: DirectoryPart, record: BlockRecord): void {
  const isTail = record.state === 'tail';
  directory.problems.error(
    isTail ? 'directory-checksum' : 'directory-record',
    `A ${isTail ? 'checksum' : 'record'} of directory inode ${directory.inode.number} is broken: ` +
      `${record.problem}.`,
    part.place + record.offset,
    Math.min(record.length, part.length - record.offset),
  );
}

/** What the record says, or where it says nothing, the inode. */
function typeOf(volume: ExtVolume, record: BlockRecord): NodeType {
  const type = nodeTypesByRecord[record.fileType] ?? 'unknown';
  if (type !== 'unknown') return type;
  try {
    return readInode(volume, record.inode).type;
  } catch (error) {
    if (error instanceof ImageError) return 'unknown';
    throw error;
  }
}
