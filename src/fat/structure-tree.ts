import { ImageError } from '../image/errors';
import type { StructureBranch } from '../filesystem/disk-layout';
import type { DescribedStructure } from '../filesystem/structure';
import { firstCluster, slotSize } from './boot-sector';
import type { DirectorySlots } from './directory';
import { describeEntry, describeFat, fatName } from './fat-entries';
import type { FatVolume } from './fat-volume';
import { describeSector, describeSlot, volumeSectors } from './structures';

/** Branches of a level at most; longer tables are grouped. */
const levelLimit = 1024;

/** A run of rows of a long table. */
interface Range {
  readonly first: number;
  readonly count: number;
}

/**
 * The tree of a volume's structures: the sectors of the reserved area; `fat/COPY` with its entries
 * `fat/COPY/CLUSTER`; `slots/DIRECTORY` with its slots `slot/PLACE`, of which directories have
 * slots of their own. A group of rows has the key of their table and `/FIRST+COUNT`.
 */
export class StructureTree {
  constructor(
    private readonly volume: FatVolume,
    /** The slots of a live or deleted directory; throws an `ImageError` for what is none. */
    private readonly slotsOf: (directory: number) => DirectorySlots,
    private readonly isDirectory: (place: number) => boolean,
  ) {}

  branches(key?: string): StructureBranch[] {
    if (key === undefined) return this.top();
    const [kind, id, range] = parse(key);
    if (kind === 'fat' && id < this.volume.boot.fatCount) return this.entries(id, range);
    if (kind === 'slots') return this.slots(id, range);
    if (kind === 'slot' && this.isDirectory(id)) return this.slots(id);
    this.structure(key); // says so where there is no such key
    return [];
  }

  structure(key: string): DescribedStructure {
    const sector = volumeSectors(this.volume).find((found) => found.key === key);
    if (sector) return describeSector(this.volume, sector);
    const [kind, id, range] = parse(key);
    if (kind === 'fat' && id < this.volume.boot.fatCount) return this.fatStructure(id, range);
    if (kind === 'slots') return this.slotsStructure(id, range);
    if (kind === 'slot' && this.volume.isSlotPlace(id)) return describeSlot(this.volume, id);
    throw noSuchKey(key);
  }

  private top(): StructureBranch[] {
    const { boot } = this.volume;
    const sectors = volumeSectors(this.volume).map(({ key, name, offset, declared }) => ({
      key,
      name,
      offset: this.volume.inImage(offset),
      length: declared.size,
      hasChildren: false,
    }));
    const fats = Array.from({ length: boot.fatCount }, (_, copy) => {
      const { name, offset, length } = describeFat(this.volume, copy);
      return { key: `fat/${copy}`, name, offset, length, hasChildren: true };
    });
    const root = this.slotsStructure(0);
    return [
      ...sectors,
      ...fats,
      {
        key: 'slots/0',
        name: root.name,
        offset: root.offset,
        length: root.length,
        hasChildren: true,
      },
    ];
  }

  private entries(copy: number, range?: Range): StructureBranch[] {
    return level(part(range, this.volume.boot.clusters + firstCluster), (rows) => {
      const isOne = rows.count === 1;
      const { name, offset, length } = this.fatStructure(copy, rows);
      const key = isOne ? `fat/${copy}/${rows.first}` : `fat/${copy}/${rows.first}+${rows.count}`;
      return { key, name, offset, length, hasChildren: !isOne };
    });
  }

  private fatStructure(copy: number, range?: Range): DescribedStructure {
    if (!range) return describeFat(this.volume, copy);
    const { first, count } = part(range, this.volume.boot.clusters + firstCluster);
    if (count === 1) return describeEntry(this.volume, copy, first);
    const { table } = this.volume;
    const start = table.entryOffset(first, copy);
    const end = table.entryOffset(first + count - 1, copy) + table.entryLength;
    const name = `entries ${first} to ${first + count - 1} of the ${fatName(copy)}`;
    const offset = this.volume.inImage(start);
    return { kind: 'FAT entries', name, offset, length: end - start, fields: [] };
  }

  private slots(directory: number, range?: Range): StructureBranch[] {
    const slots = this.slotsOf(directory);
    return level(part(range, slots.count), (rows) => {
      if (rows.count > 1) {
        const { name, offset, length } = this.slotsStructure(directory, rows, slots);
        const key = `slots/${directory}/${rows.first}+${rows.count}`;
        return { key, name, offset, length, hasChildren: true };
      }
      const place = slots.offsetOf(rows.first);
      const { name, offset, length } = describeSlot(this.volume, place);
      return { key: `slot/${place}`, name, offset, length, hasChildren: this.isDirectory(place) };
    });
  }

  private slotsStructure(
    directory: number,
    range?: Range,
    slots = this.slotsOf(directory),
  ): DescribedStructure {
    const { first, count } = part(range, slots.count);
    const own = directory === 0 ? 'root directory' : `directory of slot ${directory}`;
    return {
      kind: 'directory slots',
      name: range ? `slots ${first} to ${first + count - 1} of the ${own}` : own,
      offset: this.volume.inImage(count > 0 ? slots.offsetOf(first) : this.volume.boot.rootStart),
      length: count * slotSize,
      fields: [],
    };
  }
}

/** The rows of a range, or groups of them where there are too many for one level. */
function level<T>(range: Range, make: (rows: Range) => T): T[] {
  let size = 1;
  while (range.count / size > levelLimit) size *= levelLimit;
  return Array.from({ length: Math.ceil(range.count / size) }, (_, i) =>
    make({
      first: range.first + i * size,
      count: Math.min(size, range.count - i * size),
    }),
  );
}

function parse(key: string): [kind: string, id: number, range: Range | undefined] {
  const match = /^(fat|slots|slot)\/(\d{1,16})(?:\/(\d{1,10})(?:\+(\d{1,10}))?)?$/.exec(key);
  if (!match) throw noSuchKey(key);
  const [, kind, id, first, count] = match;
  const range =
    first === undefined ? undefined : { first: Number(first), count: Number(count ?? 1) };
  return [kind, Number(id), range];
}

/** The rows of a table that a key names; all of them where it names none. */
function part(range: Range | undefined, total: number): Range {
  if (!range) return { first: 0, count: total };
  if (range.count > 0 && range.first + range.count <= total) return range;
  throw new ImageError('not-found', `The table has only ${total} rows.`);
}

function noSuchKey(key: string): ImageError {
  return new ImageError('not-found', `The volume has no structure ${key}.`);
}
