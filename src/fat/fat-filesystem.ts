import { readBytes, readView, type VolumeBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import type { CheckReport } from '../filesystem/check';
import { problemList } from '../filesystem/check-report';
import type { DiskLayout, StructureBranch } from '../filesystem/disk-layout';
import type { Editing } from '../filesystem/editing';
import type { EntryTable } from '../filesystem/entry-table';
import type { FileContent } from '../filesystem/file-content';
import type {
  EntryOptions,
  FileSystem,
  ReadOptions,
  UnitGeometry,
  VolumeFacts,
} from '../filesystem/filesystem';
import { InlineContent } from '../filesystem/file-content';
import { FreeSpaceBuilder, type FreeSpace } from '../filesystem/free-space';
import type { Node, NodeId } from '../filesystem/node';
import type { Ownership } from '../filesystem/ownership';
import { noProgress, type Progress } from '../filesystem/progress';
import type { RawDirectory } from '../filesystem/raw-directory';
import type { DescribedStructure } from '../filesystem/structure';
import { firstCluster, readBootSector, slotSize } from './boot-sector';
import { checkFat } from './check/check-fat';
import { fatProblems } from './check/problem-table';
import { CodePage, defaultCodePage } from './code-pages';
import { ChainContent, deletedContent, fileContent } from './content';
import { readDeletedDirectory, readDirectory, readRoot, type DirectorySlots } from './directory';
import { fatEditing } from './edit/editing';
import { readFacts } from './facts';
import { FatVolume } from './fat-volume';
import { listDirectory } from './listing';
import { findDirectories, findMetadata, findOwners } from './owners';
import { FatRawDirectory } from './raw-directory';
import { findBackupBootSector } from './recognise';
import {
  attributeNames,
  deletedMark,
  firstClusterOf,
  isDirectorySlot,
  isDirectory,
  isDotSlot,
  shortSlot,
  slotKind,
  usedSlotKind,
  type ShortSlot,
} from './slots';
import { StructureTree } from './structure-tree';
import { structuresAt } from './structures-at';
import { describeNode, describeSector, volumeSectors } from './structures';
import { fatTimestamp } from './times';

/**
 * Opens a FAT volume; with its backup boot sector where the first sector is destroyed.
 * @throws ImageError `unreadable` when there is neither, `usage` for an unknown code page
 */
export function openFat(volume: VolumeBytes, options: ReadOptions = {}): FileSystem & DiskLayout {
  const boot = readBootSector(volume) ?? findBackupBootSector(volume);
  if (!boot) throw new ImageError('unreadable', 'The volume has no valid FAT boot sector.');
  const codePage = new CodePage(options.codePage ?? defaultCodePage);
  return new FatFileSystem(new FatVolume(volume, boot, codePage));
}

const rootId = 0;

class FatFileSystem implements FileSystem, DiskLayout {
  readonly root = rootId;
  readonly ignoresCase = true;
  readonly problemTable = problemList(fatProblems);
  readonly editing: Editing;
  readonly unit: UnitGeometry;
  private readonly tree: StructureTree;
  private knownFacts: VolumeFacts | undefined;
  /** Of all nodes, or of directories alone as long as nobody asked for more. */
  private knownOwners: Ownership | undefined;

  constructor(private readonly volume: FatVolume) {
    const { clusterSize, clusters } = volume.boot;
    this.unit = { name: 'cluster', size: clusterSize, first: firstCluster, count: clusters };
    this.editing = fatEditing(volume);
    this.tree = new StructureTree(
      volume,
      (directory) => this.slotsOf(directory),
      (place) => this.isLiveDirectory(place),
    );
  }

  get facts(): VolumeFacts {
    return (this.knownFacts ??= readFacts(this.volume, readRoot(this.volume)));
  }

  node(id: NodeId): Node {
    if (id === rootId) return this.rootNode();
    const slot = this.slot(id);
    const holdsEntries = isDirectory(slot);
    return {
      id,
      number: firstClusterOf(slot, this.volume.boot.bits),
      type: holdsEntries ? 'directory' : 'file',
      size: holdsEntries ? this.slotsOf(id).size : slot.DIR_FileSize,
      modified: fatTimestamp(slot.DIR_WrtDate, slot.DIR_WrtTime),
      accessed: fatTimestamp(slot.DIR_LstAccDate, 0),
      created: fatTimestamp(slot.DIR_CrtDate, slot.DIR_CrtTime, slot.DIR_CrtTimeTenth),
      attributes: attributeNames(slot.DIR_Attr),
      offset: this.volume.inImage(id),
    };
  }

  entries(directory: NodeId, options: EntryOptions = {}): EntryTable {
    return listDirectory(this.volume, this.slotsOf(directory), options.deleted ?? false);
  }

  content(id: NodeId): FileContent {
    if (id === rootId) return this.directoryContent(readRoot(this.volume));
    const slot = this.slot(id);
    if (isDirectory(slot)) return this.directoryContent(this.slotsOf(id));
    const owner = this.owner(id, slot);
    return this.isDeleted(id)
      ? deletedContent(this.volume, owner)
      : fileContent(this.volume, owner);
  }

  structures(id: NodeId): DescribedStructure[] {
    if (id === rootId) {
      return volumeSectors(this.volume).map((sector) => describeSector(this.volume, sector));
    }
    this.slot(id);
    return describeNode(this.volume, id);
  }

  freeSpace(progress?: Progress): FreeSpace {
    const free = new FreeSpaceBuilder();
    this.volume.table.visitFree((start, length) => free.add(start, length), progress);
    return free.build();
  }

  check(progress: Progress = noProgress): CheckReport {
    return checkFat(this.volume, progress);
  }

  offsetOf(unit: number): number {
    return this.volume.inImage(this.volume.clusterStart(unit));
  }

  rawDirectory(directory: NodeId): RawDirectory {
    return new FatRawDirectory(this.volume, this.slotsOf(directory), directory === rootId);
  }

  metadata(): Ownership {
    return findMetadata(this.volume);
  }

  ownership(progress?: Progress): Ownership {
    return (this.knownOwners = findOwners(this.volume, progress));
  }

  structureBranches(key?: string): StructureBranch[] {
    return this.tree.branches(key);
  }

  structure(key: string): DescribedStructure {
    return this.tree.structure(key);
  }

  structuresAt(offset: number, length: number): DescribedStructure[] {
    const directories = () => (this.knownOwners ??= findDirectories(this.volume));
    return structuresAt(this.volume, directories, offset - this.volume.bytes.offset, length);
  }

  private rootNode(): Node {
    return {
      id: rootId,
      number: this.volume.boot.rootCluster,
      type: 'directory',
      size: readRoot(this.volume).size,
      modified: null,
      accessed: null,
      created: null,
      attributes: [],
      offset: 0,
    };
  }

  /** The slots of a directory, live or deleted. */
  private slotsOf(id: NodeId): DirectorySlots {
    if (id === rootId) return readRoot(this.volume);
    const slot = this.slot(id);
    if (!isDirectory(slot)) {
      throw new ImageError('not-a-directory', 'It is a file, not a directory.');
    }
    const owner = this.owner(id, slot);
    return this.isDeleted(id)
      ? readDeletedDirectory(this.volume, owner)
      : readDirectory(this.volume, owner);
  }

  private directoryContent(slots: DirectorySlots): FileContent {
    const { size, runs, problems } = slots;
    if (runs) return new ChainContent(this.volume, runs, size, problems);
    return new InlineContent(slots.bytes, size, problems);
  }

  private owner(id: NodeId, slot: ShortSlot) {
    return {
      offset: id,
      length: slotSize,
      firstCluster: firstClusterOf(slot, this.volume.boot.bits),
      size: slot.DIR_FileSize,
    };
  }

  private isLiveDirectory(place: number): boolean {
    if (!this.volume.isSlotPlace(place)) return false;
    const bytes = readBytes(this.volume.bytes, place, slotSize);
    return slotKind(bytes, 0) === 'short' && isDirectorySlot(bytes, 0) && !isDotSlot(bytes, 0);
  }

  private isDeleted(id: NodeId): boolean {
    return readBytes(this.volume.bytes, id, 1)[0] === deletedMark;
  }

  /** @throws ImageError `not-found` where no short slot can be */
  private slot(id: NodeId): ShortSlot {
    const view = readView(this.volume.bytes, id, slotSize);
    const bytes = new Uint8Array(view.buffer);
    if (!this.volume.isSlotPlace(id) || bytes[0] === 0 || usedSlotKind(bytes, 0) !== 'short') {
      throw new ImageError('not-found', `There is no file or directory at byte ${id}.`);
    }
    return shortSlot.read(view);
  }
}
