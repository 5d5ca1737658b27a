/**
 * What a trim takes, beside `fstrim` on a mount of the same image and a plain loop of calls that
 * make holes: `node test/bench/trim.mjs [FOLDER]`. Images of some 2 GiB on the host are made in
 * FOLDER and kept there, or in a temporary folder. Needs root and Python.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { compare, loadEngine } from './engine.mjs';
import { fill, makeFinelyFragmentedExt4, makeHugeExt4, run } from './images.mjs';

const { ImageSession } = await loadEngine('src/session/image-session.ts');

const punchLoop = `
import ctypes, os, sys
punch = ctypes.CDLL(None, use_errno=True).fallocate
punch.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
image = os.open(sys.argv[1], os.O_RDWR)
for line in open(sys.argv[2]):
    offset, length = map(int, line.split())
    if punch(image, 3, offset, length) != 0: raise OSError(ctypes.get_errno())
os.fsync(image)
`;

function timed(work) {
  const start = performance.now();
  const result = work();
  return [performance.now() - start, result];
}

function open(image, folder) {
  return ImageSession.open(image, { stateFolder: folder, undoFolder: folder });
}

/** Has a range of units hold data on the host. */
function fillUnits(image, { fileSystem }, starts, lengths) {
  const descriptor = openSync(image, 'r+');
  const bytes = Buffer.alloc(1024 * 1024, 0x3f);
  for (let i = 0; i < starts.length; i++) {
    const offset = fileSystem.offsetOf(starts[i]);
    const length = lengths[i] * fileSystem.unit.size;
    for (let done = 0; done < length; done += bytes.length) {
      writeSync(descriptor, bytes, 0, Math.min(bytes.length, length - done), offset + done);
    }
  }
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Free extents that hold data: those of a few blocks, which the files have lost. */
function holesOfFiles({ fileSystem }) {
  const { starts, lengths } = fileSystem.freeSpace();
  const isSmall = (_, i) => lengths[i] <= 16;
  return [starts.filter(isSmall), lengths.filter(isSmall)];
}

/** Plans and applies a trim, then saves it. @returns milliseconds for each, and what was done */
function trimmed(image, folder) {
  const session = open(image, folder);
  const operation = { kind: 'trim', volume: 0, minimum: 0 };
  const [planned] = timed(() => session.edits.plan(operation));
  const [applied, { trim }] = timed(() => session.edits.edit(operation));
  const options = { overwrite: false, undoLimit: 0, dropUndo: true };
  const [saved, { reclaimed }] = timed(() => session.edits.save(options));
  session.close();
  return { planned, applied, saved, trim, reclaimed };
}

function tell(what, { planned, applied, saved, trim, reclaimed }) {
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(3)} s`;
  console.log(
    `  ${what}: plan ${seconds(planned)}, apply ${seconds(applied)}, save ${seconds(saved)}; ` +
      `${trim.extents} extents punched, ${trim.skippedHoles} were holes, ` +
      `${Math.round(reclaimed / 2 ** 20)} MiB reclaimed`,
  );
  return planned + applied + saved;
}

/** What `fstrim` takes until its holes outlive a power cut. */
function kernelTrim(image) {
  let took = 0;
  fill(image, (mounted) => {
    [took] = timed(() => {
      run('fstrim', [mounted]);
      run('sync', [image]);
    });
  });
  return took;
}

function benchFragmented(folder) {
  const image = made(folder, 'finely-fragmented.img', makeFinelyFragmentedExt4);
  const session = ImageSession.open(image);
  const volume = session.volume();
  const [starts, lengths] = holesOfFiles(volume);
  const owned = volume.fileSystem.ownership();
  const isFile = (_, i) => owned.roles[i] === owned.roles[owned.starts.indexOf(starts[1] + 2)];
  console.log(`2 GiB ext4, ${starts.length} free extents with data`);
  fillUnits(image, volume, owned.starts.filter(isFile), owned.lengths.filter(isFile));

  const list = join(folder, 'extents.txt');
  const { fileSystem } = volume;
  const lines = Array.from(starts, (start, i) => [
    fileSystem.offsetOf(start),
    lengths[i] * fileSystem.unit.size,
  ]);
  writeFileSync(list, lines.map((range) => range.join(' ')).join('\n'));
  const anew = () => fillUnits(image, volume, starts, lengths);
  anew();
  const [loop] = timed(() => run('python3', ['-c', punchLoop, image, list]));
  anew();
  trimmed(image, folder); // warms up
  anew();
  const ours = tell('trim', trimmed(image, folder));
  tell('once more', trimmed(image, folder));
  anew();
  const kernel = kernelTrim(image);
  compare('  all of it', ours, 'fstrim', kernel);
  compare('  all of it', ours, 'loop of fallocate', loop);
  session.close();
  rmSync(list);
}

function benchHuge(folder) {
  const image = made(folder, 'huge.img', makeHugeExt4);
  console.log('15 TiB ext4, fresh');
  trimmed(image, folder);
  const ours = tell('trim', trimmed(image, folder));
  compare('  all of it', ours, 'fstrim', kernelTrim(image));
}

function made(folder, name, make) {
  const image = join(folder, name);
  if (!existsSync(image)) {
    console.log(`making ${name} …`);
    make(`${image}.part`);
    renameSync(`${image}.part`, image);
  }
  return image;
}

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
mkdirSync(folder, { recursive: true });
try {
  benchFragmented(folder);
  benchHuge(folder);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
