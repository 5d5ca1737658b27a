/** Decodes directories straight from an image file; shares nothing with the code under test. */
import { readAt } from './fat-tools';

export interface Slot {
  readonly offset: number;
  readonly kind: string;
  readonly name: string;
  readonly values: Record<string, number | string>;
}

export class PlainFat {
  private readonly fat: number;
  private readonly cluster: number;
  private readonly rootCluster: number;
  private readonly root: number;
  private readonly data: number;

  constructor(
    private readonly image: string,
    private readonly bits: 12 | 16 | 32,
  ) {
    const boot = readAt(image, 0, 512);
    const sector = boot.readUInt16LE(11);
    const fatSectors = boot.readUInt16LE(22) || boot.readUInt32LE(36);
    this.fat = sector * boot.readUInt16LE(14);
    this.cluster = sector * boot[13];
    this.rootCluster = boot.readUInt32LE(44);
    this.root = this.fat + boot[16] * fatSectors * sector;
    this.data = this.root + 32 * boot.readUInt16LE(17);
  }

  /** Where the slots of a directory lie. @param first cluster; 0 for the root */
  places(first: number): number[] {
    const from = (start: number, length: number) =>
      Array.from({ length: length / 32 }, (_, i) => start + 32 * i);
    if (first === 0 && this.bits !== 32) return from(this.root, this.data - this.root);
    const chain = this.chain(first || this.rootCluster);
    return chain.flatMap((cluster) => from(this.data + (cluster - 2) * this.cluster, this.cluster));
  }

  /** The slots of a directory as they are by their bytes. */
  slots(first: number): Slot[] {
    let hasEnded = false;
    return this.places(first).map((offset) => {
      const slot = this.decode(offset, hasEnded);
      hasEnded ||= slot.kind === 'end';
      return slot;
    });
  }

  private decode(offset: number, hasEnded: boolean): Slot {
    const raw = this.at(offset, 32);
    if (raw[0] === 0) return { offset, kind: hasEnded ? 'free' : 'end', name: '', values: {} };
    const isDeleted = raw[0] === 0xe5;
    const isLong = raw[11] === 0x0f;
    const isLabel = !isLong && (raw[11] & 8) !== 0;
    const used = isLong ? 'long' : isLabel ? 'label' : 'short';
    const kind = hasEnded ? 'unreachable' : isDeleted ? 'deleted' : used;
    if (isLong) {
      const part = Buffer.concat([raw.subarray(1, 11), raw.subarray(14, 26), raw.subarray(28)]);
      const name = part.toString('utf16le').split('\0')[0];
      const checksum = raw[13];
      return {
        offset,
        kind,
        name,
        values: isDeleted ? { checksum } : { order: raw[0] & 63, checksum },
      };
    }
    const high = this.bits === 32 ? raw.readUInt16LE(20) : 0;
    const name = this.shortName(raw, isDeleted);
    if (isLabel) return { offset, kind, name, values: {} };
    return {
      offset,
      kind,
      name,
      values: { firstCluster: high * 65_536 + raw.readUInt16LE(26), size: raw.readUInt32LE(28) },
    };
  }

  private shortName(raw: Buffer, isDeleted: boolean): string {
    const codePage437: Record<number, string> = { 0x8e: 'Ä', 0x99: 'Ö', 0x9a: 'Ü', 0xe1: 'ß' };
    const text = [...raw.subarray(0, 11)].map(
      (byte) => codePage437[byte] ?? String.fromCharCode(byte),
    );
    if (isDeleted) text[0] = '_';
    const cased = (part: string, flag: number) => (raw[12] & flag ? part.toLowerCase() : part);
    const base = cased(text.slice(0, 8).join('').trimEnd(), 0x08);
    const extension = cased(text.slice(8).join('').trimEnd(), 0x10);
    return extension ? `${base}.${extension}` : base;
  }

  private chain(first: number): number[] {
    const clusters = [];
    const last = { 12: 0xff7, 16: 0xfff7, 32: 0x0ffffff7 }[this.bits];
    for (let cluster = first; cluster < last;) {
      clusters.push(cluster);
      if (this.bits === 32) cluster = this.at(this.fat + 4 * cluster, 4).readUInt32LE() & 0xfffffff;
      else if (this.bits === 16) cluster = this.at(this.fat + 2 * cluster, 2).readUInt16LE();
      else {
        const pair = this.at(this.fat + Math.floor(1.5 * cluster), 2).readUInt16LE();
        cluster = cluster % 2 ? pair >> 4 : pair & 0xfff;
      }
    }
    return clusters;
  }

  private at(position: number, length: number): Buffer {
    return readAt(this.image, position, length);
  }
}
