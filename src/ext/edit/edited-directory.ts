import { ImageError } from '../../image/errors';
import { Directory, type DirectoryPart } from '../directory';
import { directoryHash, effectiveHashVersion } from '../directory-hash';
import { iBlockOf, inodeFlags, inodeStructure, readInode } from '../inode';
import {
  editPart,
  insertInto,
  removeFrom,
  roomIn,
  sameBytes,
  writeChain,
  type NewRecord,
} from '../record-writer';
import {
  isDots,
  recordMinimum,
  type BlockRecord,
  type BlockRole,
  type RecordRules,
} from '../records';
import { imageOffset, readBlock, type ExtVolume } from '../volume';
import { bytesOf, type VolumeWriter } from '../volume-writer';
import { IndexWriter, sealNode, startNode, startRoot, type IndexedBlocks } from './index-writer';

/** Gives directories blocks. */
export interface DirectoryGrowth {
  /**
   * Adds a block at the end of a directory, with all that has to follow in its inode.
   * @returns where it lies: its number in the directory and in the volume
   */
  append(directory: number): { readonly logical: number; readonly block: number };
}

/** A record, where it lies, and the one before it in its block. */
export interface FoundRecord {
  readonly logical: number;
  readonly record: BlockRecord;
  readonly before: BlockRecord | undefined;
}

interface PartState {
  readonly part: DirectoryPart;
  /** The longest record that it has room for, in bytes; 0 where it holds no names. */
  room: number;
}

/** Beyond so many names it is not kept where each lies: they are searched for. */
const mostPlaces = 500_000;

const dot = Uint8Array.of(0x2e);
const dotDot = Uint8Array.of(0x2e, 0x2e);
const keyDecoder = new TextDecoder('latin1');

/**
 * A directory whose names are changed. It is read through once; from then on no one else may
 * change it.
 */
export class EditedDirectory {
  readonly number: number;
  private readonly volume: ExtVolume;
  private readonly directory: Directory;
  private readonly parts = new Map<number, PartState>();
  /** The part in which each name lies; null where there are too many, or one is there twice. */
  private places: Map<string, number> | null = new Map();
  private isIndexed: boolean;
  /** Why no name can be added, as a clause. */
  private broken: string | null = null;

  /**
   * @param notes is told when the directory loses its index
   * @throws ImageError `not-a-directory`; `not-found` and `corrupt` as `readInode`
   */
  constructor(
    private readonly writer: VolumeWriter,
    number: number,
    private readonly growth: DirectoryGrowth,
    private readonly notes: string[],
  ) {
    this.number = number;
    this.volume = writer.volume;
    this.directory = new Directory(writer.volume, readInode(writer.volume, number));
    this.isIndexed =
      this.directory.inode.has(inodeFlags.indexedDirectory) &&
      this.volume.geometry.features.has('dir_index');
    for (const part of this.directory.parts()) this.load(part);
    const [problem] = this.directory.problems.list.filter(({ code }) => code !== 'directory-index');
    if (problem) this.broken = problem.message;
  }

  /** Kept in its inode, which tells the parent in place of `.` and `..`. */
  private get isInline(): boolean {
    return this.directory.inode.has(inodeFlags.inlineData);
  }

  private get rules(): RecordRules {
    return this.directory.rules;
  }

  /** @param inode where the name has to lead to; anywhere when it is left out */
  find(name: Uint8Array, inode?: number): FoundRecord | null {
    if (this.places) {
      const place = this.places.get(keyOf(name));
      return place === undefined ? null : this.findIn(place, name, inode);
    }
    for (const logical of this.parts.keys()) {
      const found = this.findIn(logical, name, inode);
      if (found) return found;
    }
    return null;
  }

  /**
   * Adds a name: through the index where there is one, else where there is room, else in a block
   * of its own.
   * @throws ImageError `exists`; `corrupt` where it cannot be told which names are there
   */
  add(record: NewRecord): void {
    if (this.broken !== null) {
      const message = `No name can be added to directory inode ${this.number}: ${this.broken}`;
      throw new ImageError('corrupt', message);
    }
    if (this.find(record.name)) {
      throw new ImageError(
        'exists',
        `“${new TextDecoder().decode(record.name)}” is there already.`,
      );
    }
    if (this.isIndexed && this.addThroughIndex(record)) return;
    if (this.addWhereRoomIs(record)) return;
    if (this.canBeIndexed) {
      this.makeIndexed();
      if (this.addThroughIndex(record)) return;
    }
    this.appendPart('linear', [record]);
  }

  /** Whether it keeps its names in its inode, and has no room there for another one. */
  isFull(record: NewRecord): boolean {
    if (!this.isInline) return false;
    const needed = this.neededFor(record);
    return ![...this.parts.values()].some(({ room }) => room >= needed);
  }

  /** All names but `.` and `..`. */
  get entries(): NewRecord[] {
    return [...this.parts.keys()].flatMap((logical) => this.records(logical).filter(isEntry));
  }

