import type { CheckReport } from '../filesystem/check';
import { problemList } from '../filesystem/check-report';
import type { StructureBranch } from '../filesystem/disk-layout';
import type { Editing } from '../filesystem/editing';
import type { EntryTable } from '../filesystem/entry-table';
import type { FileContent } from '../filesystem/file-content';
import type { EntryOptions, FileSystem, UnitGeometry, VolumeFacts } from '../filesystem/filesystem';
import type { FreeSpace } from '../filesystem/free-space';
import type { Journal } from '../filesystem/journal';
import type { Node, NodeId } from '../filesystem/node';
import type { Ownership } from '../filesystem/ownership';
import { noProgress, type Progress } from '../filesystem/progress';
import type { RawDirectory } from '../filesystem/raw-directory';
import { formatUuid, type DescribedStructure } from '../filesystem/structure';
import type { VolumeBytes } from '../image/bytes';
import { checkVolume } from './check/check';
import { extProblems } from './check/problem-table';
import { readContent } from './content';
import { describeNode } from './describe';
import { readEntries } from './directory';
import { whyNotEditable } from './edit/editable';
import { ExtEditor } from './edit/ext-editor';
import { readFreeBlocks } from './free-blocks';
import { readInode, rootInode } from './inode';
import { ExtJournal } from './journal';
import { MetadataTable } from './metadata';
import { openVolume } from './open';
import { metadataOwnership, readOwnership } from './ownership';
import { ExtRawDirectory } from './raw-directory';
import { stateOf } from './state';
import { StructureTree } from './structure-tree';
import { structuresAt } from './structures-at';
import { imageOffset, type ExtVolume } from './volume';

/**
 * Opens an ext2, ext3 or ext4 volume; where its superblock is destroyed, from a copy of it.
 * @throws ImageError `unreadable` when it has no superblock that makes sense, `unsupported` when
 *   it is an external journal
 */
export function openExt(volume: VolumeBytes): FileSystem {
  const { opened, notes } = openVolume(volume);
  return new ExtFileSystem(opened, notes);
}

class ExtFileSystem implements FileSystem {
  readonly facts: VolumeFacts;
  readonly unit: UnitGeometry;
  readonly root = rootInode;
  readonly journal?: Journal;
  readonly problemTable = problemList(extProblems);
  private readonly tree: StructureTree;
  private knownMetadata: MetadataTable | undefined;
  private knownOwners: Ownership | undefined;
  private knownEditing: Editing | undefined;

  constructor(
    private readonly volume: ExtVolume,
    notes: readonly string[],
  ) {
    const { geometry } = volume;
    const { values, features } = geometry;
    this.tree = new StructureTree(volume);
    this.unit = {
      name: 'block',
      size: geometry.blockSize,
      first: geometry.firstDataBlock,
      count: geometry.blocks - geometry.firstDataBlock,
    };
    if (features.has('has_journal')) this.journal = new ExtJournal(volume);
    this.facts = {
      type: features.type,
      label: values.s_volume_name,
      uuid: formatUuid(values.s_uuid),
      blockSize: geometry.blockSize,
      blocks: geometry.blocks,
      freeBlocks: geometry.freeBlocks,
      inodes: values.s_inodes_count,
      freeInodes: values.s_free_inodes_count,
      state: stateOf(geometry),
      features: features.names,
      notes,
    };
  }

  node(id: NodeId): Node {
    return readInode(this.volume, id).toNode();
  }

  entries(directory: NodeId, options: EntryOptions = {}): EntryTable {
    return readEntries(this.volume, readInode(this.volume, directory), options.deleted ?? false);
  }

  content(id: NodeId): FileContent {
    return readContent(this.volume, readInode(this.volume, id));
  }

  structures(id: NodeId): DescribedStructure[] {
    return describeNode(this.volume, readInode(this.volume, id));
  }

  freeSpace(progress: Progress = noProgress): FreeSpace {
    return readFreeBlocks(this.volume, progress);
  }

  offsetOf(unit: number): number {
    return imageOffset(this.volume, unit);
  }

  rawDirectory(directory: NodeId): RawDirectory {
    return new ExtRawDirectory(this.volume, readInode(this.volume, directory));
  }

  metadata(): Ownership {
    return metadataOwnership(this.metadataTable);
  }

  ownership(progress: Progress = noProgress): Ownership {
    return (this.knownOwners ??= readOwnership(this.volume, this.metadataTable, progress));
  }

  structureBranches(key?: string): StructureBranch[] {
    return this.tree.branches(key);
  }

  structure(key: string): DescribedStructure {
    return this.tree.structure(key);
  }

  structuresAt(offset: number, length: number): DescribedStructure[] {
    return structuresAt(this.volume, this.metadataTable, this.knownOwners, offset, length);
  }

  get editing(): Editing {
    return (this.knownEditing ??= this.readEditing());
  }

  private readEditing(): Editing {
    const whyNot = whyNotEditable(this.volume);
    if (whyNot !== null) return { whyNot };
    return { whyNot: null, open: (target, options) => new ExtEditor(target, options) };
  }

  check(progress: Progress = noProgress): CheckReport {
    return checkVolume(this.volume, progress);
  }

  private get metadataTable(): MetadataTable {
    return (this.knownMetadata ??= new MetadataTable(this.volume));
  }
}
