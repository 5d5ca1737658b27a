import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { run } from './ext-tools';
import type { Extent } from '../../../src/filesystem/extents';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import type { FileContent } from '../../../src/filesystem/file-content';
import type { NodeId } from '../../../src/filesystem/node';
import type { Timestamp } from '../../../src/filesystem/timestamp';

/** What can be known of a file from outside. */
export interface Seen {
  readonly id: number;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
  /** In nanoseconds since 1970. */
  readonly modified: bigint;
  readonly accessed: bigint;
  readonly changed: bigint;
  readonly device?: string;
  readonly target?: string;
  readonly sha256?: string;
}

/** By path below the root; names are bytes, one character each. */
export type Tree = ReadonlyMap<string, Seen>;

const chunkSize = 1 << 20;

/** The tree as this project reads it. */
export function readTree(fileSystem: FileSystem): Tree {
  const tree = new Map<string, Seen>();
  const visit = (directory: NodeId, prefix: string) => {
    const table = fileSystem.entries(directory);
    if (table.problems.length > 0) throw new Error(table.problems[0].message);
    for (let i = 0; i < table.length; i++) {
      const hex = table.nameHex(i);
      const name = hex === undefined ? Buffer.from(table.name(i)) : Buffer.from(hex, 'hex');
      const path = `${prefix}/${name.toString('latin1')}`;
      const seen = readNode(fileSystem, table.nodes[i]);
      if (table.type(i) !== seen.type) throw new Error(`${path} is listed as ${table.type(i)}`);
      tree.set(path, seen);
      if (seen.type === 'directory') visit(seen.id, path);
    }
  };
  visit(fileSystem.root, '');
  return tree;
}

function readNode(fileSystem: FileSystem, id: NodeId): Seen {
  const node = fileSystem.node(id);
  const content = fileSystem.content(id);
  if (content.problems.length > 0) throw new Error(content.problems[0].message);
  return {
    id: node.number,
    type: node.type,
    size: node.size,
    mode: node.mode ?? 0,
    uid: node.uid ?? -1,
    gid: node.gid ?? -1,
    links: node.links ?? -1,
    modified: inNanoseconds(node.modified),
    accessed: inNanoseconds(node.accessed),
    changed: inNanoseconds(node.changed),
    ...(node.device && { device: `${node.device.major}:${node.device.minor}` }),
    ...(node.type === 'symlink' && { target: textOf(content) }),
    ...(node.type === 'file' && { sha256: hashOf(content) }),
  };
}

function inNanoseconds(time: Timestamp | null | undefined): bigint {
  if (!time) throw new Error('a time is missing');
  return BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds);
}

function textOf(content: FileContent): string {
  const bytes = Buffer.alloc(content.size);
  content.read(0, bytes);
  return bytes.toString('latin1');
}

function hashOf(content: FileContent): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(Math.min(chunkSize, content.size));
  for (let at = 0; at < content.size; at += chunkSize) {
    const length = Math.min(chunkSize, content.size - at);
    if (content.read(at, chunk.subarray(0, length)) !== length) throw new Error('a short read');
    hash.update(chunk.subarray(0, length));
  }
  return hash.digest('hex');
}

/** The tree as the kernel shows it below a folder. */
export function readHostTree(root: string): Tree {
  const tree = new Map<string, Seen>();
  const visit = (folder: Buffer, prefix: string) => {
    for (const name of fs.readdirSync(folder, { encoding: 'buffer' })) {
      const place = Buffer.concat([folder, Buffer.from('/'), name]);
      const path = `${prefix}/${name.toString('latin1')}`;
      const stat = fs.lstatSync(place, { bigint: true });
      tree.set(path, seenByHost(place, stat));
      if (stat.isDirectory()) visit(place, path);
    }
  };
  visit(Buffer.from(root), '');
  return tree;
}

function seenByHost(place: Buffer, stat: fs.BigIntStats): Seen {
  const type = typeOf(stat);
  return {
    id: Number(stat.ino),
    type,
    size: Number(stat.size),
    mode: Number(stat.mode),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    links: Number(stat.nlink),
    modified: stat.mtimeNs,
    accessed: stat.atimeNs,
    changed: stat.ctimeNs,
    ...(type.endsWith('dev') && { device: deviceOf(stat.rdev) }),
    ...(type === 'symlink' && {
      target: fs.readlinkSync(place, { encoding: 'buffer' }).toString('latin1'),
    }),
    ...(type === 'file' && { sha256: hashOfHostFile(place, Number(stat.size)) }),
  };
}

function typeOf(stat: fs.BigIntStats): string {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symlink';
  if (stat.isCharacterDevice()) return 'chardev';
  if (stat.isBlockDevice()) return 'blockdev';
  return stat.isFIFO() ? 'fifo' : 'socket';
}

/** As glibc's `gnu_dev_major` and `gnu_dev_minor`. */
function deviceOf(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

function hashOfHostFile(place: Buffer, size: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(Math.min(chunkSize, size));
  const file = fs.openSync(place, 'r');
  try {
    for (let at = 0; at < size; at += chunkSize) {
      hash.update(chunk.subarray(0, fs.readSync(file, chunk, 0, chunk.length, at)));
    }
  } finally {
    fs.closeSync(file);
  }
  return hash.digest('hex');
}

/** What filefrag says of each file, through FIEMAP of the kernel. */
export function extentsByFilefrag(paths: readonly string[]): Extent[][] {
  const report = run('filefrag', ['-v', ...paths]);
  const files = report.split(/^File size of .*\n/m).slice(1);
  return files.map((text) =>
    [...text.matchAll(/^ *\d+: *(\d+)\.\. *\d+: *(\d+)\.\. *\d+: *(\d+):(.*)$/gm)]
      .filter(([, , , , flags]) => !flags.includes('inline'))
      .map(([, logical, physical, length, flags]) =>
        extent(Number(logical), Number(physical), Number(length), flags.includes('unwritten')),
      ),
  );
}

/** What debugfs says of each inode; its own blocks, not those that map them. */
export function extentsByDebugfs(image: string, inodes: readonly number[]): Extent[][] {
  const commands = inodes.map((inode) => `stat <${inode}>`).join('\n');
  const report = run('debugfs', ['-f', '-', image], commands);
  const parts = report.split(/^debugfs: stat .*\n/m).slice(1);
  return parts.map((part) => {
    const list = part.split(/^(?:EXTENTS|BLOCKS):\n/m)[1] ?? '';
    return [...list.matchAll(/\((\d+)(?:-(\d+))?(\[u\])?\):(\d+)/g)].map(
      ([, first, last = first, mark, physical]) =>
        extent(
          Number(first),
          Number(physical),
          Number(last) - Number(first) + 1,
          mark !== undefined,
        ),
    );
  });
}

function extent(logical: number, physical: number, length: number, unwritten: boolean): Extent {
  return unwritten ? { logical, physical, length, unwritten } : { logical, physical, length };
}

/** Joined where they continue: the tools differ in where they cut. */
export function joined(extents: readonly Extent[]): Extent[] {
  const result: Extent[] = [];
  for (const next of extents) {
    const last = result.at(-1);
    if (
      last &&
      last.logical + last.length === next.logical &&
      last.physical + last.length === next.physical &&
      last.unwritten === next.unwritten
    ) {
      result[result.length - 1] = { ...last, length: last.length + next.length };
    } else {
      result.push(next);
    }
  }
  return result;
}