  /** Removes a record that was found. */
  remove({ logical, record, before }: FoundRecord): void {
    const state = this.state(logical);
    editPart(this.writer, this.directory.inode, state.part, (view) =>
      removeFrom(view, record, before, this.rules),
    );
    this.places?.delete(keyOf(record.name));
    this.updateRoom(logical);
  }

  /** Makes `..` lead to another directory. */
  setParent(parent: number): void {
    if (this.isInline) {
      this.writer.editInode(this.number, (raw) => iBlockOf(raw).setUint32(0, parent, true));
      return;
    }
    const found = this.find(dotDot);
    if (!found) {
      throw new ImageError('corrupt', `Directory inode ${this.number} has no “..”.`);
    }
    this.edit(found.logical, (view) => view.setUint32(found.record.offset, parent, true));
  }

  /** Where `..` leads to; null where there is none. */
  get parent(): number | null {
    if (this.isInline) {
      return iBlockOf(readInode(this.volume, this.number).view).getUint32(0, true);
    }
    return this.find(dotDot)?.record.inode ?? null;
  }

  /** True where it holds nothing but `.` and `..`. @throws ImageError `corrupt` when unclear */
  get isEmpty(): boolean {
    if (this.broken !== null) {
      const message = `It cannot be told what directory inode ${this.number} holds: ${this.broken}`;
      throw new ImageError('corrupt', message);
    }
    for (const logical of this.parts.keys()) {
      if (this.records(logical).some(isEntry)) return false;
    }
    return true;
  }

  /** Gives a new directory its first block. @param fileType as records hold it */
  start(parent: number, fileType: number): void {
    this.appendPart('linear', [
      { inode: this.number, name: dot, fileType },
      { inode: parent, name: dotDot, fileType },
    ]);
  }

  /** Forgets the index: the blocks of it read as blocks without names. */
  dropIndex(): void {
    if (!this.isIndexed) return;
    this.isIndexed = false;
    this.setFlag(false);
    for (const [logical, { part }] of [...this.parts]) {
      if (part.role === 'linear') continue;
      const kept = part.role === 'htree-root' ? this.records(logical).slice(0, 2) : [];
      this.setRole(logical, 'linear');
      this.rewrite(logical, kept);
    }
  }

  private load(part: DirectoryPart): void {
    const state: PartState = { part, room: 0 };
    this.parts.set(part.logical, state);
    const records = this.directory.records(part, false);
    const bad = records.find((record) => record.state === 'broken');
    if (bad) {
      this.broken ??= `a record of it is broken, ${bad.problem ?? 'its chain ends early'}.`;
    }
    if (records.some(({ state, name }) => state === 'live' && this.places?.has(keyOf(name)))) {
      this.places = null;
    }
    for (const { name } of records.filter(isLive)) this.setPlace(name, part.logical);
    if (part.role === 'linear') state.room = roomIn(records);
  }

  private setPlace(name: Uint8Array, logical: number): void {
    this.places?.set(keyOf(name), logical);
    if (this.places && this.places.size > mostPlaces) this.places = null;
  }

  private updateRoom(logical: number): void {
    const state = this.state(logical);
    state.room = state.part.role === 'linear' ? roomIn(this.records(logical)) : 0;
  }

  private findIn(logical: number, name: Uint8Array, inode?: number): FoundRecord | null {
    let before: BlockRecord | undefined;
    for (const record of this.records(logical)) {
      const leadsThere = inode === undefined || record.inode === inode;
      if (record.state === 'live' && leadsThere && sameBytes(record.name, name)) {
        return { logical, record, before };
      }
      before = record;
    }
    return null;
  }

  private records(logical: number): BlockRecord[] {
    return this.directory.records(this.state(logical).part, false);
  }

  private state(logical: number): PartState {
    const state = this.parts.get(logical);
    if (state) return state;
    throw new ImageError('corrupt', `Directory inode ${this.number} has no block ${logical}.`);
  }

  private addWhereRoomIs(record: NewRecord): boolean {
    const needed = this.neededFor(record);
    for (const [logical, { room }] of this.parts) {
      if (room >= needed && this.insert(logical, record)) return true;
    }
    return false;
  }

  private neededFor({ name }: NewRecord): number {
    return recordMinimum(name.length + (this.rules.hasHash ? 8 : 0));
  }

  /** @returns false where the part has no room */
  private insert(logical: number, record: NewRecord): boolean {
    const state = this.state(logical);
    if (state.room < this.neededFor(record)) return false;
    const records = this.records(logical);
    editPart(this.writer, this.directory.inode, state.part, (view) => {
      insertInto(view, records, record, this.rules);
    });
    this.setPlace(record.name, logical);
    this.updateRoom(logical);
    return true;
  }

  private appendPart(role: BlockRole, records: readonly NewRecord[]): number {
    const { logical, block } = this.growth.append(this.number);
    const { blockSize } = this.volume.geometry;
    const place = imageOffset(this.volume, block);
    const part: DirectoryPart = { block, logical, place, length: blockSize, role };
    this.parts.set(logical, { part, room: 0 });
    this.rewrite(logical, records);
    return logical;
  }

