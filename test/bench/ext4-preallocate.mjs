/**
 * What unwritten extents cost on ext4, with the workload of the discussion that they come from:
 * 1 GiB is preallocated, and blocks of 4 KiB are written into it at random places. The engine does
 * so with pieces of several sizes written around each of them, the Linux driver on a mount of the
 * same image; then both preallocate files beside each other.
 * `node test/bench/ext4-preallocate.mjs [FOLDER]`, where an image of some 2 GiB is made. Needs root
 * and Python.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { compare, loadEngine } from './engine.mjs';
import { fill, makeEmptyExt4, run } from './images.mjs';

const engine = await loadEngine('test/bench/edit-engine.ts');

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const length = 1024 * mebibyte;
const block = 4 * kibibyte;
const writes = 4096;
const chunks = [0, 64 * kibibyte, 256 * kibibyte, mebibyte];
const files = 16;
const fileLength = 256 * mebibyte;
const root = 2;

/** The same places in every run, none of them twice. */
function randomPlaces() {
  const blocks = length / block;
  const places = new Set();
  for (let state = 1; places.size < writes;) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    places.add((state >>> 8) % blocks);
  }
  return [...places].map((place) => place * block);
}

/** Changes the image with one editor, and gives it all up. @returns what `look` saw before that */
function attempt(path, chunk, change, look) {
  const bytes = engine.FileBytes.open(path);
  const image = new engine.EditedImage(bytes);
  const transaction = image.begin();
  const volume = new engine.WritableVolume(transaction, 0, image.size);
  const now = { seconds: Date.UTC(2024, 0, 1) / 1000, nanoseconds: 0 };
  const options = { now, policy: 'contiguous', progress: engine.noProgress, chunk };
  const editor = new engine.ExtEditor(volume, options);
  const made = change(editor);
  editor.finish();
  const seen = look(engine.openExt(new engine.VolumeBytes(transaction, 0, image.size)), made);
  image.rollback(transaction);
  bytes.close();
  return seen;
}

function timed(work) {
  const start = performance.now();
  const result = work();
  return [performance.now() - start, result];
}

/** The extents and blocks of a file as another tool has them. */
function extentsByDebugfs(path, name) {
  const said = run('debugfs', ['-R', `ex ${name}`, path]);
  const lines = said.split('\n').filter((line) => /^ *\d/.test(line));
  const leaves = lines.filter((line) => {
    const [level, levels] = line.trim().split('/').map(Number.parseFloat);
    return level === levels;
  });
  return leaves.length;
}

const kernelWrites = `
import os, sys, time
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.posix_fallocate(file, 0, int(sys.argv[2]))
os.fsync(file)
content = b'w' * 4096
start = time.perf_counter()
for place in sys.stdin.read().split(): os.pwrite(file, content, int(place))
os.fsync(file)
print((time.perf_counter() - start) * 1000)
`;

function benchWrites(path) {
  const places = randomPlaces();
  const content = new Uint8Array(block).fill(0x77);
  console.log(`${writes} writes of 4 KiB into 1 GiB of unwritten blocks`);
  const ours = chunks.map((chunk) => {
    const { took, extents, nodes, written } = attempt(
      path,
      chunk,
      (editor) => {
        const node = editor.createFile(root, 'preallocated', {});
        editor.preallocate(node, { offset: 0, length, keepSize: false, zero: false });
        const [took] = timed(() => {
          for (const place of places) editor.write(node, place, content);
        });
        return { node, took };
      },
      (fileSystem, { node, took }) => {
        const { extents, allocated } = fileSystem.content(node);
        const marked = extents.filter(({ unwritten }) => !unwritten);
        const written = marked.reduce((sum, run) => sum + run.length, 0) * block;
        const nodes = (allocated - length) / block;
        return { took, extents: extents.length, nodes, written };
      },
    );
    const name = chunk === 0 ? 'as Linux' : `pieces of ${chunk / kibibyte} KiB`;
    console.log(
      `  ${name.padEnd(18)} ${extents.toLocaleString('en').padStart(6)} extents, ` +
        `${String(nodes).padStart(3)} blocks of them, ` +
        `${(written / mebibyte).toFixed(0).padStart(5)} MiB written, ${took.toFixed(0).padStart(5)} ms`,
    );
    return took;
  });
  let kernel = 0;
  fill(path, (folder) => {
    const args = ['-c', kernelWrites, join(folder, 'preallocated'), String(length)];
    kernel = Number(run('python3', args, { input: places.join(' ') }));
  });
  const extents = extentsByDebugfs(path, 'preallocated');
  console.log(`  Linux: ${extents.toLocaleString('en')} extents, ${kernel.toFixed(0)} ms`);
  compare('  as Linux', ours[0], 'Linux', kernel);
  compare('  pieces of 1 MiB', ours[ours.length - 1], 'Linux', kernel);
  fill(path, (folder) => rmSync(join(folder, 'preallocated')));
}

function benchFiles(path) {
  console.log(`${files} files of ${fileLength / mebibyte} MiB preallocated`);
  const { took, extents } = attempt(
    path,
    0,
    (editor) => {
      const nodes = Array.from({ length: files }, (_, i) => editor.createFile(root, `f${i}`, {}));
      const [took] = timed(() => {
        for (const node of nodes) {
          editor.preallocate(node, { offset: 0, length: fileLength, keepSize: false, zero: false });
        }
      });
      return { nodes, took };
    },
    (fileSystem, { nodes, took }) => ({
      took,
      extents: nodes.reduce((sum, node) => sum + fileSystem.content(node).extents.length, 0),
    }),
  );
  let kernel = 0;
  const names = Array.from({ length: files }, (_, i) => `f${i}`);
  let fragments = 0;
  fill(path, (folder) => {
    [kernel] = timed(() => {
      for (const name of names) run('fallocate', ['-l', String(fileLength), join(folder, name)]);
      run('sync', [folder]);
    });
    const said = run(
      'filefrag',
      names.map((name) => join(folder, name)),
    );
    fragments = [...said.matchAll(/(\d+) extents? found/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  });
  console.log(`  pieces on the volume: ${extents}, by Linux ${fragments}`);
  compare('  all of them', took, 'fallocate', kernel);
}

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'fsimg-bench-'));
try {
  const path = join(folder, 'ext4.img');
  makeEmptyExt4(path, 8 * 1024 * mebibyte);
  benchWrites(path);
  benchFiles(path);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
