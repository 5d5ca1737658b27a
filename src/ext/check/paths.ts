import { readBytes } from '../../image/bytes';
import { rootInode } from '../inode';
import { decodeRecordLength, isDots } from '../records';
import type { CheckContext } from './context';

const deepest = 256;
const headerLength = 8;
const blocksLimit = 20_000; // of the directories that are searched for names

/** The paths of the inodes that findings speak of, found by one walk through their directories. */
export class Paths {
  private readonly names = new Map<number, string>();

  constructor(private readonly context: CheckContext) {}

  /** Learns the names of these inodes and of the directories above them. */
  learn(inodes: Iterable<number>): void {
    const wanted = new Map<number, Set<number>>();
    for (const inode of inodes) {
      let at = inode;
      for (let depth = 0; depth < deepest && at !== rootInode; depth++) {
        const parent = this.parentOf(at);
        if (parent === 0) break;
        const children = wanted.get(parent) ?? new Set();
        if (children.has(at)) break;
        wanted.set(parent, children.add(at));
        at = parent;
      }
    }
    let budget = blocksLimit;
    for (const [directory, children] of wanted) budget = this.search(directory, children, budget);
  }

  pathOf(inode: number): string | undefined {
    if (inode === rootInode) return '/';
    const parts: string[] = [];
    let at = inode;
    for (let depth = 0; depth < deepest; depth++) {
      if (at === rootInode) return `/${parts.reverse().join('/')}`;
      const name = this.names.get(at);
      if (name === undefined) return undefined;
      parts.push(name);
      at = this.parentOf(at);
    }
    return undefined;
  }

  private parentOf(inode: number): number {
    return this.context.directories.find(inode)?.parent || this.context.inodes.parent(inode);
  }

  /** @returns how many blocks may still be read */
  private search(number: number, children: ReadonlySet<number>, budget: number): number {
    const { volume, directories } = this.context;
    const { blockSize } = volume.geometry;
    const directory = directories.find(number);
    let left = budget;
    let found = 0;
    for (let i = directory?.firstRun ?? 0; i < (directory?.endRun ?? 0); i++) {
      const { physical, length } = directories.run(i);
      for (let block = 0; block < length && physical > 0; block++) {
        if (left <= 0 || found >= children.size) return left;
        left -= 1;
        const bytes = readBytes(volume.bytes, (physical + block) * blockSize, blockSize);
        found += this.read(bytes, children);
      }
    }
    return left;
  }

  private read(bytes: Uint8Array, children: ReadonlySet<number>): number {
    const view = new DataView(bytes.buffer);
    let found = 0;
    for (let at = 0; at + headerLength <= bytes.length;) {
      const inode = view.getUint32(at, true);
      const length = decodeRecordLength(view.getUint16(at + 4, true), bytes.length);
      if (length < headerLength || at + length > bytes.length) break;
      const name = bytes.subarray(at + headerLength, at + headerLength + bytes[at + 6]);
      if (children.has(inode) && !isDots(name) && name.length > 0 && !this.names.has(inode)) {
        this.names.set(inode, new TextDecoder().decode(name));
        found += 1;
      }
      at += length;
    }
    return found;
  }
}
