const empty = -1;

/** The names of one block, to find one that is there twice. Only what the block holds is kept. */
export class NameTable {
  private readonly slots: Int32Array;
  private readonly mask: number;
  private readonly starts: Uint16Array | Uint32Array;
  private readonly lengths: Uint8Array;
  private count = 0;

  /** @param blockSize of the blocks, in bytes: a record takes 12 of them or more */
  constructor(blockSize: number) {
    const most = Math.ceil(blockSize / 12);
    let size = 64;
    while (size < 2 * most) size *= 2;
    this.slots = new Int32Array(size).fill(empty);
    this.mask = size - 1;
    this.starts = new Uint32Array(most);
    this.lengths = new Uint8Array(most);
  }

  clear(): void {
    if (this.count > 0) this.slots.fill(empty);
    this.count = 0;
  }

  /** @returns whether the name is in the table already */
  add(bytes: Uint8Array, start: number, length: number): boolean {
    let hash = 0x811c9dc5; // FNV-1a
    for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & this.mask;
    for (; this.slots[slot] !== empty; slot = (slot + 1) & this.mask) {
      if (this.isName(this.slots[slot], bytes, start, length)) return true;
    }
    if (this.count === this.starts.length) return false;
    this.starts[this.count] = start;
    this.lengths[this.count] = length;
    this.slots[slot] = this.count;
    this.count += 1;
    return false;
  }

  private isName(row: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.lengths[row] !== length) return false;
    const other = this.starts[row];
    for (let i = 0; i < length; i++) if (bytes[other + i] !== bytes[start + i]) return false;
    return true;
  }
}
