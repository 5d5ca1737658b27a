import { crc32c, inodeSeed } from '../checksums';
import { directoryHash, effectiveHashVersion } from '../directory-hash';
import {
  indexCounts,
  indexEntry,
  indexRoot,
  indexTailSize,
  nodeEntriesAt,
  readEntryBlock,
  recordsBefore,
} from '../htree';
import { inodeFlags } from '../inode';
import { decodeRecordLength, recordMinimum } from '../records';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import type { RecordRoom } from './record-room';
import type { ProblemCode } from './problem-table';

const { size: entrySize } = indexEntry;
const headerLength = 8;
const dotRecord = recordMinimum(1);
const highest = 0xfffffffe;
const sipHash = 6;
const knownVersions = [0, 1, 2, sipHash];
const incompatibleFlag = 1;
const bytesPerBlock = 120; // of memory, about, for what is known of a block
const deepest = 32; // levels that are followed upwards

const types = { none: 0, leaf: 1, node: 2, root: 3 } as const;
const marks = { referenced: 1, again: 2, first: 4, last: 8 } as const;

/** What is known of a block of an indexed directory. */
interface IndexBlockFacts {
  type: number;
  marks: number;
  parent: number;
  /** The hashes that it holds. */
  lowest: number;
  highest: number;
  /** The hashes that the entry which leads to it gives it. */
  from: number;
  to: number;
  place: number;
}

/**
 * Checks the index of one directory while its blocks are read, in the order of the directory:
 * first the fields of root and nodes, at the end whether every block holds the hashes it should.
 */
export class IndexCheck {
  private readonly blocks = new Map<number, IndexBlockFacts>();
  private readonly count: number;
  private levels = 0;
  private version: number | null = null;
  private current: IndexBlockFacts | null = null;
  private isBroken = false;
  private readonly hasTails: boolean;
  private readonly hasHashes: boolean;

  constructor(
    private readonly context: CheckContext,
    private readonly directory: DirectoryFacts,
  ) {
    const { blockSize, features } = context.volume.geometry;
    this.count = Math.max(directory.size / blockSize, this.mapped());
    this.hasTails = features.has('metadata_csum');
    const both = inodeFlags.encrypted | inodeFlags.casefolded;
    this.hasHashes = (directory.flags & both) === both;
    if (features.has('dir_index')) return;
    this.fail(
      'ext-index-unexpected',
      'has an index, which the volume has not',
      directory.place,
      160,
    );
  }

  /** A block comes next; tells whether it holds only names. */
  start(room: RecordRoom): void {
    const { view, bytes, logical } = room;
    const { blockSize } = this.context.volume.geometry;
    const facts = this.facts(logical);
    facts.place = room.place;
    facts.type = types.leaf;
    facts.lowest = 0xffffffff;
    facts.highest = 0;
    this.current = facts;
    if (logical === 0) {
      facts.type = types.root;
      facts.marks |= marks.first | marks.last;
      this.readRoot(room);
    } else {
      const covers =
        view.getUint32(0, true) === 0 &&
        decodeRecordLength(view.getUint16(4, true), blockSize) === blockSize &&
        bytes[6] === 0;
      const room = Math.floor((blockSize - nodeEntriesAt - this.tail) / entrySize);
      if (covers && view.getUint16(nodeEntriesAt, true) === room) facts.type = types.node;
    }
    room.isLeaf = facts.type === types.leaf;
  }

  /** A name in the block that was started last. */
  addName(room: RecordRoom, at: number, nameLength: number): void {
    const { current } = this;
    if (!current || current.type !== types.leaf) return;
    const start = at + headerLength;
    let hash: number;
    if (this.hasHashes) {
      const place = start + ((nameLength + 3) & ~3);
      if (place + 4 > room.bytes.length) return;
      hash = room.view.getUint32(place, true);
    } else {
      // Names that ignore case are sorted by their folded form.
      if (this.version === null || (this.directory.flags & inodeFlags.casefolded) !== 0) return;
      const name = room.bytes.subarray(start, start + nameLength);
      hash = directoryHash(
        name,
        this.version,
        this.context.volume.geometry.values.s_hash_seed,
      ).major;
    }
    if (hash < current.lowest) current.lowest = hash;
    if (hash > current.highest) current.highest = hash;
  }

