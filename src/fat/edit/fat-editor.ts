import { readBytes, readView } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import type {
  AllocationPlan,
  EditOptions,
  EntryKey,
  NewNode,
  NodeChanges,
  PreallocationRequest,
  VolumeEditor,
} from '../../filesystem/editing';
import type { NodeId } from '../../filesystem/node';
import { slotSize } from '../boot-sector';
import { readDirectory, readRoot } from '../directory';
import {
  attributeBits,
  firstClusterAt,
  firstClusterOf,
  isDirectory,
  isDotSlot,
  type ShortSlot,
} from '../slots';
import { changedFields } from './attributes';
import { ClusterAllocator } from './cluster-allocator';
import { EditedDirectory, type EntryPlace } from './edited-directory';
import { FileContents } from './file-contents';
import { writeLabel } from './label-writer';
import { acceptName } from './names';
import { shortForm } from './short-name-maker';
import {
  makeDotSlots,
  makeSlots,
  modifiedFields,
  newTimes,
  slotsFor,
  type StoredName,
} from './slot-maker';
import { firstClusterFields, setFields, type WritableFat } from './writable-fat';

const rootId = 0;
/** Directories whose slots are kept in mind: those on the way to a deep one, and some more. */
const mostDirectories = 64;

/** Changes a FAT volume. */
export class FatEditor implements VolumeEditor {
  readonly notes: string[] = [];
  private readonly allocator: ClusterAllocator;
  private readonly contents: FileContents;
  /** The ones that were used last, at the end. */
  private readonly directories = new Map<NodeId, EditedDirectory>();

  /** @param oneAtATime see `AllocatorOptions` */
  constructor(
    private readonly volume: WritableFat,
    private readonly options: EditOptions,
    oneAtATime = false,
  ) {
    const { policy, progress } = options;
    this.allocator = new ClusterAllocator(volume, { policy, progress, oneAtATime });
    this.contents = new FileContents(volume, this.allocator, options.now);
  }

  createFile(directory: NodeId, name: string, details: NewNode): NodeId {
    const parent = this.open(directory);
    return this.insert(parent, this.prepare(parent, name), {
      ...newTimes(this.options.now, details.modified),
      DIR_Attr: attributeBits.archive,
    });
  }

  createDirectory(directory: NodeId, name: string, details: NewNode): NodeId {
    const { boot, bytes } = this.volume;
    const parent = this.open(directory);
    const prepared = this.prepare(parent, name);
    const [{ start }] = this.allocator.allocate(1);
    const fields = {
      ...newTimes(this.options.now, details.modified),
      DIR_Attr: attributeBits.directory,
    };
    const place = this.volume.clusterStart(start);
    bytes.zero(place, boot.clusterSize);
    bytes.write(place, makeDotSlots(start, parent.firstCluster, fields, boot.bits));
    return this.insert(parent, prepared, { ...fields, ...firstClusterFields(start, boot.bits) });
  }

  createSymlink(): NodeId {
    throw new ImageError('unsupported', 'FAT has no symbolic links.');
  }

  createLink(): void {
    throw new ImageError('unsupported', 'FAT has no hard links.');
  }

  remove(entry: EntryKey): void {
    const parent = this.open(entry.directory);
    const place = parent.entry(entry.node, entry.name);
    const slot = this.volume.slot(entry.node);
    if (isDirectory(slot) && !this.open(entry.node).isEmpty) {
      throw new ImageError('not-empty', 'The directory holds something: it is not removed.');
    }
    this.contents.free(entry.node, slot);
    this.directories.delete(entry.node);
    parent.remove(place);
    this.touch(parent);
  }

  move(entry: EntryKey, directory: NodeId, name: string): NodeId {
    const from = this.open(entry.directory);
    const place = from.entry(entry.node, entry.name);
    const slot = this.volume.slot(entry.node);
    const to = this.open(directory);
    const isMoved = to.node !== from.node;
    const cluster = firstClusterOf(slot, this.volume.boot.bits);
    const changesParent = isDirectory(slot) && isMoved;
    if (changesParent) this.checkOutside(to, cluster);
    const parentSlot = changesParent ? this.readParentSlot(cluster) : undefined;
    const prepared = this.prepare(to, name, isMoved ? undefined : place);
    from.remove(place);
    this.directories.delete(entry.node);
    const node = this.insert(to, prepared, slot);
    if (parentSlot) {
      setFields(parentSlot, firstClusterFields(to.firstCluster, this.volume.boot.bits));
      this.volume.bytes.write(this.parentSlot(cluster), new Uint8Array(parentSlot.buffer));
    }
    if (isMoved) this.touch(from);
    return node;
  }

  setSize(node: NodeId, size: number): void {
    this.contents.setSize(node, size);
  }

  write(node: NodeId, offset: number, bytes: Uint8Array): void {
    this.contents.write(node, offset, bytes);
  }