  private rewrite(logical: number, records: readonly NewRecord[]): void {
    const { block } = this.state(logical).part;
    if (block === null) return;
    const { inode, rules } = this.directory;
    writeChain(this.writer.block(block), this.volume.geometry, inode, records, rules);
    for (const { name } of records) this.setPlace(name, logical);
    this.updateRoom(logical);
  }

  private setRole(logical: number, role: BlockRole): void {
    const state = this.state(logical);
    this.parts.set(logical, { ...state, part: { ...state.part, role } });
    this.updateRoom(logical);
  }

  private setFlag(isIndexed: boolean): void {
    const { i_flags } = inodeStructure.fields;
    this.writer.editInode(this.number, (raw) => {
      const others = i_flags.read(raw, i_flags.offset) & ~inodeFlags.indexedDirectory;
      const flag = isIndexed ? inodeFlags.indexedDirectory : 0;
      i_flags.write(raw, i_flags.offset, others | flag);
    });
  }

  private edit(logical: number, change: (view: DataView) => void): void {
    const { part } = this.state(logical);
    if (part.block === null || part.role === 'linear') {
      editPart(this.writer, this.directory.inode, part, change);
      return;
    }
    const view = this.writer.block(part.block);
    change(view);
    sealNode(view, part.role, this.volume.geometry, this.directory.inode);
  }

  /** @returns false where it is not indexed any more: its index is broken, full or unknown */
  private addThroughIndex(record: NewRecord): boolean {
    const reason = this.addToIndex(record);
    if (reason === null) return true;
    this.dropIndex();
    this.notes.push(
      `Directory inode ${this.number} is no longer indexed: ${reason}. ` +
        'All its names are there; only searches in it take longer.',
    );
    return false;
  }

  /** @returns null when the name is added, else why it is not: a clause */
  private addToIndex(record: NewRecord): string | null {
    const { problems, index } = this.directory;
    if (problems.list.length > 0) return 'its index is broken';
    const { geometry } = this.volume;
    const version = index?.hashVersion ?? geometry.values.s_def_hash_version;
    const hashVersion = effectiveHashVersion(geometry, version);
    if (hashVersion === null) return 'its hash function is not known';
    return new IndexWriter(this.indexedBlocks(hashVersion)).add(record);
  }

  private indexedBlocks(hashVersion: number): IndexedBlocks {
    const roleOf = (logical: number) => this.parts.get(logical)?.part.role;
    const { geometry } = this.volume;
    return {
      geometry,
      hashOf: (name) => directoryHash(name, hashVersion, geometry.values.s_hash_seed).major,
      node: (logical) => {
        const part = this.parts.get(logical)?.part;
        if (!part || part.block === null || part.role === 'linear') return null;
        return readBlock(this.volume, part.block);
      },
      editNode: (logical, change) => this.edit(logical, change),
      appendNode: () => {
        const logical = this.appendPart('htree-node', []);
        this.edit(logical, (view) => {
          bytesOf(view).fill(0);
          startNode(view, geometry);
        });
        return logical;
      },
      leaf: (logical) => (roleOf(logical) === 'linear' ? this.records(logical) : null),
      insert: (leaf, record) => this.insert(leaf, record),
      rewriteLeaf: (leaf, records) => this.rewrite(leaf, records),
      appendLeaf: (records) => this.appendPart('linear', records),
    };
  }

  /** Linux makes an index when the first block is full; its root needs `.` and `..` in front. */
  private get canBeIndexed(): boolean {
    const { features, values, blockSize } = this.volume.geometry;
    const version = effectiveHashVersion(this.volume.geometry, values.s_def_hash_version);
    const part = this.parts.get(0)?.part;
    if (!features.has('dir_index') || this.isIndexed || version === null) return false;
    if (this.parts.size !== 1 || part?.length !== blockSize) return false;
    const names = this.records(0).filter(isLive);
    return names.length > 2 && sameBytes(names[0].name, dot) && sameBytes(names[1].name, dotDot);
  }

  /** Moves all names but `.` and `..` to a second block and makes the first one the root. */
  private makeIndexed(): void {
    const [first, second, ...names] = this.records(0).filter(isLive);
    const leaf = this.appendPart('linear', names);
    this.rewrite(0, [first, second]);
    this.setRole(0, 'htree-root');
    this.edit(0, (view) => {
      startRoot(view, this.volume.geometry, leaf);
    });
    this.isIndexed = true;
    this.setFlag(true);
  }
}

const isLive = ({ state }: BlockRecord) => state === 'live';

function isEntry(record: BlockRecord): boolean {
  return isLive(record) && !isDots(record.name);
}

/** Names are bytes: each of them is one character of the key. */
function keyOf(name: Uint8Array): string {
  return keyDecoder.decode(name);
}
