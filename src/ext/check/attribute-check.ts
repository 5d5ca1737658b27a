import { attributeEntry, attributeBlockHeader, attributeMagic } from '../attributes';
import { attributeBlockChecksum } from '../checksums';
import { inodeFlags, inodeStructure } from '../inode';
import { readBlock } from '../volume';
import { bytesOf } from '../volume-writer';
import type { CheckContext } from './context';
import type { InodeCursor } from './inode-cursor';
import type { ProblemCode } from './problem-table';
import type { InodeTableReader } from './table-reader';

const goodOldSize = 128;
const magicSize = 4;
const systemIndex = 7;
const encryptionIndex = 9;
const checksumAt = 16;
const bytesPerBlock = 200; // of memory, about, for what is known of a block

/** A place where attributes lie: entries from the front, values from the back. */
interface Room {
  readonly view: DataView;
  /** Where the room starts in the view. */
  readonly at: number;
  readonly length: number;
  /** In the image, in bytes. */
  readonly place: number;
  /** Where entries start, from the start of the room. */
  readonly first: number;
  /** What offsets of values are counted from, from the start of the room. */
  readonly base: number;
  readonly isBlock: boolean;
}

/** What attributes cost their inode. */
export interface AttributeCost {
  /** Clusters of values that lie in inodes of their own. */
  readonly clusters: number;
  /** Length of the value of `system.data`; -1 where there is none. */
  readonly inlineLength: number;
  /** Whether one of them says how content and names are encrypted. */
  readonly hasPolicy: boolean;
}

export const noCosts: AttributeCost = { clusters: 0, inlineLength: -1, hasPolicy: false };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface SeenBlock {
  uses: number;
  readonly claimed: number;
  readonly cost: AttributeCost;
  readonly place: number;
  readonly inode: number;
}

/** Checks the attributes of inodes, in the inode and in blocks that inodes share. */
export class AttributeCheck {
  private readonly seen = new Map<number, SeenBlock>();

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {}

  /** The attributes behind the fields of an inode. */
  inInode(inode: InodeCursor): AttributeCost {
    const { inodeSize } = this.context.volume.geometry;
    const extra = inode.u16(goodOldSize);
    const start = goodOldSize + extra;
    if (start + magicSize >= inodeSize || inode.u32(start) !== attributeMagic) return noCosts;
    const cost = { ...noCosts };
    const room = {
      view: inode.view,
      at: inode.at + start,
      length: inodeSize - start,
      place: inode.place + start,
      first: magicSize,
      base: magicSize,
      isBlock: false,
    };
    this.entries(inode, room, cost);
    return cost;
  }

  /**
   * The block of attributes of an inode.
   * @returns what counts for the inode: the block and what its values take elsewhere
   */
  inBlock(inode: InodeCursor, block: number): AttributeCost {
    const known = this.seen.get(block);
    if (known) {
      known.uses += 1;
      return known.cost;
    }
    const { volume, report, claims } = this.context;
    const view = readBlock(volume, block);
    const place = inode.imageOffset(block);
    const header = attributeBlockHeader.read(view, 0);
    const cost = { ...noCosts };
    const add = (code: ProblemCode, what: string, at: number, length: number) =>
      report.add(code, `The attribute block ${block} of inode ${inode.number} ${what}.`, {
        offset: place + at,
        length,
        inode: inode.number,
      });
    if (header.h_magic !== attributeMagic) {
      add('ext-attribute-block-magic', 'does not start like one', 0, 4);
    } else if (header.h_blocks !== 1) {
      add('ext-attribute-block-header', `claims ${header.h_blocks} blocks`, 8, 4);
    } else {
      const length = view.byteLength;
      const first = attributeBlockHeader.size;
      const room = { view, at: 0, length, place, first, base: 0, isBlock: true };
      const isFine = this.entries(inode, room, cost);
      if (isFine && !this.blockMatches(view, block, header.h_checksum)) {
        add('ext-attribute-checksum', 'has a checksum that does not match', checksumAt, 4);
      }
    }
    claims.claim(block, 1);
    cost.clusters += 1;
    this.context.memory.take(bytesPerBlock);
    const facts = { uses: 1, claimed: header.h_refcount, cost, place, inode: inode.number };
    this.seen.set(block, facts);
    return cost;
  }

