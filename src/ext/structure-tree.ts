import type { StructureBranch } from '../filesystem/disk-layout';
import type { DescribedStructure } from '../filesystem/structure';
import { ImageError } from '../image/errors';
import type { BlockMapping, MapBlock } from './block-map';
import { contentPlace, readMapping } from './content';
import {
  describeAttributes,
  describeInode,
  describeMapBlock,
  describeMapRoot,
  describeProtection,
  describeSuperblock,
  plainStructure,
} from './describe';
import { describeJournalBlock } from './describe-journal';
import { inodeTableBlocks, type Group } from './groups';
import { readInode, type Inode } from './inode';
import { inodesOfGroup } from './inode-scan';
import { openJournalFile } from './journal-file';
import { readLog } from './journal-log';
import { Problems } from './problems';
import { groupStart, hasSuperblock, holdsBlocks, primaryOffset, superblock } from './superblock';
import { imageOffset, type ExtVolume } from './volume';

/** What lies below a branch; items are made when they are looked at. */
interface Level {
  readonly count: number;
  item(index: number): StructureBranch;
}

/** Branches shown at a time; more are gathered in ranges. */
const mostBranches = 1024;

/**
 * The on-disk structures of a volume as a tree. A key is a path: `group/3`, `inode/12/map/9001`;
 * `@first+count` behind one means a range of what lies below it.
 */
export class StructureTree {
  constructor(private readonly volume: ExtVolume) {}

  /** As `DiskLayout.structureBranches`. */
  branches(key = ''): StructureBranch[] {
    const [base, range] = key.split('@');
    const level = this.level(base);
    const [first, count] =
      range !== undefined ? rangeOf(range, level.count, key) : [0, level.count];
    if (count <= mostBranches) {
      return Array.from({ length: count }, (_, i) => level.item(first + i));
    }
    let span = mostBranches;
    while (count > span * mostBranches) span *= mostBranches;
    return Array.from({ length: Math.ceil(count / span) }, (_, i) => {
      const start = first + i * span;
      const length = Math.min(span, first + count - start);
      const name = `${level.item(start).name} to ${level.item(start + length - 1).name}`;
      return groupBranch(`${base}@${start}+${length}`, name);
    });
  }

  /** As `DiskLayout.structure`. */
  structure(key: string): DescribedStructure {
    const [kind, ...rest] = key.split('/');
    const found = this.find(kind, rest);
    if (!found) throw notInTree(key);
    return found;
  }

  private find(kind: string, path: readonly string[]): DescribedStructure | null {
    if (path.length === 0) {
      if (kind === 'superblock') return describeSuperblock(this.volume, 0);
      if (kind === 'protection' && this.hasProtection) return describeProtection(this.volume);
      return kind === 'journal' && this.hasJournal ? this.journalBlock(0) : null;
    }
    const number = parseNumber(path[0]);
    if (Number.isNaN(number)) return null;
    switch (kind) {
      case 'copy':
        return this.isCopy(number) ? describeSuperblock(this.volume, number) : null;
      case 'group':
        return this.findInGroup(number, path.slice(1));
      case 'inode':
        return this.findInInode(readInode(this.volume, number), path.slice(1));
      case 'journal':
        return this.hasJournal ? this.journalBlock(number) : null;
      default:
        return null;
    }
  }

  private journalBlock(index: number): DescribedStructure | null {
    return describeJournalBlock(openJournalFile(this.volume), index);
  }

  private findInGroup(number: number, path: readonly string[]): DescribedStructure | null {
    const { geometry, groups } = this.volume;
    if (!(number < geometry.groups)) return null;
    if (path.length === 0) return groups.describe(number);
    const group = groups.group(number);
    const plain = (kind: string, block: number, blocks: number) =>
      plainStructure(
        kind,
        `${kind} of group ${number}`,
        imageOffset(this.volume, block),
        blocks * geometry.blockSize,
      );
    if (path[0] === 'block-bitmap') return plain('block bitmap', group.blockBitmap, 1);
    if (path[0] === 'inode-bitmap') return plain('inode bitmap', group.inodeBitmap, 1);
    if (path[0] !== 'inodes') return null;
    return plain('inode table', group.inodeTable, inodeTableBlocks(geometry));
  }

