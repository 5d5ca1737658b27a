// Makes the sample images with mke2fs, debugfs, e2fsck, mkfs.fat and mtools, and writes them
// beside this file, compressed. Needs no root. Run it only to change the samples:
//   node test/samples/make.mjs
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'samples-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

// A fixed day, so that two runs make images that hardly differ.
const day = Date.UTC(2024, 2, 1, 12, 0, 0) / 1000;
const env = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  SOURCE_DATE_EPOCH: String(day),
  E2FSPROGS_FAKE_TIME: String(day),
  MTOOLS_SKIP_CHECK: '1',
  TZ: 'UTC',
};
const run = (command, args, options = {}) =>
  execFileSync(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], ...options });

const MiB = 1024 * 1024;
const hostileName = '<img src=x onerror=alert(1)>.txt';

/** A host file with this content; `at` places it behind a hole. */
function hostFile(name, content, at = 0) {
  const path = join(work, name);
  const file = openSync(path, 'w');
  writeSync(file, Buffer.from(content), 0, undefined, at);
  closeSync(file);
  utimesSync(path, day, day);
  return path;
}

/** Text that is worth scrolling through and compresses well. */
function text(subject, lines) {
  const line = (i) => `${String(i + 1).padStart(6)}  ${subject}: line ${i + 1} of ${lines}\n`;
  return Array.from({ length: lines }, (_, i) => line(i)).join('');
}

function debugfs(image, commands) {
  run('debugfs', ['-w', '-f', '-', image], { input: `${commands.join('\n')}\n` });
}

/** e2fsck ends with 1 when it changed something, as it is asked to here. */
function e2fsck(image, flags) {
  try {
    run('e2fsck', [flags, image]);
  } catch (error) {
    if (error.status !== 1) throw error;
  }
}

function emptyImage(name, size) {
  const path = join(work, name);
  writeFileSync(path, '');
  truncateSync(path, size);
  return path;
}

/** Folders, links, holes, fragments and deleted names, by debugfs. */
function fillExt(image, { smallFile, extents }) {
  const readme = hostFile(
    'readme',
    'This image is a sample of the Filesystem Image Inspector.\n' +
      'Look at /deep, /fragments, /sparse.bin and, with deleted entries shown, /mail.\n',
  );
  const small = hostFile('small', text('small', smallFile));
  const large = hostFile('large', text('large', 4000));
  const sparse = hostFile('sparse', 'the only data stands behind a hole of one MiB\n', MiB);
  const pieces = Array.from({ length: 24 }, (_, i) => `piece-${String(i).padStart(2, '0')}.dat`);
  const letters = Array.from({ length: 12 }, (_, i) => `letter ${i + 1} to the editor.txt`);

  debugfs(image, [
    `write ${readme} README.txt`,
    'mkdir deep',
    'mkdir deep/er',
    'mkdir deep/er/and',
    'mkdir deep/er/and/deeper',
    `write ${small} deep/er/and/deeper/bottom.txt`,
    'symlink shortcut deep/er/and/deeper/bottom.txt',
    `symlink long-shortcut ${'deep/../'.repeat(10)}README.txt`,
    'mkdir names',
    `write ${small} "names/${'a long name '.repeat(20).trim()}"`,
    `write ${small} names/Größe-日本語-🗂.txt`,
    `write ${small} "names/${hostileName}"`,
    'mkdir fragments',
    ...pieces.map((name) => `write ${small} fragments/${name}`),
    'mkdir mail',
    ...letters.map((name) => `write ${small} "mail/${name}"`),
    `write ${sparse} sparse.bin`,
    'mkdir many',
    ...Array.from({ length: 600 }, (_, i) => `write ${readme} many/entry-${i}.txt`),
    'mkdir dev',
    'cd dev',
    'mknod null c 1 3',
    'mknod disk b 8 0',
    'mknod pipe p',
    'cd /',
  ]);
  e2fsck(image, '-fyD'); // indexes /many where the volume has dir_index; deletions come after it
  debugfs(image, [
    ...pieces.filter((_, i) => i % 2 === 0).map((name) => `rm fragments/${name}`),
    `write ${large} fragments/scattered.log`,
    ...letters.filter((_, i) => i % 3 === 1).map((name) => `rm "mail/${name}"`),
    'set_inode_field README.txt mtime 20240229120000',
    'set_inode_field deep/er/and/deeper/bottom.txt mtime 19650101000000',
    ...(extents ? [`write ${small} preallocated.db`, 'fallocate preallocated.db 64 191'] : []),
  ]);
  run('e2fsck', ['-fn', image]);
}

function makeExt2() {
  const image = emptyImage('ext2.img', 8 * MiB);
  const options = [
    '-b',
    '1024',
    '-I',
    '128',
    '-L',
    'SAMPLE-EXT2',
    '-E',
    'hash_seed=0e2f0000-0000-4000-8000-000000000001',
  ];
  const uuid = ['-U', '0e2f0000-0000-4000-8000-000000000002'];
  run('mke2fs', ['-q', '-t', 'ext2', '-N', '1024', ...options, ...uuid, image]);
  fillExt(image, { smallFile: 30, extents: false });
  return image;
}

