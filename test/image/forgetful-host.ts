import type { ByteRange } from '../../src/image/edits';
import { ImageError } from '../../src/image/errors';
import type { FileStamp, Host, HostFile } from '../../src/image/host';
import type { Random } from '../support/random';

const sector = 512;

/** Thrown in the middle of a call: nothing of the program runs on. */
export class PowerCut extends Error {}

/** What was asked of a file and is not synced: sectors, each whole or not at all. */
interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** It makes a hole, which a piece of data does away with. */
  readonly isHole: boolean;
}

class Disk {
  /** What outlives a power cut. */
  durable = new Uint8Array(0);
  /** What readers see. */
  current = new Uint8Array(0);
  pending: Piece[] = [];
  /** Blocks of the host that hold data. */
  readonly data = new Set<number>();
  changes = 0n;

  constructor(readonly inode: bigint) {}
}

type NameChange = (names: Map<string, Disk>) => void;

/**
 * A host in memory that loses its power at a chosen call. Then each sector that was written and
 * not synced is there or not, whatever the order, and so is each name; a write that is under way
 * has its sectors there or not as well.
 */
export class ForgetfulHost implements Host {
  /** Calls so far that change something, or sync it. */
  calls = 0;
  /** The call at which the power goes. */
  cutAt = Infinity;
  /** The call that fails; those after it do not. */
  failAt = Infinity;
  /** Bytes that may be allocated; a write that needs more fails. */
  room = Infinity;
  isReadOnly = false;
  canPunch = true;
  canReserve = true;
  private names = new Map<string, Disk>();
  private durableNames = new Map<string, Disk>();
  private pendingNames: NameChange[] = [];
  private inodes = 0n;

  constructor(
    private readonly random: Random,
    readonly blockSize: number,
  ) {}

  /** A file that is there, and durable. Blocks of zeros are holes. */
  put(path: string, content: Uint8Array): void {
    const disk = new Disk(++this.inodes);
    disk.current = content.slice();
    disk.durable = content.slice();
    for (let at = 0; at < content.length; at += this.blockSize) {
      const block = content.subarray(at, at + this.blockSize);
      if (block.some((byte) => byte !== 0)) disk.data.add(at / this.blockSize);
    }
    this.names.set(path, disk);
    this.durableNames.set(path, disk);
  }

  content(path: string): Uint8Array {
    return this.disk(path).current.slice();
  }

  has(path: string): boolean {
    return this.names.has(path);
  }

  get paths(): string[] {
    return [...this.names.keys()];
  }

  allocated(path: string): number {
    return this.disk(path).data.size * this.blockSize;
  }

  /** Another program writes a byte. */
  disturb(path: string, offset: number): void {
    const disk = this.disk(path);
    disk.current[offset] ^= 0xff;
    disk.durable[offset] ^= 0xff;
    disk.data.add(Math.floor(offset / this.blockSize));
    disk.changes++;
  }

  /** The power comes back. */
  restart(): void {
    for (const change of this.pendingNames) if (this.random.below(2)) change(this.durableNames);
    this.pendingNames = [];
    this.names = new Map(this.durableNames);
    for (const disk of new Set(this.names.values())) {
      for (const piece of disk.pending) if (this.random.below(2)) store(disk, 'durable', piece);
      disk.pending = [];
      disk.current = disk.durable.slice();
    }
    this.cutAt = Infinity;
  }

  realPath(path: string): string {
    return path;
  }

  whyReadOnly(path: string): string | null {
    return this.isReadOnly ? `${path} cannot be written.` : null;
  }

  open(path: string, access: 'read' | 'write'): HostFile {
    if (access === 'write' && this.isReadOnly) throw new ImageError('unwritable', 'Read-only.');
    return new ForgetfulFile(this, this.disk(path), path);
  }

  create(path: string): HostFile {
    this.call();
    const disk = new Disk(++this.inodes);
    this.name((names) => names.set(path, disk));
    return new ForgetfulFile(this, disk, path);
  }

  list(folder: string): string[] {
    const start = `${folder}/`;
    return this.paths.filter((path) => path.startsWith(start)).map((p) => p.slice(start.length));
  }

  rename(from: string, to: string): void {
    this.call();
    const disk = this.disk(from);
    this.name((names) => {
      if (names.get(from) === disk) names.delete(from);
      names.set(to, disk);
    });
  }

