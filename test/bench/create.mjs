/**
 * How fast files are created in one directory, beside the kernel on a mount of the same image:
 * `node test/bench/create.mjs [MOST]`, 50,000 files by default. Needs root, mke2fs and mkfs.fat.
 * What is measured is the change until it can be undone, without a save, and in the kernel without
 * a sync.
 */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { loadEngine } from './engine.mjs';
import { fill, run } from './images.mjs';

const engine = await loadEngine('test/bench/edit-engine.ts');

const most = Number(process.argv[2] ?? '50000');
const counts = [10_000, 20_000, 30_000, 40_000, 50_000].filter((count) => count <= most);
const options = {
  now: { seconds: Date.UTC(2024, 0, 1) / 1000, nanoseconds: 0 },
  policy: 'contiguous',
  progress: engine.noProgress,
};
const ext = { open: (volume) => new engine.ExtEditor(volume, options), root: 2 };
const fat = {
  open: (volume) => engine.openFatEditor(volume, new engine.CodePage(), options),
  root: 0,
};
const nameOf = (i) => `file${String(i).padStart(8, '0')}`;

/** @returns files per second */
function inEngine(image, { open, root }, count, folder) {
  const edited = engine.EditedImage.open(image, { stateFolder: folder, undoFolder: folder });
  const start = performance.now();
  const transaction = edited.begin();
  const editor = open(new engine.WritableVolume(transaction, 0, edited.size));
  const directory = editor.createDirectory(root, 'large', {});
  for (let i = 0; i < count; i++) editor.createFile(directory, nameOf(i), {});
  editor.finish();
  edited.commit(transaction);
  const took = performance.now() - start;
  edited.close();
  return (count * 1000) / took;
}

/** @returns files per second */
function inKernel(image, count) {
  let took = 0;
  fill(image, (mounted) => {
    run('mkdir', [join(mounted, 'large')]);
    const start = performance.now();
    for (let i = 0; i < count; i++) closeSync(openSync(join(mounted, 'large', nameOf(i)), 'w'));
    took = performance.now() - start;
    run('rm', ['-r', join(mounted, 'large')]);
  });
  return (count * 1000) / took;
}

const rate = (value) => Math.round(value).toLocaleString('en').padStart(9);

function bench(title, image, family, folder, hasKernel) {
  console.log(`${title}, files per second`);
  inEngine(image, family, 2000, folder); // warms up
  for (const count of counts) {
    const ours = inEngine(image, family, count, folder);
    const kernel = hasKernel ? inKernel(image, count) : NaN;
    const beside = hasKernel ? `, kernel ${rate(kernel)}: ${(ours / kernel).toFixed(2)} of it` : '';
    console.log(`${count.toLocaleString('en').padStart(8)} files: engine ${rate(ours)}${beside}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
try {
  for (const [title, features] of [
    ['ext2, linear directory', '^dir_index,ext_attr,filetype,sparse_super'],
    ['ext2, indexed directory', 'dir_index,ext_attr,filetype,sparse_super'],
  ]) {
    const image = join(folder, 'ext2.img');
    run('truncate', ['-s', '512M', image]);
    run('mke2fs', ['-q', '-F', '-t', 'ext2', '-b', '4096', '-N', '65536', '-O', features, image]);
    bench(title, image, ext, folder, true);
    rmSync(image);
  }
  const image = join(folder, 'fat32.img');
  run('truncate', ['-s', '512M', image]);
  run('mkfs.fat', ['-F', '32', '-s', '8', image]);
  // Long names would fill the directory at 21,845 files.
  counts.splice(0, counts.length, ...counts.filter((count) => count <= 20_000));
  bench('FAT32', image, fat, folder, false);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