function makeExt4(name, size, label, last) {
  const image = emptyImage(name, size);
  const options = ['-b', '4096', '-O', 'metadata_csum,64bit', '-L', label];
  const uuid = ['-U', `0e2f0000-0000-4000-8000-00000000000${last}`];
  run('mke2fs', ['-q', '-t', 'ext4', '-N', '1024', ...options, ...uuid, image]);
  fillExt(image, { smallFile: 150, extents: true });
  return image;
}

/** Folders, long names, fragments and deleted names, by mtools. */
function fillFat(image) {
  const readme = hostFile(
    'README.TXT',
    'This image is a sample of the Filesystem Image Inspector.\r\n',
  );
  const small = hostFile('small.txt', text('small', 60));
  const large = hostFile('large.log', text('large', 4000));
  const at = ['-i', image];
  const copy = (source, target) => run('mcopy', ['-m', ...at, source, `::${target}`]);
  copy(readme, '/README.TXT');
  for (const folder of ['/EFI', '/EFI/BOOT', '/boot', '/boot/grub', '/boot/grub/fonts', '/mail']) {
    run('mmd', [...at, `::${folder}`]);
  }
  copy(small, '/EFI/BOOT/BOOTX64.EFI');
  copy(small, '/boot/grub/grub.cfg');
  copy(small, '/boot/grub/fonts/A long name with spaces, and more of it.pf2');
  copy(small, '/boot/Größe-日本語.txt');
  copy(small, '/boot/lower.txt');
  run('mattrib', ['+r', '+h', '+s', ...at, '::/EFI/BOOT/BOOTX64.EFI']);
  for (let i = 1; i <= 12; i++) copy(small, `/mail/letter ${i} to the editor.txt`);
  run('mmd', [...at, '::/pieces']);
  for (let i = 10; i < 34; i++) copy(small, `/pieces/PIECE${i}.DAT`);
  for (let i = 10; i < 34; i += 2) run('mdel', [...at, `::/pieces/PIECE${i}.DAT`]);
  for (let i = 2; i <= 12; i += 3) run('mdel', [...at, `::/mail/letter ${i} to the editor.txt`]);
  return () => {
    copy(large, '/scattered.log');
    for (const i of [11, 15, 23]) run('mdel', [...at, `::/pieces/PIECE${i}.DAT`]);
    run('mdel', [...at, '::/boot/lower.txt']);
  };
}

function makeFat32() {
  const image = emptyImage('fat32.img', 34 * MiB);
  const options = ['-F', '32', '-s', '1', '-n', 'SAMPLE-FAT', '-i', '0e2ffa32', '--invariant'];
  run('mkfs.fat', [...options, image]);
  const scatter = fillFat(image);
  forgetNextFree(image); // or mtools would go on behind the last file, and nothing would scatter
  scatter();
  run('fsck.fat', ['-n', image]);
  return image;
}

/** Sets FSInfo's hint for the next free cluster (sector 1, byte 492) to "unknown". */
function forgetNextFree(image) {
  const file = openSync(image, 'r+');
  writeSync(file, Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, 512 + 492);
  closeSync(file);
}

/** A card as single-board computers boot from: an MBR, a FAT16 and an ext4 partition. */
function makeCard() {
  const fat = emptyImage('card-fat.img', 12 * MiB);
  run('mkfs.fat', ['-F', '16', '-s', '4', '-n', 'BOOT', '-i', '0e2ffa16', '--invariant', fat]);
  fillFat(fat)();
  run('fsck.fat', ['-n', fat]);
  const ext4 = makeExt4('card-ext4.img', 12 * MiB, 'ROOT', 5);

  const card = Buffer.alloc(25 * MiB);
  const partitions = [
    { type: 0x0e, start: 1 * MiB, image: fat },
    { type: 0x83, start: 13 * MiB, image: ext4 },
  ];
  partitions.forEach(({ type, start, image }, i) => {
    const content = readFileSync(image);
    const entry = 446 + 16 * i;
    card.writeUInt8(type, entry + 4);
    card.writeUInt32LE(start / 512, entry + 8);
    card.writeUInt32LE(content.length / 512, entry + 12);
    content.copy(card, start);
  });
  card.writeUInt32LE(0x0e2f0001, 440);
  card.writeUInt16LE(0xaa55, 510);
  const path = join(work, 'card.img');
  writeFileSync(path, card);
  return path;
}

mkdirSync(here, { recursive: true });
const samples = {
  'sample-fat32.img': makeFat32(),
  'sample-ext2.img': makeExt2(),
  'sample-ext4.img': makeExt4('ext4.img', 24 * MiB, 'SAMPLE-EXT4', 4),
  'sample-card.img': makeCard(),
};
for (const [name, image] of Object.entries(samples)) {
  const raw = readFileSync(image);
  const packed = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  writeFileSync(join(here, `${name}.br`), packed);
  if (process.argv[2]) copyFileSync(image, join(process.argv[2], name));
  console.log(`${name}: ${raw.length} bytes, ${packed.length} compressed`);
}