  /** Compares how often blocks are used with how often they say. Called once, at the end. */
  finish(): void {
    for (const [block, { uses, claimed, place, inode }] of this.seen) {
      if (uses === claimed) continue;
      const message = `The attribute block ${block} is used by ${uses} inodes, but says ${claimed}.`;
      const field = 'attribute block.h_refcount';
      this.context.report.add('ext-attribute-refcount', message, {
        offset: place + 4,
        length: 4,
        inode,
        field,
      });
    }
  }

  /** The entries of a room, up to the first that is wrong. @returns whether none is */
  private entries(inode: InodeCursor, room: Room, cost: Writable<AttributeCost>): boolean {
    const used = new Uint8Array(room.length);
    used.fill(1, 0, room.first);
    let left = room.length - room.first;
    let at = room.first;
    const entryAt = () => room.at + at;
    // Four zero bytes end the entries; in an inode, the end of the room does so too.
    const lastStart = room.isBlock ? room.length - 1 : room.length - attributeEntry.size;
    while (at <= lastStart && left >= attributeEntry.size) {
      if (at + 4 > room.length || room.view.getUint32(entryAt(), true) === 0) break;
      const fail = (code: ProblemCode, what: string) => this.fail(inode, room, at, code, what);
      const nameLength = room.view.getUint8(entryAt());
      const size = (attributeEntry.size + nameLength + 3) & ~3;
      if (!take(used, at, size))
        return fail('ext-attribute-overlap', 'overlaps another or the end');
      const entry = attributeEntry.read(room.view, entryAt());
      left -= size;
      const { e_name_index: kind } = entry;
      if (kind === encryptionIndex && isNamed(room.view, entryAt(), 'c')) cost.hasPolicy = true;
      if (room.isBlock && kind === 0) {
        return fail('ext-attribute-name', 'has no kind of name');
      }
      if (entry.e_value_inum !== 0) {
        const clusters = this.valueInode(inode, room, at);
        if (clusters === null) return false;
        cost.clusters += clusters;
      } else {
        const problem = this.value(room, at, used, left);
        if (problem) return fail(problem.code, problem.what);
        if (!room.isBlock) left -= entry.e_value_size;
        if (kind === systemIndex && isNamed(room.view, entryAt(), 'data')) {
          cost.inlineLength = entry.e_value_size;
        }
      }
      at += size;
    }
    if (at + magicSize <= room.length && take(used, at, magicSize)) return true;
    return this.fail(inode, room, at, 'ext-attribute-overlap', 'leaves no room for the end mark');
  }

  private value(
    room: Room,
    at: number,
    used: Uint8Array,
    left: number,
  ): { code: ProblemCode; what: string } | null {
    const entry = attributeEntry.read(room.view, room.at + at);
    const { e_value_offs: offset, e_value_size: size, e_hash: hash } = entry;
    const tooLong = room.isBlock ? offset + size > room.length : size > left;
    if (tooLong) return { code: 'ext-attribute-value', what: `has a value of ${size} bytes` };
    const start = room.base + offset;
    if (size > 0 && !take(used, start, (size + 3) & ~3)) {
      return { code: 'ext-attribute-overlap', what: 'has a value that overlaps something' };
    }
    if (!room.isBlock && hash === 0) return null; // older inodes have no hashes
    const nameAt = room.at + at + attributeEntry.size;
    const matches = [false, true].some((isSigned) => {
      const name = hashName(room.view, nameAt, entry.e_name_len, isSigned);
      return hashValue(name, room.view, room.at + start, size) === hash;
    });
    return matches ? null : { code: 'ext-attribute-hash', what: 'has a hash that does not match' };
  }