  preallocate(node: NodeId, request: PreallocationRequest): AllocationPlan {
    return this.contents.preallocate(node, request);
  }

  change(node: NodeId, changes: NodeChanges): void {
    if (node === rootId) {
      throw new ImageError('unsupported', 'The root directory of FAT has no times or attributes.');
    }
    this.volume.changeSlot(node, changedFields(this.volume.slot(node), changes));
  }

  setLabel(label: string): void {
    writeLabel(this.volume, this.open(rootId), this.allocator, label, this.options.now);
    if (/[^\0-\x7f]/.test(label)) {
      this.notes.push(
        'Windows takes a label that is not ASCII, but fsck.fat takes it for broken and would remove it.',
      );
    }
  }

  finish(): void {
    this.allocator.finish();
  }

  /** @throws ImageError `not-a-directory`, `not-found`; `corrupt` when it cannot be changed */
  private open(node: NodeId): EditedDirectory {
    const opened = this.directories.get(node) ?? this.read(node);
    this.directories.delete(node);
    this.directories.set(node, opened);
    for (const oldest of this.directories.keys()) {
      if (this.directories.size <= mostDirectories) break;
      this.directories.delete(oldest);
    }
    return opened;
  }

  private read(node: NodeId): EditedDirectory {
    const { volume } = this;
    if (node === rootId) return new EditedDirectory(volume, readRoot(volume), rootId, 0);
    const slot = volume.slot(node);
    if (!isDirectory(slot)) {
      throw new ImageError('not-a-directory', 'It is a file, not a directory.');
    }
    const firstCluster = firstClusterOf(slot, volume.boot.bits);
    const owner = { offset: node, length: slotSize, firstCluster, size: 0 };
    return new EditedDirectory(volume, readDirectory(volume, owner), node, firstCluster);
  }

  /**
   * Finds how a new name is stored, and room for it.
   * @param own the entry that is to be renamed within the directory
   */
  private prepare(parent: EditedDirectory, given: string, own?: EntryPlace): PreparedEntry {
    const { name, notes } = acceptName(given);
    const holder = parent.find(name);
    if (holder !== undefined && holder !== own?.short) {
      throw new ImageError(
        'exists',
        `There is an entry ${name} already, or one with that short name.`,
      );
    }
    const form = shortForm(name, this.volume.codePage);
    if (!form)
      throw new ImageError('usage', `FAT cannot make a short name of ${JSON.stringify(name)}.`);
    const stored: StoredName = {
      long: form.caseFlags === undefined ? name : undefined,
      short: parent.shortName(form, own?.short),
      caseFlags: form.caseFlags ?? 0,
    };
    const first = parent.makeRoom(slotsFor(stored), this.allocator, own);
    this.notes.push(...notes);
    return { stored, first };
  }

  private insert(
    parent: EditedDirectory,
    { stored, first }: PreparedEntry,
    fields: Partial<ShortSlot>,
  ): NodeId {
    this.contents.forget();
    this.touch(parent);
    return parent.insert(first, makeSlots(stored, fields));
  }

  /** A directory was written to when an entry came or went. */
  private touch(directory: EditedDirectory): void {
    if (directory.node === rootId) return;
    this.volume.changeSlot(directory.node, modifiedFields(this.options.now));
  }

  /** @throws ImageError `usage` when a directory lies in the one that starts at a cluster */
  private checkOutside(directory: EditedDirectory, cluster: number): void {
    const { table, boot } = this.volume;
    let current = directory.firstCluster;
    for (let depth = 0; depth < mostLevels; depth++) {
      if (current === cluster) {
        throw new ImageError('usage', 'A directory cannot be moved into itself.');
      }
      if (current === 0 || current === boot.rootCluster) return;
      if (!table.has(current)) break;
      const bytes = readBytes(this.volume.bytes, this.parentSlot(current), slotSize);
      if (!isDotSlot(bytes, 0)) break;
      current = firstClusterAt(bytes, 0, boot.bits);
    }
    throw new ImageError('corrupt', 'The parents of the directory cannot be told: “..” is broken.');
  }

  /** The `..` of the directory that starts at a cluster. @throws ImageError `corrupt` */
  private readParentSlot(cluster: number): DataView {
    if (this.volume.table.has(cluster)) {
      const slot = readView(this.volume.bytes, this.parentSlot(cluster), slotSize);
      if (isDotSlot(new Uint8Array(slot.buffer), 0)) return slot;
    }
    throw new ImageError('corrupt', 'The directory cannot be moved: it has no “..”.');
  }

  /** `..` is the second slot of a directory. */
  private parentSlot(cluster: number): number {
    return this.volume.clusterStart(cluster) + slotSize;
  }
}

/** Deeper than any path leads; an image may claim circles. */
const mostLevels = 65_536;

/** How an entry will be stored, and where. */
interface PreparedEntry {
  readonly stored: StoredName;
  /** Index of its first slot. */
  readonly first: number;
}