  remove(path: string): void {
    this.call();
    this.name((names) => names.delete(path));
  }

  ensureFolder(): void {
    this.call();
  }

  syncFolder(): void {
    this.call();
    this.pendingNames = [];
    this.durableNames = new Map(this.names);
  }

  /** Counts a call, and ends the program at the one that was chosen. */
  call(): void {
    if (++this.calls >= this.cutAt) throw new PowerCut();
    if (this.calls === this.failAt) throw new ImageError('unwritable', 'The host failed.');
  }

  /** Takes room for a range of a file. @throws ImageError `no-room` */
  allocate(disk: Disk, offset: number, length: number): void {
    for (let block = Math.floor(offset / this.blockSize); length > 0; block++) {
      if (block * this.blockSize >= offset + length) return;
      if (disk.data.has(block)) continue;
      if (this.room < this.blockSize) throw new ImageError('no-room', 'The host is full.');
      this.room -= this.blockSize;
      disk.data.add(block);
    }
  }

  private name(change: NameChange): void {
    change(this.names);
    this.pendingNames.push(change);
  }

  private disk(path: string): Disk {
    const disk = this.names.get(path);
    if (!disk) throw new ImageError('unreadable', `${path} is not there.`);
    return disk;
  }
}

class ForgetfulFile implements HostFile {
  readonly size: number;

  constructor(
    private readonly host: ForgetfulHost,
    private readonly disk: Disk,
    readonly path: string,
  ) {
    this.size = disk.current.length;
  }

  get blockSize(): number {
    return this.host.blockSize;
  }

  get allocated(): number {
    return this.disk.data.size * this.blockSize;
  }

  get stamp(): FileStamp {
    const { inode, changes, current } = this.disk;
    return { device: 1n, inode, size: BigInt(current.length), modified: changes };
  }

  read(offset: number, target: Uint8Array): number {
    const part = this.disk.current.subarray(offset, offset + target.length);
    target.set(part);
    target.fill(0, part.length);
    return part.length;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.host.allocate(this.disk, offset, bytes.length);
    this.change(offset, bytes, false);
  }

  punch(offset: number, length: number): boolean {
    if (!this.host.canPunch) return false;
    if (offset % this.blockSize !== 0) throw new Error('A hole starts within a block.');
    if (length % this.blockSize !== 0 && offset + length !== this.size) {
      throw new Error('A hole ends within a block.');
    }
    for (let at = offset; at < offset + length; at += this.blockSize) {
      if (this.disk.data.delete(at / this.blockSize)) this.host.room += this.blockSize;
    }
    this.change(offset, new Uint8Array(length), true);
    return true;
  }

  reserve(offset: number, length: number): boolean {
    if (!this.host.canReserve) return false;
    this.host.allocate(this.disk, offset, length);
    this.disk.changes++;
    return true;
  }

  dataAfter(offset: number): ByteRange | null {
    const { blockSize } = this;
    const has = (at: number) => this.disk.data.has(Math.floor(at / blockSize));
    const next = (at: number) => (Math.floor(at / blockSize) + 1) * blockSize;
    let start = offset;
    while (start < this.size && !has(start)) start = next(start);
    if (start >= this.size) return null;
    let end = start;
    while (end < this.size && has(end)) end = next(end);
    return { offset: start, length: Math.min(end, this.size) - start };
  }

  sync(): void {
    this.host.call();
    this.disk.durable = this.disk.current.slice();
    this.disk.pending = [];
  }

  close(): void {
    // Nothing is held open.
  }

  /** What is written when the power goes counts as written, and not synced. */
  private change(offset: number, bytes: Uint8Array, isHole: boolean): void {
    this.disk.changes++;
    for (let at = 0; at < bytes.length;) {
      const next = Math.min(bytes.length, at + sector - ((offset + at) % sector));
      const piece = { offset: offset + at, bytes: bytes.slice(at, next), isHole };
      store(this.disk, 'current', piece);
      this.disk.pending.push(piece);
      at = next;
    }
    this.host.call();
  }
}

function store(disk: Disk, where: 'durable' | 'current', { offset, bytes }: Piece): void {
  const end = offset + bytes.length;
  if (end > disk[where].length) {
    const longer = new Uint8Array(end);
    longer.set(disk[where]);
    disk[where] = longer;
  }
  disk[where].set(bytes, offset);
}
