/** Builds small FAT images by hand, from the format's documents and not from the code under test. */
import { VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { openFat } from '../../src/fat/fat-filesystem';
import type { ReadOptions } from '../../src/filesystem/filesystem';

export interface ImageOptions {
  bits: 12 | 16 | 32;
  sectorSize?: number;
  sectorsPerCluster?: number;
  reserved?: number;
  fats?: number;
  /** Slots of the fixed root; FAT12 and FAT16 only. */
  rootEntries?: number;
  clusters?: number;
  /** Sectors of one FAT; as many as the clusters need by default. */
  fatSectors?: number;
  rootCluster?: number;
  /** Bytes in front of the volume, as in a partitioned image. */
  before?: number;
}

export class FatImage {
  readonly bits: 12 | 16 | 32;
  readonly sectorSize: number;
  readonly clusterSize: number;
  readonly fats: number;
  readonly fatStart: number;
  readonly fatBytes: number;
  readonly rootStart: number;
  readonly dataStart: number;
  readonly clusters: number;
  readonly before: number;
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(options: ImageOptions) {
    const { bits, sectorSize = 512, sectorsPerCluster = 1, fats = 2 } = options;
    const { reserved = bits === 32 ? 32 : 1, clusters = bits === 12 ? 100 : 5000 } = options;
    const rootEntries = bits === 32 ? 0 : (options.rootEntries ?? 512);
    const fatSectors =
      options.fatSectors ?? Math.ceil(Math.ceil(((clusters + 2) * bits) / 8) / sectorSize);
    this.bits = bits;
    this.sectorSize = sectorSize;
    this.clusterSize = sectorSize * sectorsPerCluster;
    this.fats = fats;
    this.clusters = clusters;
    this.before = options.before ?? 0;
    this.fatStart = reserved * sectorSize;
    this.fatBytes = fatSectors * sectorSize;
    this.rootStart = this.fatStart + fats * this.fatBytes;
    this.dataStart = this.rootStart + rootEntries * 32;
    const sectors = this.dataStart / sectorSize + clusters * sectorsPerCluster;
    this.size = sectors * sectorSize;
    this.bytes = new Uint8Array(this.before + this.size);
    this.view = new DataView(this.bytes.buffer, this.before);

    this.bytes.set([0xeb, 0x58, 0x90], this.before);
    this.text(3, 'TESTS   ');
    this.view.setUint16(11, sectorSize, true);
    this.view.setUint8(13, sectorsPerCluster);
    this.view.setUint16(14, reserved, true);
    this.view.setUint8(16, fats);
    this.view.setUint16(17, rootEntries, true);
    this.view.setUint8(21, 0xf8);
    if (sectors < 0x10000 && bits !== 32) this.view.setUint16(19, sectors, true);
    else this.view.setUint32(32, sectors, true);
    if (bits === 32) {
      this.view.setUint32(36, fatSectors, true);
      this.view.setUint32(44, options.rootCluster ?? 2, true);
      this.view.setUint16(48, 1, true);
      this.view.setUint16(50, 6, true);
      this.identity(66);
      this.fsInfo(0xffffffff, 0xffffffff);
      this.chain(options.rootCluster ?? 2);
    } else {
      this.view.setUint16(22, fatSectors, true);
      this.identity(38);
    }
    this.entry(0, 0x0ffffff8);
    this.entry(1, 0x0fffffff);
  }

  /** Writes a FAT entry, in all copies or in one. */
  entry(cluster: number, value: number, copy?: number): void {
    for (let i = 0; i < this.fats; i++) {
      if (copy !== undefined && copy !== i) continue;
      const start = this.fatStart + i * this.fatBytes;
      if (this.bits === 32) {
        this.view.setUint32(start + 4 * cluster, value, true);
      } else if (this.bits === 16) {
        this.view.setUint16(start + 2 * cluster, value & 0xffff, true);
      } else {
        // Two entries share three bytes: ab c|d ef is entry 0 = cab, entry 1 = efd.
        const at = start + Math.floor(cluster / 2) * 3;
        const low = value & 0xfff;
        if (cluster % 2 === 0) {
          this.view.setUint8(at, low & 0xff);
          this.view.setUint8(at + 1, (this.view.getUint8(at + 1) & 0xf0) | (low >> 8));
        } else {
          this.view.setUint8(at + 1, (this.view.getUint8(at + 1) & 0x0f) | ((low & 0xf) << 4));
          this.view.setUint8(at + 2, low >> 4);
        }
      }
    }
  }

  /** Links clusters one after another; the last one ends the chain, or closes a loop. */
  chain(...clusters: number[]): void {
    const end = clusters.length - 1;
    clusters.slice(0, end).forEach((cluster, i) => this.entry(cluster, clusters[i + 1]));
    if (clusters.indexOf(clusters[end]) === end) this.entry(clusters[end], 0x0fffffff);
  }

  cluster(number: number): number {
    return this.dataStart + (number - 2) * this.clusterSize;
  }

  /** Puts slots from a place of the volume on, in bytes. Returns where each of them lies. */
  slots(at: number, ...slots: Uint8Array[]): number[] {
    slots.forEach((slot, i) => this.bytes.set(slot, this.before + at + 32 * i));
    return slots.map((_, i) => at + 32 * i);
  }

  text(at: number, text: string): void {
    this.bytes.set(new TextEncoder().encode(text), this.before + at);
  }

  fill(at: number, length: number, value: number): void {
    this.bytes.fill(value, this.before + at, this.before + at + length);
  }

  fsInfo(free: number, next: number, sector = 1): void {
    const at = sector * this.sectorSize;
    this.view.setUint32(at, 0x41615252, true);
    this.view.setUint32(at + 484, 0x61417272, true);
    this.view.setUint32(at + 488, free, true);
    this.view.setUint32(at + 492, next, true);
    this.view.setUint32(at + 508, 0xaa550000, true);
  }

  volume(length = this.bytes.length): VolumeBytes {
    const image = new MemoryBytes(this.bytes.subarray(0, length));
    return new VolumeBytes(image, this.before, this.size);
  }

  open(options?: ReadOptions) {
    return openFat(this.volume(), options);
  }

  private identity(at: number): void {
    this.view.setUint8(at, 0x29);
    this.view.setUint32(at + 1, 0x1234abcd, true);
    this.text(at + 5, 'NO NAME    ');
  }
}

export interface SlotOptions {
  attributes?: number;
  cluster?: number;
  size?: number;
  caseFlags?: number;
  written?: [date: number, time: number];
  created?: [date: number, time: number, hundredths: number];
  accessed?: number;
}

/** @param name eleven characters, each one byte: `FILE    TXT` */
export function short(name: string | readonly number[], options: SlotOptions = {}): Uint8Array {
  const slot = new Uint8Array(32);
  const view = new DataView(slot.buffer);
  slot.set(typeof name === 'string' ? Array.from(name, (c) => c.charCodeAt(0)) : name);
  slot[11] = options.attributes ?? 0x20;
  slot[12] = options.caseFlags ?? 0;
  const [createdDate, createdTime, hundredths] = options.created ?? [0, 0, 0];
  slot[13] = hundredths;
  view.setUint16(14, createdTime, true);
  view.setUint16(16, createdDate, true);
  view.setUint16(18, options.accessed ?? 0, true);
  view.setUint16(20, (options.cluster ?? 0) >>> 16, true);
  const [writtenDate, writtenTime] = options.written ?? [0, 0];
  view.setUint16(22, writtenTime, true);
  view.setUint16(24, writtenDate, true);
  view.setUint16(26, (options.cluster ?? 0) & 0xffff, true);
  view.setUint32(28, options.size ?? 0, true);
  return slot;
}

/** The checksum of a short name, written out bit by bit. */
export function checksum(name: string | readonly number[]): number {
  const bytes = typeof name === 'string' ? Array.from(name, (c) => c.charCodeAt(0)) : name;
  return bytes.reduce((sum, byte) => ((sum % 2 ? 128 : 0) + Math.floor(sum / 2) + byte) % 256, 0);
}

/** The long slots of a name, in the order of the disk: its end first. */
export function long(name: string, shortName: string | readonly number[]): Uint8Array[] {
  const count = Math.ceil(name.length / 13);
  const places = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30];
  const slots = Array.from({ length: count }, (_, part) => {
    const slot = new Uint8Array(32);
    const view = new DataView(slot.buffer);
    slot[0] = part + 1;
    slot[11] = 0x0f;
    slot[13] = checksum(shortName);
    places.forEach((place, i) => {
      const at = 13 * part + i;
      const unit = at < name.length ? name.charCodeAt(at) : at === name.length ? 0 : 0xffff;
      view.setUint16(place, unit, true);
    });
    return slot;
  });
  slots[count - 1][0] |= 0x40;
  return slots.reverse();
}

/** The same slots as deletion leaves them. */
export function deleted(...slots: Uint8Array[]): Uint8Array[] {
  return slots.map((slot) => {
    const copy = slot.slice();
    copy[0] = 0xe5;
    return copy;
  });
}

/** The `.` and `..` slots that a directory starts with. */
export function dots(own: number, parent: number): Uint8Array[] {
  return [
    short('.          ', { attributes: 0x10, cluster: own }),
    short('..         ', { attributes: 0x10, cluster: parent }),
  ];
}

export const date = (year: number, month: number, day: number) =>
  ((year - 1980) << 9) | (month << 5) | day;
export const time = (hours: number, minutes: number, seconds: number) =>
  (hours << 11) | (minutes << 5) | (seconds >> 1);
