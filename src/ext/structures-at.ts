import type { Owner, Ownership } from '../filesystem/ownership';
import type { DescribedStructure } from '../filesystem/structure';
import { ImageError } from '../image/errors';
import { attributeEntry, attributeMagic, readAttributeBlock } from './attributes';
import { describeRecords } from './describe-directory';
import {
  describeAttributeBlock,
  describeMapBlock,
  describeNode,
  describeProtection,
  describeSuperblock,
  plainStructure,
} from './describe';
import { describeJournalBlock } from './describe-journal';
import { Directory } from './directory';
import { extentHeader, extentMagic } from './extent-node';
import { describeDescriptor, firstGroupInBlock } from './groups';
import { readInode } from './inode';
import { openJournalFile, type JournalFile } from './journal-file';
import { nameOf, type MetadataRun, type MetadataTable } from './metadata';
import { Problems } from './problems';
import { walkRecords, type BlockRecord, type RecordRules } from './records';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** What is asked at a time is what a hex view shows; a larger range is cut. */
const mostBlocks = 256;
const mostStructures = 4096;

/**
 * The structures that cover a range of the image, in the order of their blocks, the outermost
 * first. Blocks that belong to files are told by their owner where owners are known, and by
 * what they start with where not.
 * @param offset in the image, in bytes, as is `length`
 */
export function structuresAt(
  volume: ExtVolume,
  metadata: MetadataTable,
  owners: Ownership | undefined,
  offset: number,
  length: number,
): DescribedStructure[] {
  if (length <= 0) return [];
  const { blockSize, blocks } = volume.geometry;
  const start = offset - volume.bytes.offset;
  const first = Math.max(0, Math.floor(start / blockSize));
  const last = Math.min(Math.ceil((start + length) / blockSize), blocks, first + mostBlocks);
  const looker = new BlockLooker(volume, metadata, owners, offset, offset + length);
  for (let block = first; block < last && looker.found.length < mostStructures; block++) {
    looker.look(block);
  }
  return looker.found.slice(0, mostStructures);
}

class BlockLooker {
  readonly found: DescribedStructure[] = [];
  private journal: JournalFile | null | undefined;

  /** @param from and `to` bound what is looked for, in bytes of the image */
  constructor(
    private readonly volume: ExtVolume,
    private readonly metadata: MetadataTable,
    private readonly owners: Ownership | undefined,
    private readonly from: number,
    private readonly to: number,
  ) {}

  look(block: number): void {
    const runs = this.metadata.at(block);
    for (const run of runs) this.lookAtMetadata(block, run);
    if (runs.length > 0) return;
    const owner = this.owners?.at(block);
    if (owner?.node === undefined) this.guess(block);
    else this.lookAtOwned(block, owner, owner.node);
  }

  /** Keeps what covers the range, and once only what covers several blocks of it. */
  private add(...structures: (DescribedStructure | null)[]): void {
    for (const structure of structures) {
      if (!structure || structure.offset >= this.to) continue;
      if (structure.offset + structure.length <= this.from) continue;
      const { kind, offset } = structure;
      if (this.found.some((known) => known.kind === kind && known.offset === offset)) continue;
      this.found.push(structure);
    }
  }

  private lookAtMetadata(block: number, run: MetadataRun): void {
    const { volume } = this;
    switch (run.kind) {
      case 'superblock':
        this.add(describeSuperblock(volume, run.group));
        break;
      case 'descriptors':
        this.lookAtDescriptors(block, run);
        break;
      case 'inode table':
        this.lookAtInodes(block, run);
        break;
      case 'protection':
        this.add(describeProtection(volume));
        break;
      default: {
        const length = run.length * volume.geometry.blockSize;
        this.add(plainStructure(run.kind, nameOf(run), imageOffset(volume, run.start), length));
        this.lookAtReserve(block, run);
      }
    }
  }

  /** The room for more descriptors holds pointers of the resize inode to its own copies. */
  private lookAtReserve(block: number, run: MetadataRun): void {
    if (run.kind !== 'reserved descriptors' || run.group !== 0) return;
    if (!this.volume.geometry.features.has('resize_inode')) return;
    this.add(describeMapBlock(this.volume, block, false));
  }

