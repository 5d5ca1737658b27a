import { crc32 } from '../../../src/volume/crc32';
import { gptEntry, gptHeader } from '../../../src/volume/gpt-structures';
import { bootRecord, mbrEntry, mbrEntryOffsets } from '../../../src/volume/mbr';

/** An image that partition tables are written into. */
export class DiskBuilder {
  readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(
    readonly sectors: number,
    readonly sectorSize = 512,
  ) {
    this.bytes = new Uint8Array(sectors * sectorSize);
    this.view = new DataView(this.bytes.buffer);
  }

  /** A boot record whose entries are [type, first sector, sectors]. */
  bootRecord(sector: number, entries: readonly (readonly [number, number, number])[]): this {
    const at = sector * this.sectorSize;
    bootRecord.set(this.view, 'Signature', 0xaa55, at);
    for (const [slot, [type, start, length]] of entries.entries()) {
      const entry = at + mbrEntryOffsets[slot];
      mbrEntry.set(this.view, 'OSType', type, entry);
      mbrEntry.set(this.view, 'StartingLBA', start, entry);
      mbrEntry.set(this.view, 'SizeInLBA', length, entry);
    }
    return this;
  }

  /** Both copies of a GPT, whose partitions are [slot, first sector, last sector, name]. */
  gpt(partitions: readonly (readonly [number, number, number, string])[], slots = 128): this {
    const length = slots * gptEntry.size;
    const last = this.sectors - 1;
    const entrySectors = Math.ceil(length / this.sectorSize);
    for (const [own, other, entriesSector] of [
      [1, last, 2],
      [last, 1, last - entrySectors],
    ]) {
      const entries = entriesSector * this.sectorSize;
      for (const [slot, first, end, name] of partitions) {
        const at = entries + slot * gptEntry.size;
        gptEntry.set(this.view, 'PartitionTypeGUID', linuxData, at);
        gptEntry.set(this.view, 'StartingLBA', first, at);
        gptEntry.set(this.view, 'EndingLBA', end, at);
        gptEntry.set(this.view, 'PartitionName', name, at);
      }
      const at = own * this.sectorSize;
      gptHeader.set(this.view, 'Signature', 'EFI PART', at);
      gptHeader.set(this.view, 'HeaderSize', gptHeader.size, at);
      gptHeader.set(this.view, 'MyLBA', own, at);
      gptHeader.set(this.view, 'AlternateLBA', other, at);
      gptHeader.set(this.view, 'PartitionEntryLBA', entriesSector, at);
      gptHeader.set(this.view, 'NumberOfPartitionEntries', slots, at);
      gptHeader.set(this.view, 'SizeOfPartitionEntry', gptEntry.size, at);
      const checksum = crc32(this.bytes.subarray(entries, entries + length));
      gptHeader.set(this.view, 'PartitionEntryArrayCRC32', checksum, at);
      const header = crc32(this.bytes.subarray(at, at + gptHeader.size));
      gptHeader.set(this.view, 'HeaderCRC32', header, at);
    }
    return this;
  }
}

const linuxData = '0fc63daf-8483-4772-8e79-3d69d8477de4';
