import { readBytes, type WritableVolume } from '../../image/bytes';
import type { BootSector } from '../boot-sector';
import { lastOfChain, type FatTable } from '../table';

/** Sectors that are written in one piece, at most. */
const longestWrite = 1024;

/** Bytes of sectors in memory; a chain that is scattered over a huge FAT is written in parts. */
const mostMemory = 64 * 1024 * 1024;
/** Sectors that stay in memory for the next change. */
const mostKept = 256;

interface Sector {
  /** Within a FAT. */
  readonly number: number;
  readonly bytes: Uint8Array;
  isChanged: boolean;
}

/**
 * Changes entries of the FAT. Sectors are kept in memory until `flush`, which writes each of them
 * once for every copy; what reads the FAT from the volume sees the changes after that.
 */
export class TableWriter {
  /** Sectors written so far, each copy counted. */
  sectorsWritten = 0;
  private readonly copies: readonly number[];
  private readonly sectors = new Map<number, Sector>();
  /** The one that was used last: entries are mostly visited in their order. */
  private current: Sector | undefined;

  constructor(
    private readonly volume: WritableVolume,
    private readonly boot: BootSector,
    private readonly table: FatTable,
  ) {
    const all = Array.from({ length: boot.fatCount }, (_, copy) => copy);
    this.copies = boot.isMirrored ? all : [boot.activeFat];
  }

  /** The value of an entry, with what is not flushed yet. The cluster is one that the table has. */
  get(cluster: number): number {
    const at = this.place(cluster);
    if (this.boot.bits === 12) {
      const word = this.byte(at) | (this.byte(at + 1) << 8);
      return cluster % 2 === 0 ? word & 0xfff : word >> 4;
    }
    const { bytes } = this.sectorAt(at);
    const inside = at % this.boot.sectorSize;
    const low = bytes[inside] | (bytes[inside + 1] << 8);
    if (this.boot.bits === 16) return low;
    return low | (bytes[inside + 2] << 16) | ((bytes[inside + 3] & 0x0f) << 24);
  }

  set(cluster: number, value: number): void {
    const at = this.place(cluster);
    if (this.boot.bits === 12) {
      // Three nibbles, which share a byte with a neighbour and may lie in two sectors.
      const isEven = cluster % 2 === 0;
      const first = isEven ? value & 0xff : ((value & 0x0f) << 4) | (this.byte(at) & 0x0f);
      const second = isEven ? (value >> 8) | (this.byte(at + 1) & 0xf0) : value >> 4;
      this.setByte(at, first);
      this.setByte(at + 1, second);
      return;
    }
    const sector = this.sectorAt(at);
    const inside = at % this.boot.sectorSize;
    const { bytes } = sector;
    sector.isChanged = true;
    bytes[inside] = value;
    bytes[inside + 1] = value >> 8;
    if (this.boot.bits === 16) return;
    bytes[inside + 2] = value >> 16;
    // The top four bits are reserved: they stay as they are.
    bytes[inside + 3] = (bytes[inside + 3] & 0xf0) | (value >> 24);
  }

  /** Links a run of clusters; its last one leads to `next`, or ends the chain. */
  link(start: number, length: number, next: number | undefined): void {
    const end = start + length - 1;
    for (let cluster = start; cluster < end; cluster++) this.set(cluster, cluster + 1);
    this.set(end, next ?? lastOfChain[this.boot.bits]);
  }

  free(start: number, length: number): void {
    for (let cluster = start; cluster < start + length; cluster++) this.set(cluster, 0);
  }

  flush(): void {
    const changed = [...this.sectors.values()].filter(({ isChanged }) => isChanged);
    changed.sort((a, b) => a.number - b.number);
    for (let from = 0; from < changed.length;) {
      let to = from + 1;
      while (to - from < longestWrite && changed.at(to)?.number === changed[to - 1].number + 1) {
        to += 1;
      }
      this.writeSectors(changed.slice(from, to));
      from = to;
    }
    for (const sector of changed) sector.isChanged = false;
    if (this.sectors.size <= mostKept) return;
    this.sectors.clear();
    this.current = undefined;
  }

  /** Writes sectors that follow one another. */
  private writeSectors(sectors: readonly Sector[]): void {
    const { firstFat, fatSize, sectorSize } = this.boot;
    const all = new Uint8Array(sectors.length * sectorSize);
    sectors.forEach(({ bytes }, i) => all.set(bytes, i * sectorSize));
    for (const copy of this.copies) {
      this.volume.write(firstFat + copy * fatSize + sectors[0].number * sectorSize, all);
      this.sectorsWritten += sectors.length;
    }
  }

  /** Where an entry starts in a FAT, in bytes. */
  private place(cluster: number): number {
    return this.table.entryOffset(cluster, 0) - this.boot.firstFat;
  }

  private byte(at: number): number {
    return this.sectorAt(at).bytes[at % this.boot.sectorSize];
  }

  private setByte(at: number, value: number): void {
    const sector = this.sectorAt(at);
    sector.bytes[at % this.boot.sectorSize] = value;
    sector.isChanged = true;
  }

  private sectorAt(at: number): Sector {
    const { firstFat, fatSize, sectorSize, activeFat } = this.boot;
    const number = Math.floor(at / sectorSize);
    if (this.current?.number === number) return this.current;
    let sector = this.sectors.get(number);
    if (!sector) {
      if (this.sectors.size * sectorSize >= mostMemory) this.flush();
      const place = firstFat + activeFat * fatSize + number * sectorSize;
      sector = { number, bytes: readBytes(this.volume, place, sectorSize), isChanged: false };
      this.sectors.set(number, sector);
    }
    return (this.current = sector);
  }
}