  private lookAtDescriptors(block: number, run: MetadataRun): void {
    const { bytes, geometry } = this.volume;
    const { blockSize, descriptorSize, groups } = geometry;
    const first = firstGroupInBlock(geometry, run.group, block - run.start);
    const copy = run.group === 0 ? '' : `, copy in group ${run.group}`;
    for (let at = 0; at < blockSize; at += descriptorSize) {
      const group = first + at / descriptorSize;
      const place = imageOffset(this.volume, block) + at;
      if (group >= groups || place >= this.to) break;
      if (place + descriptorSize <= this.from) continue;
      this.add(describeDescriptor(bytes, geometry, block * blockSize + at, group, copy));
    }
  }

  private lookAtInodes(block: number, run: MetadataRun): void {
    const { blockSize, inodeSize, inodesPerGroup, inodes } = this.volume.geometry;
    const place = imageOffset(this.volume, block);
    const firstInBlock = ((block - run.start) * blockSize) / inodeSize;
    for (let i = 0; i < blockSize / inodeSize; i++) {
      const at = place + i * inodeSize;
      if (at >= this.to) break;
      const index = firstInBlock + i;
      const number = run.group * inodesPerGroup + index + 1;
      if (at + inodeSize <= this.from || index >= inodesPerGroup || number > inodes) continue;
      this.add(...describeNode(this.volume, readInode(this.volume, number)));
    }
  }

  private lookAtOwned(block: number, owner: Owner, node: number): void {
    switch (owner.role) {
      case 'directory':
        this.lookAtDirectory(block, node);
        break;
      case 'mapping':
        this.add(
          describeMapBlock(this.volume, block, this.startsExtents(readBlock(this.volume, block))),
        );
        break;
      case 'attributes':
        this.lookAtAttributes(block);
        break;
      case 'journal':
        this.lookAtJournal(block);
        break;
    }
  }

  private lookAtDirectory(block: number, node: number): void {
    const directory = new Directory(this.volume, readInode(this.volume, node));
    for (const part of directory.parts()) {
      if (part.block !== block) continue;
      const name = `block ${part.logical} of directory inode ${node}`;
      this.addRecords(block, name, directory.records(part, true), directory.rules);
      return;
    }
  }

  private addRecords(
    block: number,
    name: string,
    records: readonly BlockRecord[],
    rules: RecordRules,
  ): void {
    const place = imageOffset(this.volume, block);
    const bytes = new Uint8Array(readBlock(this.volume, block).buffer);
    this.add(plainStructure('directory block', name, place, bytes.length));
    this.add(...describeRecords(bytes, place, records, rules.hasFileType));
  }

  private lookAtAttributes(block: number): void {
    this.add(describeAttributeBlock(this.volume, block));
    for (const { name, place, entry } of readAttributeBlock(this.volume, block, new Problems(0))) {
      this.add(attributeEntry.describe(entry, name, place));
    }
  }

  /** @returns whether the block is the journal's */
  private lookAtJournal(block: number): boolean {
    this.journal ??= tryOpenJournal(this.volume);
    const index = this.journal?.indexOf(block) ?? -1;
    if (!this.journal || index < 0) return false;
    this.add(describeJournalBlock(this.journal, index));
    return true;
  }

  /** A block of which nobody knows whose it is, by what it starts with. */
  private guess(block: number): void {
    const view = readBlock(this.volume, block);
    if (this.lookAtJournal(block)) return;
    if (this.startsExtents(view)) this.add(describeMapBlock(this.volume, block, true));
    else if (view.getUint32(0, true) === attributeMagic) this.lookAtAttributes(block);
    else this.guessDirectory(block, view);
  }

  private startsExtents(view: DataView): boolean {
    const { eh_magic, eh_entries, eh_max } = extentHeader.read(view);
    return eh_magic === extentMagic && eh_entries <= eh_max && eh_max * 12 < view.byteLength;
  }

  /** Records from end to end with a name among them are hardly anything else. */
  private guessDirectory(block: number, view: DataView): void {
    const { geometry } = this.volume;
    const rules: RecordRules = {
      blockSize: geometry.blockSize,
      hasFileType: geometry.features.has('filetype'),
      inodes: geometry.inodes,
      hasHash: false,
    };
    const records = walkRecords(new Uint8Array(view.buffer), rules, 'linear', false);
    if (records.some(({ state }) => state === 'broken')) return;
    if (!records.some(({ state }) => state === 'live')) return;
    this.addRecords(block, `what reads like a directory in block ${block}`, records, rules);
  }
}

function tryOpenJournal(volume: ExtVolume): JournalFile | null {
  if (!volume.geometry.features.has('has_journal')) return null;
  try {
    return openJournalFile(volume);
  } catch (error) {
    if (error instanceof ImageError) return null;
    throw error;
  }
}
