import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openExt } from '../../../src/ext/ext-filesystem';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import { VolumeBytes } from '../../../src/image/bytes';
import { FileBytes } from '../../../src/image/file-bytes';
import { PageCache } from '../../../src/image/page-cache';

const environment = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  LC_ALL: 'C',
  TZ: 'UTC',
  MKE2FS_CONFIG: '/dev/null', // the defaults of mke2fs itself, not those of the machine
};

/**
 * Runs a tool to its end and returns what it printed. A missing tool fails the test: these tests
 * mean nothing without e2fsprogs, util-linux and the right to mount.
 */
export function run(tool: string, args: readonly string[], input?: string, accept = [0]): string {
  const done = spawnSync(tool, args, {
    env: environment,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (done.error) throw new Error(`${tool} could not be run: ${done.error.message}`);
  if (!accept.includes(done.status ?? -1)) {
    throw new Error(`${tool} ${args.join(' ')} failed: ${done.stderr}${done.stdout}`);
  }
  return done.stdout;
}

/** In memory where the host can: mounting and unmounting wait for every write. */
const temporary = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** Calls `use` with a new folder, and removes it afterwards. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(temporary, 'ext-oracle-'));
  try {
    return await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const ext2 = 'ext_attr,resize_inode,dir_index,filetype,sparse_super,large_file';
const ext3 = `${ext2},has_journal`;
const ext4 = `${ext3},extent,64bit,flex_bg,huge_file,dir_nlink,extra_isize,metadata_csum`;
const bases = { none: '', ext2, ext3, ext4 };

/** How an image is made; features follow and may take back (`^`) those of the base. */
export interface Format {
  readonly base: keyof typeof bases;
  readonly features?: string;
  readonly blockSize: number;
  /** Further arguments of mke2fs. */
  readonly options?: string;
  /** As mke2fs takes it: `40M`. */
  readonly size: string;
}

/** Makes an image with mke2fs. @param from a folder whose content it gets */
export function makeImage(image: string, format: Format, from?: string): void {
  const features = ['none', bases[format.base], format.features].filter(Boolean).join(',');
  run('mke2fs', [
    ...['-q', '-F', '-b', String(format.blockSize), '-O', features],
    ...(format.options?.split(' ') ?? []),
    ...(from === undefined ? [] : ['-d', from]),
    image,
    format.size,
  ]);
}

/** Calls `use` with the folder that the image is mounted on. */
export function mounted<T>(image: string, mode: 'ro' | 'rw', use: (root: string) => T): T {
  const root = `${image}.mounted`;
  fs.mkdirSync(root, { recursive: true });
  run('mount', ['-t', 'ext4', '-o', `loop,${mode}`, image, root]);
  try {
    return use(root);
  } finally {
    run('umount', [root]);
  }
}

/** Calls `use` with the image as this project reads it. */
export function opened<T>(image: string, use: (fileSystem: FileSystem) => T): T {
  const file = FileBytes.open(image);
  try {
    return use(openExt(new VolumeBytes(new PageCache(file), 0, file.size)));
  } finally {
    file.close();
  }
}

/**
 * Free extents as dumpe2fs lists them, in blocks, joined where they touch.
 * @param clusterBlocks blocks in a cluster: of the last one dumpe2fs names the first block only
 */
export function freeExtentsOf(image: string, clusterBlocks = 1): [number, number][] {
  const joined: [number, number][] = [];
  for (const [, list] of run('dumpe2fs', [image]).matchAll(/^ {2}Free blocks: (.*)$/gm)) {
    for (const range of list.split(', ').filter(Boolean)) {
      const [first, last = first] = range.split('-').map(Number);
      const length = last - first + clusterBlocks;
      const before = joined.at(-1);
      if (before && before[0] + before[1] === first) before[1] += length;
      else joined.push([first, length]);
    }
  }
  return joined;
}

/** The head of dumpe2fs's report: its names and what they are set to. */
export function headOf(image: string): ReadonlyMap<string, string> {
  const lines = run('dumpe2fs', ['-h', image]).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    }),
  );
}
