import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryKey, VolumeEditor } from '../../../src/filesystem/editing';
import { ImageError } from '../../../src/image/errors';
import { edit } from '../support/edited';
import { HandMade } from '../support/hand-made';

const root = 2;
const key = (directory: number, node: number, name: string): EntryKey => ({
  directory,
  node,
  name: new TextEncoder().encode(name),
});

/** An indexed directory, pointers at two levels, a symlink with a block, two names of one file. */
function sound(): HandMade {
  const image = new HandMade({
    blocks: 400,
    inodesPerGroup: 128,
    superblock: { s_feature_compat: 0x28, s_def_hash_version: 1, s_inodes_count: 128 },
  });
  // Inodes 1 to 11 are in use, and those past the last do not exist.
  const bitmap = image.block(image.first + 3).fill(0xff);
  bitmap.fill(0, 1, 16)[1] = 0x07;
  const free = { bg_free_blocks_count_lo: 400 - image.next, bg_free_inodes_count_lo: 117 };
  image.setDescriptor(0, { ...free, bg_used_dirs_count_lo: 1 });
  image.setSuperblock({ s_free_blocks_count_lo: 400 - image.next, s_free_inodes_count: 117 });
  edit(image, (editor) => {
    const large = editor.createDirectory(root, 'large', {});
    for (let i = 0; i < 90; i++) editor.createFile(large, `${i} ${'n'.repeat(i)}`, {});
    const file = editor.createFile(root, 'file', {});
    editor.write(file, 0, new Uint8Array(30_000).fill(7));
    editor.write(file, 300_000, new Uint8Array(3000).fill(8));
    editor.createLink(root, 'again', file);
    editor.createSymlink(root, 'symlink', 't'.repeat(100), {});
    editor.createDirectory(root, 'empty', {});
  });
  return image;
}

const steps: readonly ((editor: VolumeEditor) => void)[] = [
  (editor) => editor.createFile(root, 'new', {}),
  (editor) => editor.createFile(12, 'n'.repeat(200), {}),
  (editor) => editor.createDirectory(12, 'new', {}),
  (editor) => editor.createSymlink(root, 'new', 't'.repeat(500), {}),
  (editor) => editor.createLink(12, 'new', 103),
  (editor) => editor.write(103, 20_000, new Uint8Array(300_000).fill(1)),
  (editor) => editor.setSize(103, 500),
  (editor) => editor.preallocate(103, { offset: 0, length: 200_000, keepSize: false, zero: false }),
  (editor) => editor.remove(key(root, 103, 'file')),
  (editor) => editor.remove(key(root, 104, 'symlink')),
  (editor) => editor.remove(key(root, 105, 'empty')),
  (editor) => editor.move(key(root, 12, 'large'), 105, 'large'),
  (editor) => editor.move(key(root, 105, 'empty'), 12, 'empty'),
  (editor) => {
    for (let i = 0; i < 90; i++) editor.remove(key(12, 13 + i, `${i} ${'n'.repeat(i)}`));
  },
];

/** @returns whether all of it was done */
function attempt(image: HandMade, change: (editor: VolumeEditor) => void): boolean {
  if (image.open().editing.whyNot !== null) return false;
  try {
    edit(image, change);
    return true;
  } catch (error) {
    if (error instanceof ImageError) return false;
    throw error;
  }
}

it('a sound image takes every step', () => {
  for (const step of steps) {
    const image = sound();
    edit(image, step);
  }
}, 30_000);

it('any bytes changed make an edit or one ImageError, and never a change of the geometry', () => {
  const image = sound();
  const original = image.bytes.slice();
  const [table, first] = [image.table * 1024, image.rootBlock * 1024];
  const place = fc.oneof(
    fc.integer({ min: 2048, max: 2048 + 32 }), // descriptor
    fc.integer({ min: 3 * 1024, max: 5 * 1024 }), // bitmaps
    fc.integer({ min: table, max: table + 128 * 16 }), // inodes
    fc.integer({ min: table + 128 * 100, max: table + 128 * 110 }),
    fc.integer({ min: first, max: first + 120 }), // records
    fc.integer({ min: first, max: 399 * 1024 }),
  );
  const change = fc.record({
    at: place,
    value: fc.oneof(fc.nat(255), fc.constant(0), fc.constant(255)),
  });
  let done = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(), (changes, which) => {
      image.bytes.set(original);
      for (const { at, value } of changes) image.bytes[at] = value;
      const geometry = image.bytes.slice(1024 + 0x14, 1024 + 0x2c);
      if (attempt(image, steps[which % steps.length])) done += 1;
      expect(image.bytes.slice(1024 + 0x14, 1024 + 0x2c)).toEqual(geometry);
    }),
    { numRuns: 1000, seed: 5 },
  );
  expect(done).toBeGreaterThan(200);
});
