import type { StructureBranch } from '../filesystem/disk-layout';
import type { DescribedStructure, Structure } from '../filesystem/structure';
import { readBytes, readView, type ImageBytes } from '../image/bytes';
import { isZero } from '../image/memory';
import { ImageError } from '../image/errors';
import { findGptCopies, type GptCopy } from './gpt';
import { gptEntry, gptHeader } from './gpt-structures';
import { bootRecord, extendedBootRecord, mbrEntry, mbrEntryOffsets, readMbr } from './mbr';
import { partitionLimit, type PartitionScheme } from './partition';

/** A declared structure and where it lies in the image, in bytes. */
interface Place {
  readonly key: string;
  readonly name: string;
  readonly declared: Structure<object>;
  readonly offset: number;
}

/** A branch that only groups others. */
interface Group {
  readonly key: string;
  readonly name: string;
}

/** The structures of an image's partition table, as a tree and by place. */
export class PartitionStructures {
  /** Branches by the key of what they are under; `''` for the top level. */
  private readonly levels = new Map<string, (Place | Group)[]>();
  private readonly places = new Map<string, Place>();
  private readonly copies: [key: string, copy: GptCopy][] = [];

  /**
   * @param scheme of the table that is believed; `none` has no structures
   * @param sectorSize the unit it counts in, in bytes
   */
  constructor(
    private readonly image: ImageBytes,
    scheme: PartitionScheme,
    sectorSize: number | null,
  ) {
    if (sectorSize === null) return;
    const mbr = readMbr(image, sectorSize);
    if (mbr) this.addRecord('', 'mbr', 'MBR', bootRecord, 0);
    if (scheme === 'gpt') this.addGpt();
    else if (mbr) this.addExtended(mbr.extendedRecords);
  }

  /** As `DiskLayout.structureBranches`. */
  branches(key = ''): StructureBranch[] {
    return (this.levels.get(key) ?? []).map((branch) => ({
      key: branch.key,
      name: branch.name,
      offset: 'offset' in branch ? branch.offset : null,
      length: 'offset' in branch ? branch.declared.size : 0,
      hasChildren: this.levels.has(branch.key),
    }));
  }

  /** @throws ImageError `not-found` */
  structure(key: string): DescribedStructure {
    const place = this.places.get(key);
    if (!place) throw new ImageError('not-found', `The partition table has no structure ${key}.`);
    return this.describe(place);
  }

  /** As `DiskLayout.structuresAt`. */
  at(offset: number, length: number): DescribedStructure[] {
    if (length <= 0) return [];
    const end = offset + length;
    const found = [...this.places.values()].filter(
      (place) =>
        place.declared !== gptEntry &&
        place.offset < end &&
        place.offset + place.declared.size > offset,
    );
    // Entries of GPT, used or not, are told from their place: there can be 32,768 in a copy.
    for (const [key, { entriesOffset, entrySize, entryCount }] of this.copies) {
      const first = Math.max(0, Math.floor((offset - entriesOffset) / entrySize));
      const last = Math.min(
        entryCount,
        Math.ceil((end - entriesOffset) / entrySize),
        first + partitionLimit,
      );
      for (let index = first; index < last; index++) {
        const place = gptEntryPlace(key, entriesOffset + index * entrySize, index);
        if (place.offset + gptEntry.size > offset) found.push(place);
      }
    }
    return found.map((place) => this.describe(place));
  }

  private addExtended(records: readonly number[]): void {
    if (records.length === 0) return;
    const group = { key: 'extended', name: 'extended boot records' };
    this.add('', group);
    for (const [index, offset] of records.entries()) {
      const name = `extended boot record ${index + 1}`;
      this.addRecord(group.key, `${group.key}/${index + 1}`, name, extendedBootRecord, offset);
    }
  }

  /** A boot record with the entries in it. */
  private addRecord(
    parent: string,
    key: string,
    name: string,
    declared: Structure<object>,
    offset: number,
  ): void {
    this.add(parent, { key, name, declared, offset });
    for (const [slot, at] of mbrEntryOffsets.entries()) {
      const entryName = `entry ${slot + 1} of the ${name}`;
      this.add(key, {
        key: `${key}/${slot + 1}`,
        name: entryName,
        declared: mbrEntry,
        offset: offset + at,
      });
    }
  }

  private addGpt(): void {
    const { primary, backup } = findGptCopies(this.image);
    if (primary) this.addCopy('gpt', 'GPT', primary);
    if (backup) this.addCopy('gpt-backup', 'backup GPT', backup);
  }

  private addCopy(key: string, name: string, copy: GptCopy): void {
    this.copies.push([key, copy]);
    this.add('', { key, name: `${name} header`, declared: gptHeader, offset: copy.offset });
    const group = { key: `${key}/entries`, name: `${name} entries in use` };
    const used = this.usedEntries(copy);
    if (used.length > 0) this.add('', group);
    for (const index of used) {
      const offset = copy.entriesOffset + index * copy.entrySize;
      this.add(group.key, gptEntryPlace(key, offset, index));
    }
  }

  private usedEntries({ entriesOffset, entrySize, entryCount }: GptCopy): number[] {
    const bytes = readBytes(this.image, entriesOffset, entryCount * entrySize);
    const used: number[] = [];
    for (let index = 0; index < entryCount && used.length < partitionLimit; index++) {
      const type = index * entrySize + gptEntry.fields.PartitionTypeGUID.offset;
      const { length } = gptEntry.fields.PartitionTypeGUID;
      if (!isZero(bytes.subarray(type, type + length))) used.push(index);
    }
    return used;
  }

  private add(parent: string, branch: Place | Group): void {
    const level = this.levels.get(parent) ?? [];
    level.push(branch);
    this.levels.set(parent, level);
    if ('offset' in branch) this.places.set(branch.key, branch);
  }

  private describe({ declared, name, offset }: Place): DescribedStructure {
    return declared.describe(readView(this.image, offset, declared.size), name, offset);
  }
}

function gptEntryPlace(copy: string, offset: number, index: number): Place {
  const which = copy === 'gpt' ? 'GPT' : 'backup GPT';
  const name = `entry ${index + 1} of the ${which}`;
  return { key: `${copy}/${index + 1}`, name, declared: gptEntry, offset };
}
