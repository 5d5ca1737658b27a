import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../src/filesystem/filesystem';
import { ImageError } from '../../src/image/errors';
import {
  directoryMode,
  extentIndexes,
  extentLeaves,
  extentsFlag,
  fileMode,
  HandMade,
  pointers,
  symlinkMode,
} from './support/hand-made';

/** One of everything that can be followed. */
function everything(): HandMade {
  const image = new HandMade({
    blocks: 96,
    inodeSize: 256,
    superblock: { s_feature_compat: 0x20, s_feature_incompat: 0x80c2, s_desc_size: 64 },
  });
  const [directory, leaf, tree, indirect, data] = Array.from({ length: 5 }, () => image.take());
  image.setRecords(
    image.rootBlock,
    image.rootRecords(
      { inode: 12, name: 'directory', type: 2 },
      { inode: 13, name: 'extents', type: 1 },
      { inode: 14, name: 'pointers', type: 1 },
      { inode: 15, name: 'symlink', type: 7 },
      { inode: 16, name: 'inline', type: 1 },
    ),
  );
  image.setRecords(directory, [
    { inode: 12, name: '.', type: 2 },
    { inode: 2, name: '..', type: 2 },
  ]);
  image.bytes.set([0, 0, 0, 0, 1, 8, 0, 0, 123, 0, 1, 0, 1], directory * 1024 + 24);
  image.setRecords(leaf, [{ inode: 13, name: 'again' }]);
  image.setInode(12, {
    i_mode: directoryMode,
    i_flags: 0x1000,
    i_size_lo: 2048,
    i_block: pointers([directory, leaf]),
  });
  image.block(tree).set(extentLeaves([{ logical: 0, physical: data, length: 3 }], 1024));
  image.setInode(13, {
    i_mode: fileMode,
    i_flags: extentsFlag,
    i_size_lo: 3000,
    i_block: extentIndexes([[0, tree]], 1),
  });
  image.view.setUint32(indirect * 1024, data, true);
  image.setInode(14, {
    i_mode: fileMode,
    i_size_lo: 14_000,
    i_block: pointers([data, ...Array<number>(11).fill(0), indirect, indirect, indirect]),
  });
  image.setInode(15, { i_mode: symlinkMode, i_size_lo: 4, i_block: pointers([0x61616161]) });
  image.setInode(16, { i_mode: fileMode, i_flags: 0x10000000, i_size_lo: 50, i_extra_isize: 32 });
  return image;
}

/** Looks at all that can be looked at. @returns how many names were met */
function explore(fileSystem: FileSystem): number {
  let met = 0;
  const seen = new Set<number>();
  const visit = (id: number) => {
    if (seen.has(id)) return;
    seen.add(id);
    tolerate(() => fileSystem.structures(id));
    tolerate(() => {
      const content = fileSystem.content(id);
      content.read(0, new Uint8Array(4096));
      content.read(Math.max(0, content.size - 100), new Uint8Array(200));
    });
    const table = tolerate(() => fileSystem.entries(id, { deleted: true }));
    for (let i = 0; table && i < table.length; i++) {
      met += 1;
      table.nameHex(i);
      if (tolerate(() => fileSystem.node(table.nodes[i]))?.type === 'directory') {
        visit(table.nodes[i]);
      } else {
        tolerate(() => fileSystem.structures(table.nodes[i]));
        tolerate(() => fileSystem.content(table.nodes[i]).read(0, new Uint8Array(9000)));
      }
    }
  };
  visit(fileSystem.root);
  fileSystem.freeSpace();
  return met;
}

function tolerate<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}

/** @returns names met, or -1 where the image was refused */
function open(image: HandMade, length?: number): number {
  const fileSystem = tolerate(() => image.open(length));
  return fileSystem ? explore(fileSystem) : -1;
}

describe('a hostile image', () => {
  it('that is sound has all its names', () => {
    expect(open(everything())).toBe(6);
  });

  it('with any bytes changed gives an answer or one ImageError', () => {
    const size = 32 * 1024;
    const change = fc.record({
      at: fc.oneof(
        fc.integer({ min: 1024, max: 1024 + 0x284 }), // superblock
        fc.integer({ min: 2048, max: 2048 + 63 }), // descriptor
        fc.integer({ min: 5 * 1024 + 256, max: 5 * 1024 + 16 * 256 }), // inodes
        fc.integer({ min: 13 * 1024, max: size - 1 }), // directories, trees
      ),
      value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const image = everything();
        for (const { at, value } of changes) image.bytes[at] = value;
        open(image);
      }),
      { numRuns: 1000 },
    );
  });

  it('of nothing but noise behind the superblock gives an answer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8192, maxLength: 8192 }), (noise) => {
        const image = everything();
        for (let at = 4096; at < image.bytes.length; at += noise.length) {
          image.bytes.set(noise.subarray(0, image.bytes.length - at), at);
        }
        open(image);
      }),
      { numRuns: 100 },
    );
  });

  it('cut at any 512 bytes gives an answer', () => {
    const image = everything();
    const met = Array.from({ length: image.bytes.length / 512 }, (_, i) => open(image, i * 512));
    expect(met.slice(0, 3)).toEqual([-1, -1, -1]);
    expect(met.at(-1)).toBe(6);
  });

  it('with a directory below itself has no more names than it holds', () => {
    const image = everything();
    image.block(image.rootBlock).fill(0);
    image.setRecords(image.rootBlock, image.rootRecords({ inode: 2, name: 'root again', type: 2 }));
    expect(open(image)).toBe(1);
  });
});
