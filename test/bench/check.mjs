/**
 * What a check takes, beside the reference checkers on the same images:
 * `node test/bench/check.mjs [FOLDER]`. The images, some 5 GiB on a host with sparse files, are made
 * in FOLDER and kept there, or in a temporary folder. Needs root, and `npm run build` before it. The
 * engine is measured warm, as it is in an editor, and as a whole process, as it is in a pipeline,
 * with and without what that takes to start; a tool as a whole process.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { compare, loadEngine, measure } from './engine.mjs';
import {
  environment,
  makeEmptyExt4,
  makeEmptyFat32,
  makeFragmentedExt4,
  makeFragmentedFat32,
  makeLargeDirectory,
  makeLargeFatDirectory,
  makeTree,
  run,
} from './images.mjs';

const commandLine = join(import.meta.dirname, '../../dist/cli.js');

const { ImageSession } = await loadEngine('src/session/image-session.ts');

/** @returns how many errors were found */
function check(image) {
  const session = ImageSession.open(image);
  try {
    const { findings } = session.volume().check();
    return findings.filter(({ severity }) => severity === 'error').length;
  } finally {
    session.close();
  }
}

/** The most memory that a process ever had at once, in KiB. */
function peakMemory(program, args, accept) {
  const done = spawnSync('/usr/bin/env', ['time', '-f', 'peak %M', program, ...args], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (!accept.includes(done.status)) throw new Error(`${program}: ${done.stderr}`);
  return Number(/peak (\d+)/.exec(done.stderr)[1]);
}

/** The path of an image, which is made where it is not there yet. */
function imageOf(folder, name, make) {
  const image = join(folder, name);
  if (!existsSync(image)) {
    console.log(`making ${name} …`);
    make(`${image}.part`);
    renameSync(`${image}.part`, image);
  }
  return image;
}

/** Milliseconds of the command line as a whole process. */
function measureProcess(image) {
  const args = [commandLine, 'check', image];
  return measure(() => run(process.execPath, args, { accept: [0, 4] }), 6);
}

/** @param startUp what a whole process takes on a volume of the family in which nothing is */
function bench(image, [tool, ...options], accept, startUp) {
  console.log(`${basename(image)}: ${check(image)} errors`);
  const args = [...options, image];
  const reference = measure(() => run(tool, args, { accept }), 4);
  compare(
    '  warm engine',
    measure(() => check(image), 8),
    tool,
    reference,
  );
  const whole = measureProcess(image);
  compare('  whole process', whole, tool, reference);
  compare(
    `  whole process without ${startUp.toFixed(0)} ms to start`,
    whole - startUp,
    tool,
    reference,
  );
  const mebibytes = (kibibytes) => `${Math.round(kibibytes / 1024)} MiB`;
  const ours = peakMemory(process.execPath, [commandLine, 'check', image], [0, 4]);
  console.log(
    `  memory ${mebibytes(ours)}, of ${tool} ${mebibytes(peakMemory(tool, args, accept))}`,
  );
}

function benchAll(folder) {
  const benchFamily = (tool, accept, empty, images) => {
    const startUp = measureProcess(imageOf(folder, ...empty));
    for (const [name, make] of images) bench(imageOf(folder, name, make), tool, accept, startUp);
  };
  benchFamily(
    ['e2fsck', '-fn'],
    [0],
    ['empty-ext4.img', makeEmptyExt4],
    [
      ['fragmented-ext4.img', makeFragmentedExt4],
      ['tree.img', makeTree],
      ['large-tree.img', (image) => makeTree(image, 4000)],
      ['large-directory.img', makeLargeDirectory],
    ],
  );
  benchFamily(
    ['fsck.fat', '-n'],
    [0, 1],
    ['empty-fat32.img', makeEmptyFat32],
    [
      ['fragmented-fat32-4096.img', (image) => makeFragmentedFat32(image, 4096)],
      ['fragmented-fat32-512.img', (image) => makeFragmentedFat32(image, 512)],
      ['large-fat-directory.img', makeLargeFatDirectory],
    ],
  );
}

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
mkdirSync(folder, { recursive: true });
try {
  benchAll(folder);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
