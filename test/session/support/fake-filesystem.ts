import type { StructureBranch } from '../../../src/filesystem/disk-layout';
import { EntryTableBuilder, type EntryTable } from '../../../src/filesystem/entry-table';
import type { Extent } from '../../../src/filesystem/extents';
import { InlineContent, type FileContent } from '../../../src/filesystem/file-content';
import type { FileSystem, UnitGeometry, VolumeFacts } from '../../../src/filesystem/filesystem';
import { FreeSpaceBuilder, type FreeSpace } from '../../../src/filesystem/free-space';
import type { Node, NodeId, NodeType } from '../../../src/filesystem/node';
import { OwnershipBuilder, type Ownership } from '../../../src/filesystem/ownership';
import { noProgress, type Progress } from '../../../src/filesystem/progress';
import type { DirectoryRecord, RawDirectory } from '../../../src/filesystem/raw-directory';
import type { DescribedStructure } from '../../../src/filesystem/structure';
import { ImageError } from '../../../src/image/errors';
import { WithoutEditing } from './without-editing';

export interface FakeEntry {
  readonly name: string;
  readonly node: NodeId;
  /** As the record says. */
  readonly type?: NodeType;
}

export interface FakeNode {
  readonly type: NodeType;
  /** What people call it by; its id where it is not given. */
  readonly number?: number;
  readonly entries?: readonly FakeEntry[];
  readonly extents?: readonly Extent[];
}

export interface FakeVolume {
  readonly nodes: Readonly<Record<NodeId, FakeNode>>;
  readonly unit?: Partial<UnitGeometry>;
  /** Where the volume starts in the image, in bytes. */
  readonly offset?: number;
  readonly free?: readonly (readonly [start: number, length: number])[];
  /** The volume's own structures, as `superblock` or `bitmap`. */
  readonly structures?: readonly (readonly [start: number, length: number, role: 'bitmap'])[];
  /** Records of each block of every directory. */
  readonly blocks?: readonly (readonly DirectoryRecord[])[];
}

/** A filesystem that is only a table of nodes. Counts how often the costly questions are asked. */
export class FakeFileSystem extends WithoutEditing implements FileSystem {
  readonly facts: VolumeFacts;
  readonly unit: UnitGeometry;
  readonly root = 2;
  readonly asked = { freeSpace: 0, metadata: 0, ownership: 0, entries: 0, rawDirectory: 0 };

  constructor(private readonly volume: FakeVolume) {
    super();
    this.unit = { name: 'block', size: 1024, first: 1, count: 100, ...volume.unit };
    this.facts = {
      type: 'ext2',
      label: '',
      uuid: '',
      blockSize: this.unit.size,
      blocks: this.unit.count,
      freeBlocks: null,
      inodes: null,
      freeInodes: null,
      state: 'clean',
      features: [],
      notes: [],
    };
  }

  node(id: NodeId): Node {
    const { type, number } = this.find(id);
    return { id, number: number ?? id, type, size: 0, modified: null, attributes: [], offset: 0 };
  }

  entries(directory: NodeId): EntryTable {
    this.asked.entries += 1;
    const { type, entries = [] } = this.find(directory);
    if (type !== 'directory') throw new ImageError('not-a-directory', 'It is no directory.');
    const nodes: Partial<Record<NodeId, FakeNode>> = this.volume.nodes;
    const builder = new EntryTableBuilder('utf-8');
    for (const { name, node, type: recorded } of entries) {
      builder.add({
        name: new TextEncoder().encode(name),
        node,
        number: node,
        type: recorded ?? nodes[node]?.type ?? 'file', // also where the node is not there
        deleted: false,
        offset: 0,
      });
    }
    return builder.build([]);
  }

  content(id: NodeId): FileContent {
    const content = new InlineContent(new Uint8Array(0));
    return Object.assign(Object.create(content) as FileContent, {
      extents: this.find(id).extents ?? [],
    });
  }

  structures(id: NodeId): DescribedStructure[] {
    return [{ kind: 'inode', name: `inode ${id}`, offset: 0, length: 128, fields: [] }];
  }

  freeSpace(progress: Progress = noProgress): FreeSpace {
    this.asked.freeSpace += 1;
    progress.report(0, 1);
    const builder = new FreeSpaceBuilder();
    for (const [start, length] of this.volume.free ?? []) builder.add(start, length);
    return builder.build();
  }

  offsetOf(unit: number): number {
    return (this.volume.offset ?? 0) + unit * this.unit.size;
  }

  rawDirectory(directory: NodeId): RawDirectory {
    this.asked.rawDirectory += 1;
    if (this.find(directory).type !== 'directory') {
      throw new ImageError('not-a-directory', 'It is no directory.');
    }
    const blocks = this.volume.blocks ?? [];
    return {
      columns: [{ key: 'inode', title: 'Inode', meaning: 'the inode it leads to' }],
      blocks: blocks.map((_, i) => ({ unit: i, logical: i, offset: 1024 * i, length: 1024 })),
      index: [],
      problems: [],
      records: (block) => [...blocks[block]],
    };
  }

  metadata(): Ownership {
    this.asked.metadata += 1;
    return this.collect().build();
  }

  ownership(progress: Progress = noProgress): Ownership {
    this.asked.ownership += 1;
    progress.report(1, 2);
    const builder = this.collect();
    for (const [id, { type, extents = [] }] of Object.entries(this.volume.nodes)) {
      const role = type === 'directory' ? 'directory' : 'file';
      for (const { physical, length, logical } of extents) {
        builder.addNode(physical, length, role, Number(id), logical);
      }
    }
    return builder.build();
  }

  structureBranches(key?: string): StructureBranch[] {
    const name = key === undefined ? 'superblock' : `part of ${key}`;
    return [{ key: name, name, offset: this.offsetOf(1), length: 1024, hasChildren: false }];
  }

  structure(key: string): DescribedStructure {
    return { kind: key, name: key, offset: this.offsetOf(1), length: 1024, fields: [] };
  }

  structuresAt(offset: number, length: number): DescribedStructure[] {
    const superblock = this.structure('superblock');
    const covers = offset < superblock.offset + 1024 && offset + length > superblock.offset;
    return covers ? [superblock] : [];
  }

  private collect(): OwnershipBuilder {
    const builder = new OwnershipBuilder();
    for (const [start, length, role] of this.volume.structures ?? []) {
      builder.addStructure(start, length, role, `${role} at ${start}`);
    }
    return builder;
  }

  private find(id: NodeId): FakeNode {
    const node = this.volume.nodes[id] as FakeNode | undefined;
    if (!node) throw new ImageError('not-found', `There is no node ${id}.`);
    return node;
  }
}
