/**
 * What a check takes, beside the reference checkers on the same images:
 * `node test/bench/check.mjs [FOLDER]`. The images, some 3 GiB on a host with sparse files, are made
 * in FOLDER and kept there, or in a temporary folder. Needs root, and `npm run build` before it. The
 * engine is measured warm, as it is in an editor, and as a whole process, as it is in a pipeline; a
 * tool as a whole process.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, loadEngine, measure } from './engine.mjs';
import {
  environment,
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

function bench(folder, name, make, [tool, ...options], accept) {
  const image = join(folder, name);
  if (!existsSync(image)) {
    console.log(`making ${name} …`);
    make(`${image}.part`);
    renameSync(`${image}.part`, image);
  }
  console.log(`${name}: ${check(image)} errors`);
  const args = [...options, image];
  const reference = measure(() => run(tool, args, { accept }), 1);
  compare(
    '  warm engine',
    measure(() => check(image), 8),
    tool,
    reference,
  );
  const alone = [commandLine, 'check', image];
  const whole = measure(() => run(process.execPath, alone, { accept: [0, 4] }), 2);
  compare('  whole process', whole, tool, reference);
  const mebibytes = (kibibytes) => `${Math.round(kibibytes / 1024)} MiB`;
  const ours = peakMemory(process.execPath, alone, [0, 4]);
  console.log(
    `  memory ${mebibytes(ours)}, of ${tool} ${mebibytes(peakMemory(tool, args, accept))}`,
  );
}

function benchAll(folder) {
  const ext = ['e2fsck', '-fn'];
  bench(folder, 'fragmented-ext4.img', makeFragmentedExt4, ext, [0]);
  bench(folder, 'tree.img', makeTree, ext, [0]);
  bench(folder, 'large-directory.img', makeLargeDirectory, ext, [0]);
  const fat = ['fsck.fat', '-n'];
  const fragmented = (clusterSize) => (image) => makeFragmentedFat32(image, clusterSize);
  bench(folder, 'fragmented-fat32-4096.img', fragmented(4096), fat, [0, 1]);
  bench(folder, 'fragmented-fat32-512.img', fragmented(512), fat, [0, 1]);
  bench(folder, 'large-fat-directory.img', makeLargeFatDirectory, fat, [0, 1]);
}

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
mkdirSync(folder, { recursive: true });
try {
  benchAll(folder);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
