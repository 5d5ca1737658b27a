/**
 * Makes the images that the benchmarks measure: large, sparse, and laid out as real ones are.
 * Needs e2fsprogs and dosfstools; directories are filled through a mount, which needs root.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export const environment = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  LC_ALL: 'C',
  MKE2FS_CONFIG: '/dev/null', // the defaults of mke2fs itself, not those of the machine
};

/** Runs a tool to its end; a failure ends the benchmark. @returns what it printed */
export function run(tool, args, { input, accept = [0] } = {}) {
  const done = spawnSync(tool, args, {
    env: environment,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (done.error) throw new Error(`${tool} could not be run: ${done.error.message}`);
  if (!accept.includes(done.status)) {
    throw new Error(`${tool} ${args.join(' ').slice(0, 200)}: ${done.stderr || done.stdout}`);
  }
  return done.stdout;
}

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const ext4 =
  'ext_attr,resize_inode,dir_index,filetype,sparse_super,large_file,has_journal,extent,64bit,' +
  'flex_bg,huge_file,dir_nlink,extra_isize,metadata_csum';

function formatExt4(image, bytes, inodes) {
  const count = inodes ? ['-N', String(inodes)] : [];
  const options = ['-q', '-F', '-t', 'ext4', '-O', ext4, '-b', '4096', '-I', '256', ...count];
  run('mke2fs', [...options, image, `${bytes / 1024}k`]);
}

/** ext4 without files. */
export function makeEmptyExt4(image, size = 64 * mebibyte) {
  formatExt4(image, size);
}

/** 64 MiB of FAT32 without files. */
export function makeEmptyFat32(image) {
  run('mkfs.fat', ['-C', '-F', '32', '-s', '1', image, String(64 * 1024)]);
}

/** 16 GiB of ext4 in which ten files, all but filling it, have lost 8 blocks in every 16. */
export function makeFragmentedExt4(image) {
  formatExt4(image, 16 * gibibyte);
  punchFiles(image, 10, 8);
}

/** 2 GiB of ext4 in which a file, all but filling it, has lost 2 blocks in every 4. */
export function makeFinelyFragmentedExt4(image) {
  formatExt4(image, 2 * gibibyte);
  punchFiles(image, 1, 2);
}

/** Makes files, and takes so many blocks of each from every second place of that length. */
function punchFiles(image, files, lost) {
  const names = Array.from({ length: files }, (_, file) => `f${file}`);
  const blocks = 404_000;
  // All are allocated before any is punched, or the next one would fill the holes of the last.
  const script = names.flatMap((name) => [
    `write /dev/null ${name}`,
    `fallocate ${name} 0 ${blocks - 1}`,
  ]);
  for (const name of names) {
    for (let at = 0; at < blocks; at += 2 * lost) {
      script.push(`punch ${name} ${at} ${at + lost - 1}`);
    }
  }
  run('debugfs', ['-w', '-f', '-', image], { input: `${script.join('\n')}\n` });
}

/** 16 GiB of FAT32 in which files, a quarter of it together, have 8 clusters in every 16. */
export function makeFragmentedFat32(image, clusterSize) {
  run('truncate', ['-s', String(16 * gibibyte), image]);
  run('mkfs.fat', ['-F', '32', '-S', '512', '-s', String(clusterSize / 512), image]);
  changeFat32(image, (entries) => {
    const slots = [];
    const perFile = Math.ceil(gibibyte / clusterSize);
    for (let cluster = 16, file = 0; file < 4; file++) {
      const first = cluster;
      for (let taken = 0; taken < perFile; taken++) {
        const next = (cluster + 1) % 16 < 8 ? cluster + 1 : cluster + 9;
        entries[cluster] = taken === perFile - 1 ? 0x0fffffff : next;
        cluster = next;
      }
      slots.push(slot(`FILE${file}   DAT`, first, perFile * clusterSize));
    }
    return [{ cluster: 2, bytes: Buffer.concat(slots) }];
  });
}

/** FAT32 with a directory of 50,000 empty files, which is all but as many as one can hold. */
export function makeLargeFatDirectory(image) {
  const clusterSize = 4096;
  const first = 3;
  run('truncate', ['-s', String(gibibyte), image]);
  run('mkfs.fat', ['-F', '32', '-S', '512', '-s', String(clusterSize / 512), image]);
  changeFat32(image, (entries) => {
    const directory = slot('LARGE      ', first, 0);
    directory[11] = 0x10;
    const slots = ['.          ', '..         '].map((name, i) => {
      const dots = slot(name, i === 0 ? first : 0, 0);
      dots[11] = 0x10;
      return dots;
    });
    for (let i = 0; i < 50_000; i++) {
      slots.push(slot(`F${String(i).padStart(7, '0')}TXT`, 0, 0));
    }
    const bytes = Buffer.concat(slots);
    const clusters = Math.ceil(bytes.length / clusterSize);
    for (let i = 0; i < clusters; i++) {
      entries[first + i] = i === clusters - 1 ? 0x0fffffff : first + i + 1;
    }
    return [
      { cluster: 2, bytes: directory },
      { cluster: first, bytes },
    ];
  });
}

/**
 * Changes a FAT32 that was just made: `change` gets the entries of its table, and returns what
 * clusters are to hold. Its root directory is cluster 2.
 */
function changeFat32(image, change) {
  const descriptor = openSync(image, 'r+');
  try {
    const boot = Buffer.alloc(512);
    readSync(descriptor, boot, 0, 512, 0);
    const reserved = boot.readUInt16LE(14);
    const fats = boot[16];
    const fatBytes = boot.readUInt32LE(36) * 512;
    const dataStart = reserved * 512 + fats * fatBytes;

    const table = Buffer.alloc(fatBytes);
    readSync(descriptor, table, 0, fatBytes, reserved * 512);
    const written = change(new Uint32Array(table.buffer, table.byteOffset, fatBytes / 4));
    for (let copy = 0; copy < fats; copy++) {
      writeSync(descriptor, table, 0, fatBytes, reserved * 512 + copy * fatBytes);
    }
    for (const { cluster, bytes } of written) {
      const place = dataStart + (cluster - 2) * boot[13] * 512;
      writeSync(descriptor, bytes, 0, bytes.length, place);
    }
    // A count that is unknown, as it may be: tools then count for themselves.
    const unknown = Buffer.alloc(4, 0xff);
    writeSync(descriptor, unknown, 0, 4, boot.readUInt16LE(48) * 512 + 488);
  } finally {
    closeSync(descriptor);
  }
}

/** A 32-byte slot of a FAT directory. */
function slot(name, cluster, size) {
  const bytes = Buffer.alloc(32);
  bytes.write(name, 'latin1');
  bytes[11] = 0x20;
  bytes.writeUInt16LE(cluster >>> 16, 20);
  bytes.writeUInt16LE(0x21, 24);
  bytes.writeUInt16LE(cluster & 0xffff, 26);
  bytes.writeUInt32LE(size, 28);
  return bytes;
}

/** A fresh ext4 of 15 TiB, of which next to nothing is written. */
export function makeHugeExt4(image) {
  run('truncate', ['-s', String(15 * 1024 * gibibyte), image]);
  const lazy = 'lazy_itable_init=1,lazy_journal_init=1,nodiscard';
  run('mke2fs', ['-q', '-F', '-t', 'ext4', '-O', ext4, '-E', lazy, '-b', '4096', image]);
}

/** Mounts an image, with its folder at hand. */
export function fill(image, use) {
  const folder = `${image}.mount`;
  mkdirSync(folder);
  run('mount', ['-o', 'loop', image, folder]);
  try {
    use(folder);
  } finally {
    run('umount', [folder]);
    rmSync(folder, { recursive: true });
  }
}

/** ext4 with a directory of 50,000 files, every tenth of those it once had being deleted. */
export function makeLargeDirectory(image) {
  formatExt4(image, gibibyte, 120_000);
  fill(image, (folder) => {
    mkdirSync(join(folder, 'large'));
    const path = (i) => join(folder, 'large', `file number ${i}.txt`);
    for (let i = 0; i < 55_555; i++) closeSync(openSync(path(i), 'w'));
    for (let i = 0; i < 55_550; i += 10) rmSync(path(i));
  });
}

/** ext4 with a tree of directories, and in each of them 100 files of one to three blocks. */
export function makeTree(image, directories = 1000) {
  formatExt4(image, directories * 2 * mebibyte, directories * 120);
  const content = Buffer.alloc(12_288, 'x');
  fill(image, (folder) => {
    for (let d = 0; d < directories; d++) {
      const directory = join(folder, `part ${d % 10}`, `directory ${d}`);
      mkdirSync(directory, { recursive: true });
      for (let f = 0; f < 100; f++) {
        writeFileSync(join(directory, `file ${f}.dat`), content.subarray(0, 4096 * (1 + (f % 3))));
      }
    }
  });
}