  /** All records of the block were read: what follows are the entries of the index. */
  finish(room: RecordRoom): void {
    const { current } = this;
    if (!current || current.type === types.leaf || this.isBroken) return;
    const at = this.entriesAt(room);
    const { view } = room;
    if (at + entrySize > view.byteLength) return;
    const { limit, count: claimed } = indexCounts.read(view, at);
    const capacity = Math.floor((view.byteLength - at - this.tail) / entrySize);
    if (limit !== capacity) {
      this.fail(
        'ext-index-counts',
        `says that a node has room for ${limit} entries, not ${capacity}`,
        room.place + at,
        4,
      );
    }
    if (claimed > capacity) {
      this.fail('ext-index-counts', `says that a node has ${claimed} entries`, room.place + at, 4);
    }
    current.lowest = 0xffffffff;
    current.highest = 0;
    let previous = 0;
    const count = Math.min(claimed, capacity);
    for (let i = 0; i < count; i++) {
      const entry = at + i * entrySize;
      const hash = i === 0 ? 0 : (view.getUint32(entry, true) & ~1) >>> 0;
      const block = readEntryBlock(view, entry);
      if (block >= this.count) {
        this.fail(
          'ext-index-block',
          `leads to block ${block}, which the directory has not`,
          room.place + entry,
          entrySize,
        );
        continue;
      }
      if (hash < previous) {
        this.fail('ext-index-order', 'has hashes out of order', room.place + entry, entrySize);
      }
      previous = hash;
      current.lowest = Math.min(current.lowest, hash);
      current.highest = Math.max(current.highest, hash);
      const child = this.facts(block);
      if ((child.marks & marks.referenced) !== 0) child.marks |= marks.again;
      else child.parent = room.logical;
      child.marks |= marks.referenced;
      child.from = hash;
      const isLast = i + 1 === count;
      child.to = isLast ? highest : (view.getUint32(entry + entrySize, true) & ~1) >>> 0;
      if (isLast) child.marks |= marks.last;
      if (i === 0) child.marks |= marks.first;
    }
  }

  /** All blocks were read: whether each lies where the index says, with the hashes it says. */
  conclude(): void {
    this.compareAll();
    this.context.memory.giveBack(this.blocks.size * bytesPerBlock);
  }

  private compareAll(): void {
    const root = this.blocks.get(0);
    if (this.isBroken || root?.type !== types.root) {
      if (!this.isBroken) {
        this.fail(
          'ext-index-root',
          'claims an index, but has no root of one',
          this.directory.place,
          160,
        );
      }
      return;
    }
    root.marks |= (root.marks & marks.referenced) !== 0 ? marks.again : marks.referenced;
    for (const facts of this.blocks.values()) {
      const parent = this.blocks.get(facts.parent);
      if (facts.type !== types.leaf || !parent) continue;
      if ((facts.marks & marks.first) !== 0) parent.lowest = facts.lowest;
      if ((facts.marks & marks.last) !== 0) parent.highest = facts.highest;
    }
    for (const [logical, facts] of this.blocks)
      if (facts.type !== types.none) this.compare(logical, facts);
  }

  /** The checksum of a root or node, over the entries in use and the tail. */
  verify(room: RecordRoom): void {
    const at = this.entriesAt(room);
    const { view, bytes } = room;
    if (at + entrySize > view.byteLength) return;
    const { limit, count } = indexCounts.read(view, at);
    const tailAt = at + limit * entrySize;
    if (tailAt + indexTailSize > view.byteLength || count > limit) return; // its counts are reported
    const used = at + count * entrySize;
    const { geometry } = this.context.volume;
    let checksum = inodeSeed(geometry, this.directory.number, this.directory.generation);
    checksum = crc32c(checksum, bytes.subarray(0, used));
    checksum = crc32c(checksum, bytes.subarray(tailAt, tailAt + 4));
    checksum = crc32c(checksum, new Uint8Array(4));
    const matches = checksum === view.getUint32(tailAt + 4, true);
    if (matches && this.coversIndex(room)) return;
    this.fail(
      'ext-index-checksum',
      'has an index node with a checksum that does not match',
      room.place + tailAt,
      indexTailSize,
    );
  }