  private findInInode(inode: Inode, path: readonly string[]): DescribedStructure | null {
    if (path.length === 0) return describeInode(inode);
    if (path[0] === 'attribute') {
      return describeAttributes(this.volume, inode)[parseNumber(path[1])] ?? null;
    }
    if (path[0] !== 'map') return null;
    if (path.length === 1) return describeMapRoot(this.volume, inode);
    const block = parseNumber(path[1]);
    const found = this.mappingOf(inode).mapBlocks.find((map) => map.block === block);
    return found ? describeMapBlock(this.volume, block, found.kind === 'extent block') : null;
  }

  private level(key: string): Level {
    const path = key.split('/');
    switch (path[0]) {
      case '':
        return listed(this.top());
      case 'copies': {
        const copies = this.copies();
        return { count: copies.length, item: (i) => this.copyBranch(copies[i]) };
      }
      case 'groups':
        return { count: this.volume.geometry.groups, item: (i) => this.groupBranch(i) };
      case 'group':
        return this.groupLevel(parseNumber(path[1]), path[2]);
      case 'inode':
        return listed(this.inodeLevel(readInode(this.volume, parseNumber(path[1])), path.slice(2)));
      case 'journal':
        if (!this.hasJournal) throw notInTree(key);
        return listed(this.journalLevel());
      default:
        throw notInTree(key);
    }
  }

  private top(): StructureBranch[] {
    const { geometry, bytes } = this.volume;
    const place = bytes.offset + primaryOffset;
    const branches = [leaf('superblock', 'superblock', place, superblock.size)];
    if (this.copies().length > 0) branches.push(groupBranch('copies', 'superblock copies'));
    branches.push(groupBranch('groups', 'groups'));
    if (this.hasJournal) branches.push(...this.journalBranch());
    if (this.hasProtection) {
      const protection = imageOffset(this.volume, geometry.values.s_mmp_block);
      branches.push(leaf('protection', 'multi-mount protection', protection, 1024));
    }
    return branches;
  }

  /** The journal where there is one inside the volume. */
  private journalBranch(): StructureBranch[] {
    try {
      const place = openJournalFile(this.volume).placeOf(0);
      return [{ ...leaf('journal', 'journal', place, 1024), hasChildren: true }];
    } catch (error) {
      if (error instanceof ImageError) return [];
      throw error;
    }
  }

  /** Groups after the first that hold a copy of the superblock. */
  private copies(): number[] {
    const { geometry, bytes } = this.volume;
    const groups: number[] = [];
    const present = Math.ceil(bytes.present / geometry.blockSize);
    for (let group = 1; group < geometry.groups; group++) {
      if (groupStart(geometry, group) >= present) break;
      if (hasSuperblock(geometry, group)) groups.push(group);
    }
    return groups;
  }

  private isCopy(group: number): boolean {
    const { geometry } = this.volume;
    return group > 0 && group < geometry.groups && hasSuperblock(geometry, group);
  }

  private copyBranch(group: number): StructureBranch {
    const place = imageOffset(this.volume, groupStart(this.volume.geometry, group));
    return leaf(`copy/${group}`, `copy in group ${group}`, place, superblock.size);
  }

  private groupBranch(number: number): StructureBranch {
    const { place, length } = this.volume.groups.place(number);
    return { ...leaf(`group/${number}`, `group ${number}`, place, length), hasChildren: true };
  }

  private groupLevel(number: number, part: string | undefined): Level {
    const { geometry, groups } = this.volume;
    if (!(number < geometry.groups)) throw notInTree(`group/${number}`);
    const group = groups.group(number);
    if (part === 'inodes') return this.inodeList(group);
    const { blockSize } = geometry;
    const branches = [...(this.isCopy(number) ? [this.copyBranch(number)] : [])];
    const add = (key: string, name: string, block: number, blocks: number) => {
      if (!holdsBlocks(geometry, block, blocks)) return;
      const place = imageOffset(this.volume, block);
      branches.push(leaf(`group/${number}/${key}`, name, place, blocks * blockSize));
    };
    add('block-bitmap', 'block bitmap', group.blockBitmap, 1);
    add('inode-bitmap', 'inode bitmap', group.inodeBitmap, 1);
    add('inodes', 'inodes in use', group.inodeTable, inodeTableBlocks(geometry));
    return listed(
      branches.map((branch) => ({ ...branch, hasChildren: branch.key.endsWith('/inodes') })),
    );
  }

