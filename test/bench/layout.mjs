/**
 * What the engine takes for the questions about how an image lies on disk, beside the reference
 * tools on the same images: `node test/bench/layout.mjs [FOLDER]`. The images, some 1.3 GiB on a
 * host with sparse files, are made in FOLDER and kept there, or in a temporary folder. Needs root.
 * The engine is warm, as it is in an editor; a tool is measured as a whole process.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, loadEngine, measure } from './engine.mjs';
import {
  makeFragmentedExt4,
  makeFragmentedFat32,
  makeLargeDirectory,
  makeTree,
  run,
} from './images.mjs';

const { ImageSession } = await loadEngine('src/session/image-session.ts');

/** Opens an image that is made when it is not there yet. */
function open(folder, name, make) {
  const image = join(folder, name);
  if (!existsSync(image)) {
    console.log(`making ${name} …`);
    make(`${image}.part`);
    renameSync(`${image}.part`, image);
  }
  const session = ImageSession.open(image);
  return { image, session, fileSystem: session.volume().fileSystem };
}

const anew = (image) => ImageSession.open(image).volume();
const tool = (name, args) => measure(() => run(name, args), 3);

function benchFreeExt(folder) {
  const { image, session, fileSystem } = open(folder, 'fragmented-ext4.img', makeFragmentedExt4);
  const free = fileSystem.freeSpace();
  console.log(`16 GiB ext4, ${free.count} free extents`);
  const engine = measure(() => fileSystem.freeSpace());
  compare('  free map', engine, 'e2freefrag', tool('e2freefrag', [image]));
  compare('  free map', engine, 'dumpe2fs', tool('dumpe2fs', [image]));
  measureMap(session);
  session.close();
}

function benchFreeFat(folder, clusterSize) {
  const name = `fragmented-fat32-${clusterSize}.img`;
  const { image, session, fileSystem } = open(folder, name, (path) =>
    makeFragmentedFat32(path, clusterSize),
  );
  const free = fileSystem.freeSpace();
  console.log(`16 GiB FAT32 of ${clusterSize}-byte clusters, ${free.count} free extents`);
  const engine = measure(() => fileSystem.freeSpace());
  compare('  free map', engine, 'fsck.fat -n', tool('fsck.fat', ['-n', image]));
  // Without the hint of FSInfo mdir counts the free clusters, and keeps no list of them.
  compare('  free map', engine, 'mdir', tool('mdir', ['-i', image, '::']));
  measureMap(session);
  session.close();
}

/** What one redraw of the map takes once the volume is known. */
function measureMap(session) {
  const { layout, fileSystem } = session.volume();
  const { first, count } = fileSystem.unit;
  const query = { volume: 0, first, units: count, cells: 2000, highlight: null };
  const took = measure(() => layout.spaceMap(query), 20);
  const zoomed = { ...query, first: first + Math.floor(count / 3), units: Math.floor(count / 100) };
  const tookZoomed = measure(() => layout.spaceMap(zoomed), 20);
  console.log(
    `  map in 2000 cells: ${took.toFixed(2)} ms; of a hundredth of it ${tookZoomed.toFixed(2)} ms`,
  );
}

function benchRecords(folder) {
  const { image, session, fileSystem } = open(folder, 'large-directory.img', makeLargeDirectory);
  const { node } = session.volume().resolve('/large').at(-1);
  let records = 0;
  const engine = measure(() => {
    const raw = fileSystem.rawDirectory(node);
    records = raw.blocks.reduce((sum, _, block) => sum + raw.records(block).length, 0);
  });
  console.log(`directory of 50,000 entries, ${records} records`);
  const listed = tool('debugfs', ['-R', 'ls -d /large', image]);
  compare('  all records', engine, 'debugfs ls -d', listed);
  session.close();
}

function benchOwners(folder) {
  const { image, session, fileSystem } = open(folder, 'tree.img', makeTree);
  console.log('tree of 100,000 files');
  const { starts, nodes } = fileSystem.ownership();
  // Anew each time: a session keeps what it has found.
  const ownership = measure(() => anew(image).fileSystem.ownership());
  // Of a free block debugfs looks at all inodes once and compares next to nothing.
  const free = String(fileSystem.freeSpace().starts.at(-1));
  const one = tool('debugfs', ['-R', `icheck ${free}`, image]);
  compare('  block to inode, all', ownership, 'debugfs icheck, 1', one);
  // As many as one command line takes.
  const some = (values) => sample(values, 10_000).join(' ');
  const many = tool('debugfs', ['-R', `icheck ${some(starts)}`, image]);
  compare('  block to inode, all', ownership, 'debugfs icheck, 10,000', many);
  const inodes = [...new Set(nodes)].filter((node) => node > 10);
  const ncheck = tool('debugfs', ['-R', `ncheck ${some(inodes)}`, image]);
  const paths = measure(() => {
    const { layout } = anew(image);
    for (const inode of inodes) layout.pathsOf(inode);
  }, 3);
  compare('  inode to paths, all', paths, 'debugfs ncheck, 10,000', ncheck);
  session.close();
}

function sample(values, count) {
  const step = Math.max(1, Math.floor(values.length / count));
  return Array.from(values)
    .filter((_, i) => i % step === 0)
    .slice(0, count);
}

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), 'fsimg-bench-'));
mkdirSync(folder, { recursive: true });
try {
  benchFreeExt(folder);
  benchFreeFat(folder, 4096);
  benchFreeFat(folder, 512);
  benchRecords(folder);
  benchOwners(folder);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