  /** @returns clusters of the value; null where something is wrong with it */
  private valueInode(inode: InodeCursor, room: Room, at: number): number | null {
    const { geometry } = this.context.volume;
    const entry = attributeEntry.read(room.view, room.at + at);
    const number = entry.e_value_inum;
    const fail = (code: ProblemCode, what: string) => {
      this.fail(inode, room, at, code, what);
      return null;
    };
    const raw =
      number >= geometry.firstInode && number <= geometry.inodes ? this.tables.inode(number) : null;
    if (!raw) return fail('ext-attribute-value-inode', `keeps its value in inode ${number}`);
    const { valueReferences } = this.context;
    valueReferences.set(number, (valueReferences.get(number) ?? 0) + 1);
    const value = (name: 'i_flags' | 'i_atime' | 'i_mtime' | 'i_generation') =>
      inodeStructure.fields[name].read(raw, inodeStructure.fields[name].offset);
    const isValue = (value('i_flags') & inodeFlags.largeAttribute) !== 0;
    const nameAt = room.at + at + attributeEntry.size;
    const matches = [false, true].some((isSigned) => {
      const name = hashName(room.view, nameAt, entry.e_name_len, isSigned);
      return mixWord(name, value('i_atime')) === entry.e_hash;
    });
    // As Lustre wrote them: the value's inode names its owner.
    const isLustre =
      value('i_mtime') === inode.number && value('i_generation') === inode.generation;
    if (!matches && !isLustre) {
      if (isValue) return fail('ext-attribute-hash', 'has a hash that does not match');
      return fail(
        'ext-attribute-value-inode',
        `keeps its value in inode ${number}, which holds none`,
      );
    }
    if (!isValue) {
      return fail('ext-attribute-value-inode', `keeps its value in inode ${number}, not marked so`);
    }
    const clusterBytes = geometry.blockSize * geometry.clusterBlocks;
    return matches ? Math.ceil(entry.e_value_size / clusterBytes) : 0;
  }

  private fail(inode: InodeCursor, room: Room, at: number, code: ProblemCode, what: string): false {
    const length = Math.min(attributeEntry.size, Math.max(1, room.length - at));
    const message = `An attribute of inode ${inode.number} ${what}.`;
    this.context.report.add(code, message, {
      offset: room.place + Math.min(at, room.length - 1),
      length,
      inode: inode.number,
    });
    return false;
  }

  /** Made over the number of the block and the block, the checksum itself as zeros. */
  private blockMatches(view: DataView, block: number, checksum: number): boolean {
    const { geometry } = this.context.volume;
    if (!geometry.features.has('metadata_csum')) return true;
    return attributeBlockChecksum(geometry, block, bytesOf(view)) === checksum;
  }
}

/** Marks a range as used. @returns false where it is in use already, or passes the end */
function take(used: Uint8Array, start: number, length: number): boolean {
  const end = start + length;
  if (end > used.length || used.subarray(start, end).includes(1)) return false;
  used.fill(1, start, end);
  return true;
}

function isNamed(view: DataView, entryAt: number, expected: string): boolean {
  const length = view.getUint8(entryAt);
  if (length !== expected.length) return false;
  const start = view.byteOffset + entryAt + attributeEntry.size;
  return new TextDecoder().decode(new Uint8Array(view.buffer, start, length)) === expected;
}

/** `ext4_xattr_hash_entry` of Linux; which sign characters have depends on the machine. */
function hashName(view: DataView, at: number, length: number, isSigned: boolean): number {
  let hash = 0;
  for (let i = 0; i < length; i++) {
    const character = isSigned ? view.getInt8(at + i) : view.getUint8(at + i);
    hash = ((hash << 5) ^ (hash >>> 27) ^ character) >>> 0;
  }
  return hash;
}

function hashValue(nameHash: number, view: DataView, at: number, size: number): number {
  let hash = nameHash;
  const end = at + ((size + 3) & ~3);
  for (let word = at; word < end; word += 4) hash = mixWord(hash, view.getUint32(word, true));
  return hash;
}

function mixWord(hash: number, word: number): number {
  return ((hash << 16) ^ (hash >>> 16) ^ word) >>> 0;
}