  private inodeList(group: Group): Level {
    const numbers = Array.from(inodesOfGroup(this.volume, group), ({ number }) => number);
    return { count: numbers.length, item: (i) => this.inodeBranch(numbers[i]) };
  }

  private inodeBranch(number: number): StructureBranch {
    const inode = readInode(this.volume, number);
    const name = `inode ${number} (${inode.type})`;
    const isMapped = ['blocks', 'extents'].includes(contentPlace(this.volume, inode));
    const hasChildren = isMapped || describeAttributes(this.volume, inode).length > 0;
    return { ...leaf(`inode/${number}`, name, inode.place, inode.raw.length), hasChildren };
  }

  private inodeLevel(inode: Inode, path: readonly string[]): StructureBranch[] {
    const key = `inode/${inode.number}`;
    if (path.length > 0) {
      if (path[0] !== 'map') throw notInTree(`${key}/${path.join('/')}`);
      return this.mapLevel(inode, path.length > 1 ? parseNumber(path[1]) : 0);
    }
    const branches: StructureBranch[] = [];
    const place = contentPlace(this.volume, inode);
    if (place === 'blocks' || place === 'extents') {
      const name = place === 'blocks' ? 'block pointers' : 'root of the extents';
      const root = leaf(`${key}/map`, name, inode.blockPlace, inode.blockBytes.length);
      branches.push({ ...root, hasChildren: this.mapLevel(inode, 0).length > 0 });
    }
    describeAttributes(this.volume, inode).forEach(({ name, offset, length }, i) =>
      branches.push(leaf(`${key}/attribute/${i}`, name, offset, length)),
    );
    return branches;
  }

  private mapLevel(inode: Inode, parent: number): StructureBranch[] {
    const { mapBlocks } = this.mappingOf(inode);
    const { blockSize } = this.volume.geometry;
    return mapBlocks
      .filter((map) => map.parent === parent)
      .map(({ block, kind, depth, logical }: MapBlock) => ({
        key: `inode/${inode.number}/map/${block}`,
        name: `${kind} ${block}, from block ${logical} of the content on`,
        offset: imageOffset(this.volume, block),
        length: blockSize,
        hasChildren: depth > 0 && mapBlocks.some((map) => map.parent === block),
      }));
  }

  private mappingOf(inode: Inode): BlockMapping {
    return readMapping(this.volume, inode, new Problems(inode.number));
  }

  private journalLevel(): StructureBranch[] {
    const journal = openJournalFile(this.volume);
    return readLog(journal).transactions.flatMap(({ controls }) =>
      controls.flatMap((index) => {
        const described = describeJournalBlock(journal, index);
        if (!described) return [];
        return [leaf(`journal/${index}`, described.name, described.offset, described.length)];
      }),
    );
  }

  private get hasJournal(): boolean {
    return this.volume.geometry.features.has('has_journal');
  }

  private get hasProtection(): boolean {
    const { geometry } = this.volume;
    return geometry.features.has('mmp') && holdsBlocks(geometry, geometry.values.s_mmp_block);
  }
}

function leaf(key: string, name: string, offset: number, length: number): StructureBranch {
  return { key, name, offset, length, hasChildren: false };
}

function groupBranch(key: string, name: string): StructureBranch {
  return { key, name, offset: null, length: 0, hasChildren: true };
}

function listed(branches: readonly StructureBranch[]): Level {
  return { count: branches.length, item: (index) => branches[index] };
}

/** A number of a key; NaN, which fits nothing, where it is none. */
function parseNumber(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : NaN;
}

function rangeOf(range: string, count: number, key: string): [number, number] {
  const [first, length] = range.split('+').map(parseNumber);
  if (!(first + length <= count)) throw notInTree(key);
  return [first, length];
}

function notInTree(key: string): ImageError {
  return new ImageError('not-found', `There is no structure ${key} in this volume.`);
}
