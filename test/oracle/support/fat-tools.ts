import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openFat } from '../../../src/fat/fat-filesystem';
import { VolumeBytes } from '../../../src/image/bytes';
import { FileBytes } from '../../../src/image/file-bytes';
import { PageCache } from '../../../src/image/page-cache';

const environment = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  MTOOLSRC: '/dev/null', // nothing of the machine's own configuration
  MTOOLS_SKIP_CHECK: '1',
};

/** Runs a tool to its end and returns what it printed. A missing tool fails the test. */
export function run(tool: string, args: readonly string[], accept = [0]): string {
  const done = spawnSync(tool, args, { env: environment, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error) throw new Error(`${tool} could not be run: ${done.error.message}`);
  if (!accept.includes(done.status ?? -1)) {
    throw new Error(`${tool} ${args.join(' ')} failed: ${done.stderr || done.stdout}`);
  }
  return done.stdout;
}

/** In memory where the host can: a matrix of images is written and read back. */
const temporary = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export function withFolder<T>(use: (folder: string) => T): T {
  const folder = fs.mkdtempSync(path.join(temporary, 'fat-oracle-'));
  try {
    return use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** How an image is made. Sizes in bytes. */
export interface Format {
  readonly bits: 12 | 16 | 32;
  readonly sectorSize: number;
  readonly clusterSize: number;
  /** About as many clusters as it shall have. */
  readonly clusters: number;
  readonly fats: number;
  readonly reserved: number;
  /** Slots of the root; FAT12 and FAT16 only. */
  readonly rootEntries?: number;
  readonly label?: string;
}

/** Makes a sparse image with mkfs.fat. */
export function makeImage(image: string, format: Format): void {
  const { bits, sectorSize, clusterSize, clusters, fats, reserved } = format;
  const fatBytes = Math.ceil((clusters * bits) / 8 / sectorSize) * sectorSize;
  const before = reserved * sectorSize + fats * fatBytes + 32 * (format.rootEntries ?? 0);
  fs.rmSync(image, { force: true });
  fs.closeSync(fs.openSync(image, 'w'));
  fs.truncateSync(image, before + clusters * clusterSize);
  run('mkfs.fat', [
    ...['-F', `${bits}`, '-S', `${sectorSize}`, '-s', `${clusterSize / sectorSize}`],
    ...['-f', `${fats}`, '-R', `${reserved}`, '-i', '1234abcd', '-a'],
    ...(format.rootEntries === undefined ? [] : ['-r', `${format.rootEntries}`]),
    ...(format.label === undefined ? [] : ['-n', format.label]),
    image,
  ]);
}

export function openImage(image: string) {
  const bytes = FileBytes.open(image);
  const fileSystem = openFat(new VolumeBytes(new PageCache(bytes), 0, bytes.size));
  return { fileSystem, close: () => bytes.close() };
}

/** Runs one of mtools on an image; arguments that name files inside start with `::`. */
export function mtools(tool: string, image: string, ...args: string[]): string {
  return run(tool, ['-i', image, ...args]);
}

export interface FoundNode {
  readonly type: 'file' | 'directory';
  readonly size?: number;
  readonly sha256?: string;
  /** In seconds since 1970, UTC. */
  readonly modified?: number;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Everything below a folder of the host, by path. */
function hostTree(folder: string): Map<string, FoundNode> {
  const found = new Map<string, FoundNode>();
  const visit = (inside: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      const name = `${inside}/${entry.name}`;
      const { mtimeMs } = fs.statSync(path.join(folder, name));
      const modified = Math.floor(mtimeMs / 1000);
      if (entry.isDirectory()) {
        found.set(name, { type: 'directory', modified });
        visit(name);
      } else {
        const bytes = fs.readFileSync(path.join(folder, name));
        found.set(name, { type: 'file', size: bytes.length, sha256: sha256(bytes), modified });
      }
    }
  };
  visit('');
  return found;
}

/** Everything in an image as mtools reads it out. @param folder an empty one for what it copies */
export function mtoolsTree(image: string, folder: string): Map<string, FoundNode> {
  fs.mkdirSync(folder);
  mtools('mcopy', image, '-s', '-m', '-n', '-Q', '::/*', folder);
  return hostTree(folder);
}

/** Letters of the attributes of every file and directory but the root, by path. */
export function mtoolsAttributes(image: string): Map<string, string> {
  const lines = mtools('mattrib', image, '-/', '-X', '::/').split('\n').filter(Boolean);
  const found = lines.map((line) => {
    const [, letters, name] = /^([A-Z]*) *::(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`mattrib printed ${line}`);
    return [name, letters] as const;
  });
  return new Map(found.filter(([name]) => name !== '/'));
}

/** The cluster runs of files, as first and last cluster, by path. */
export function mtoolsRuns(image: string, files: readonly string[]): Map<string, number[][]> {
  const found = new Map<string, number[][]>();
  const printed = mtools('mshowfat', image, ...files.map((file) => `::${file}`));
  for (const line of printed.split('\n').filter(Boolean)) {
    const [, name, runs] = /^::(.*?)((?: <[\d-]+>)*) *$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`mshowfat printed ${line}`);
    const pairs = [...runs.matchAll(/<(\d+)(?:-(\d+))?>/g)];
    found.set(
      name,
      pairs.map(([, first, last]) => [Number(first), Number(last ?? first)]),
    );
  }
  return found;
}

/** Clusters in use and in all, as fsck.fat counts them; fails where it finds anything wrong. */
export function fsckClusters(image: string): { used: number; total: number } {
  const printed = run('fsck.fat', ['-n', '-v', image]);
  const [, used, total] = /(\d+)\/(\d+) clusters/.exec(printed) ?? [];
  if (total === undefined) throw new Error(`fsck.fat printed ${printed}`);
  return { used: Number(used), total: Number(total) };
}

/** How many clusters a boot sector's numbers leave room for; shares no code with ours. */
export function countClusters(image: string): number {
  const boot = readAt(image, 0, 512);
  const sectors = boot.readUInt16LE(19) || boot.readUInt32LE(32);
  const fatSectors = boot.readUInt16LE(22) || boot.readUInt32LE(36);
  const rootSectors = (boot.readUInt16LE(17) * 32) / boot.readUInt16LE(11);
  const before = boot.readUInt16LE(14) + boot[16] * fatSectors + rootSectors;
  return Math.floor((sectors - before) / boot[13]);
}

export function readAt(image: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = fs.openSync(image, 'r');
  fs.readSync(descriptor, bytes, 0, length, position);
  fs.closeSync(descriptor);
  return bytes;
}

/** Free runs, `[first, length]`, by a plain scan of the first FAT that shares no code with ours. */
export function scanFree(image: string, format: Format, clusters: number): [number, number][] {
  const start = format.reserved * format.sectorSize;
  const length = Math.ceil(((clusters + 2) * format.bits) / 8) + 1;
  const fat = readAt(image, start, length);
  const isFree = (cluster: number) => {
    if (format.bits === 32) return (fat.readUInt32LE(4 * cluster) & 0x0fffffff) === 0;
    if (format.bits === 16) return fat.readUInt16LE(2 * cluster) === 0;
    const nibbles = fat.subarray((3 * cluster) >> 1, ((3 * cluster) >> 1) + 2).readUInt16LE();
    return (cluster & 1 ? nibbles >> 4 : nibbles & 0xfff) === 0;
  };
  const runs: [number, number][] = [];
  for (let cluster = 2; cluster < clusters + 2; cluster++) {
    if (!isFree(cluster)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === cluster) last[1] += 1;
    else runs.push([cluster, 1]);
  }
  return runs;
}
