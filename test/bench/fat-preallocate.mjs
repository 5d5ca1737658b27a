/**
 * What a preallocation that keeps the size takes on FAT32: all clusters in one batch, beside one
 * cluster at a time as the Linux driver's `fat_fallocate` did it; the same engine in the same run.
 * `node test/bench/fat-preallocate.mjs [LARGEST]`, in MiB, 256 by default. Needs mkfs.fat, and a
 * host with sparse files.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { loadEngine } from './engine.mjs';

const engine = await loadEngine('test/bench/edit-engine.ts');

const files = 16;
const mebibyte = 1024 * 1024;
const lengths = [1, 16, 256];
const largest = Number(process.argv[2] ?? '256');

function makeImage(path, clusterSize) {
  const descriptor = openSync(path, 'w');
  ftruncateSync(descriptor, 5 * 1024 * mebibyte);
  closeSync(descriptor);
  const options = ['-F', '32', '-S', '512', '-s', `${clusterSize / 512}`, path];
  const done = spawnSync('mkfs.fat', options, {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  if (done.status !== 0) throw new Error(`mkfs.fat failed: ${done.stderr}`);
}

/** Preallocates all files anew, and takes it back. */
function preallocate(image, length, oneAtATime) {
  const transaction = image.begin();
  const volume = new engine.WritableVolume(transaction, 0, image.size);
  const options = {
    now: { seconds: Date.UTC(2024, 0, 1) / 1000, nanoseconds: 0 },
    policy: 'next-fit', // as the driver chooses, so that only the batching differs
    progress: engine.noProgress,
  };
  const editor = engine.openFatEditor(volume, new engine.CodePage(), options, oneAtATime);
  const nodes = Array.from({ length: files }, (_, i) => editor.createFile(0, `file${i}`, {}));
  const start = performance.now();
  let writes = 0;
  for (const node of nodes) {
    const request = { offset: 0, length, keepSize: true, zero: false };
    writes += editor.preallocate(node, request).metadataWrites;
  }
  editor.finish();
  const took = performance.now() - start;
  image.rollback(transaction);
  return { took, writes };
}

const time = (milliseconds) => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`.padStart(10);
const count = (value) => value.toLocaleString('en').padStart(12);

const folder = mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
try {
  for (const clusterSize of [512, 4096]) {
    const path = join(folder, `fat32-${clusterSize}.img`);
    makeImage(path, clusterSize);
    const bytes = engine.FileBytes.open(path);
    const image = new engine.EditedImage(bytes);
    console.log(`FAT32 with ${clusterSize}-byte clusters, ${files} files`);
    console.log('   length    one each     batched  improvement   sectors, one each     batched');
    for (const length of lengths.filter((mebibytes) => mebibytes <= largest)) {
      preallocate(image, mebibyte, false); // warms up
      const before = preallocate(image, length * mebibyte, true);
      const after = preallocate(image, length * mebibyte, false);
      const improvement = `${(before.took / after.took).toFixed(1)}x`.padStart(12);
      console.log(
        `${`${length} MiB`.padStart(9)} ${time(before.took)}  ${time(after.took)} ${improvement}` +
          `        ${count(before.writes)}${count(after.writes)}`,
      );
    }
    bytes.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