  /** Drivers look for the checksum of a root only where its two records say what they must. */
  private coversIndex({ view, logical }: RecordRoom): boolean {
    if (logical !== 0) return true;
    const { blockSize } = this.context.volume.geometry;
    const lengthAt = (record: number) =>
      decodeRecordLength(view.getUint16(record + 4, true), blockSize);
    const { info_length } = indexRoot.read(view, recordsBefore);
    return (
      lengthAt(0) === dotRecord &&
      lengthAt(dotRecord) === blockSize - dotRecord &&
      info_length === indexRoot.size
    );
  }

  private get tail(): number {
    return this.hasTails ? indexTailSize : 0;
  }

  private entriesAt({ view, logical }: RecordRoom): number {
    return logical === 0 ? recordsBefore + view.getUint8(recordsBefore + 5) : nodeEntriesAt;
  }

  private readRoot({ view, place }: RecordRoom): void {
    const info = indexRoot.read(view, recordsBefore);
    const { features } = this.context.volume.geometry;
    const mostLevels = features.has('large_dir') ? 3 : 2;
    const complaint =
      info.reserved_zero !== 0 || info.info_length < indexRoot.size
        ? 'does not start like one'
        : info.indirect_levels >= mostLevels
          ? `claims ${info.indirect_levels} levels`
          : !knownVersions.includes(info.hash_version)
            ? `names the hash ${info.hash_version}, which is not known`
            : (info.hash_version === sipHash) !== this.hasHashes
              ? 'names a hash that its directory cannot have'
              : (info.unused_flags & incompatibleFlag) !== 0
                ? 'has a flag that is not known'
                : null;
    if (complaint !== null) {
      this.isBroken = true;
      this.fail(
        'ext-index-root',
        `has an index whose root ${complaint}`,
        place + recordsBefore,
        indexRoot.size,
      );
    }
    this.levels = info.indirect_levels + 1;
    this.version = effectiveHashVersion(this.context.volume.geometry, info.hash_version);
  }

  private compare(logical: number, facts: IndexBlockFacts): void {
    const fail = (code: ProblemCode, what: string) =>
      this.fail(
        code,
        `${what} (block ${logical})`,
        facts.place,
        this.context.volume.geometry.blockSize,
      );
    if ((facts.marks & marks.first) === 0 && facts.lowest < facts.from) {
      fail('ext-index-hashes', 'has a block with hashes below those that the index says');
    }
    if (facts.type === types.leaf && this.depthOf(facts) !== this.levels) {
      fail('ext-index-depth', 'has a block that is not as deep in the index as the others');
    }
    if (logical !== 0 && facts.highest > facts.to) {
      fail('ext-index-hashes', 'has a block with hashes above those that the index says');
    }
    if ((facts.marks & marks.referenced) === 0) {
      fail('ext-index-unreferenced', 'has a block that the index does not lead to');
    } else if ((facts.marks & marks.again) !== 0) {
      fail('ext-index-repeated', 'has a block that the index leads to more than once');
    }
  }

  private depthOf(facts: IndexBlockFacts): number {
    let depth = 0;
    for (let at = facts; at.type !== types.root && depth < deepest; depth++) {
      const parent = this.blocks.get(at.parent);
      if (!parent) return depth;
      at = parent;
    }
    return depth;
  }

  private facts(logical: number): IndexBlockFacts {
    const known = this.blocks.get(logical);
    if (known) return known;
    this.context.memory.take(bytesPerBlock);
    const facts = {
      type: 0,
      marks: 0,
      parent: 0,
      lowest: 0xffffffff,
      highest: 0,
      from: 0,
      to: 0,
      place: 0,
    };
    this.blocks.set(logical, facts);
    return facts;
  }

  /** Blocks up to the last one that the mapping has. */
  private mapped(): number {
    if (this.directory.endRun === this.directory.firstRun) return 0;
    const { logical, length } = this.context.directories.run(this.directory.endRun - 1);
    return logical + length;
  }

  private fail(code: ProblemCode, what: string, offset: number, length: number): void {
    const message = `Directory inode ${this.directory.number} ${what}.`;
    this.context.report.add(code, message, { offset, length, inode: this.directory.number });
  }
}
