import type { Finding } from './finding';
import { toHex } from './hex';
import { nodeTypes, type NodeId, type NodeType } from './node';

/** How the bytes of a table's names are to be read. */
export type NameEncoding = 'utf-8' | 'utf-16le';

/** What a directory says of one name. */
export interface Entry {
  readonly name: Uint8Array;
  readonly node: NodeId;
  /** The inode number, or the first cluster on FAT (0 where it has none). */
  readonly number: number;
  readonly type: NodeType;
  readonly deleted: boolean;
  /** Where its record or short slot starts in the image, in bytes. */
  readonly offset: number;
  /** The bytes on disk, where `name` could not take them over unchanged. */
  readonly undecodable?: Uint8Array;
}

/**
 * The entries of a directory in the order of the disk, as columns: a directory of 50,000 entries
 * is a few arrays, and strings are made for what is shown. `.` and `..` are not in it.
 */
export class EntryTable {
  constructor(
    readonly length: number,
    readonly nodes: Float64Array,
    readonly numbers: Float64Array,
    readonly offsets: Float64Array,
    private readonly types: Uint8Array,
    private readonly deletions: Uint8Array,
    private readonly encoding: NameEncoding,
    private readonly names: Uint8Array,
    private readonly nameEnds: Uint32Array,
    private readonly undecodable: ReadonlyMap<number, Uint8Array>,
    readonly problems: readonly Finding[],
  ) {}

  /** The name for people and paths; bytes that are no text show as U+FFFD. */
  name(index: number): string {
    return decoders[this.encoding].decode(this.nameBytes(index));
  }

  /** The name's bytes in hexadecimal, where `name` loses some of them. */
  nameHex(index: number): string | undefined {
    const raw = this.undecodable.get(index) ?? this.nameBytes(index);
    if (!this.undecodable.has(index) && this.isText(index)) return undefined;
    return toHex(raw);
  }

  type(index: number): NodeType {
    return nodeTypes[this.types[index]];
  }

  isDeleted(index: number): boolean {
    return this.deletions[index] !== 0;
  }

  /** The name as an `EntryKey` has it. */
  nameBytes(index: number): Uint8Array {
    return this.names.subarray(index === 0 ? 0 : this.nameEnds[index - 1], this.nameEnds[index]);
  }

  private isText(index: number): boolean {
    try {
      strictDecoders[this.encoding].decode(this.nameBytes(index));
      return true;
    } catch {
      return false;
    }
  }
}

const decoders = {
  'utf-8': new TextDecoder('utf-8', { ignoreBOM: true }),
  'utf-16le': new TextDecoder('utf-16le', { ignoreBOM: true }),
};
const strictDecoders = {
  'utf-8': new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
  'utf-16le': new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true }),
};

/** Collects the entries of one directory. */
export class EntryTableBuilder {
  private readonly nodes: number[] = [];
  private readonly numbers: number[] = [];
  private readonly offsets: number[] = [];
  private readonly types: number[] = [];
  private readonly deletions: number[] = [];
  private readonly nameEnds: number[] = [];
  private readonly undecodable = new Map<number, Uint8Array>();
  private names = new Uint8Array(4096);
  private used = 0;

  constructor(private readonly encoding: NameEncoding) {}

  add(entry: Entry): void {
    if (entry.undecodable) this.undecodable.set(this.nodes.length, entry.undecodable);
    this.nodes.push(entry.node);
    this.numbers.push(entry.number);
    this.offsets.push(entry.offset);
    this.types.push(nodeTypes.indexOf(entry.type));
    this.deletions.push(entry.deleted ? 1 : 0);
    this.addName(entry.name);
  }

  build(problems: readonly Finding[]): EntryTable {
    return new EntryTable(
      this.nodes.length,
      Float64Array.from(this.nodes),
      Float64Array.from(this.numbers),
      Float64Array.from(this.offsets),
      Uint8Array.from(this.types),
      Uint8Array.from(this.deletions),
      this.encoding,
      this.names.slice(0, this.used),
      Uint32Array.from(this.nameEnds),
      this.undecodable,
      problems,
    );
  }

  private addName(name: Uint8Array): void {
    if (this.used + name.length > this.names.length) {
      const larger = new Uint8Array(2 * (this.used + name.length));
      larger.set(this.names);
      this.names = larger;
    }
    this.names.set(name, this.used);
    this.used += name.length;
    this.nameEnds.push(this.used);
  }
}
