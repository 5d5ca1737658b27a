import { describe, expect, it } from 'vitest';
import type { EditContext } from '../../../src/ext/edit/context';
import { FileWriter, releaseContent } from '../../../src/ext/edit/file-writer';
import { inodeFlags } from '../../../src/ext/inode';
import { ImageError } from '../../../src/image/errors';
import { Random } from '../../support/random';
import {
  extentIndexes,
  extentLeaves,
  fileMode,
  HandMade,
  type HandExtent,
} from '../support/hand-made';
import { contextOf, edit } from './support/edit';

const inode = 12;
const runs = Number(process.env.EXT_HOSTILE_EDITS ?? 200);
const extentFeature = 0x42;

/** A volume with one file in extents. @param iBlock of its inode */
function withTree(iBlock: Uint8Array, nodes: readonly [block: number, node: Uint8Array][] = []) {
  const image = new HandMade({
    blocks: 600,
    superblock: { s_feature_incompat: extentFeature, s_free_blocks_count_lo: 500 },
  });
  image.setDescriptor(0, { bg_free_blocks_count_lo: 500, bg_free_inodes_count_lo: 20 });
  image.usedUpTo(100);
  image.setInode(inode, {
    i_mode: fileMode,
    i_links_count: 1,
    i_flags: inodeFlags.extents,
    i_size_lo: 200 * 1024,
    i_blocks_lo: 40,
    i_block: iBlock,
  });
  for (const [block, node] of nodes) image.block(block).set(node);
  return image;
}

const leaf = (...extents: HandExtent[]) => extentLeaves(extents);
const node = (...extents: HandExtent[]) => extentLeaves(extents, 1024);
const changes: Record<string, (context: EditContext) => void> = {
  write: (context) => new FileWriter(context, inode).write(3000, new Uint8Array(9000).fill(1)),
  cut: (context) => new FileWriter(context, inode).setSize(1000),
  preallocate: (context) =>
    new FileWriter(context, inode).preallocate({
      offset: 0,
      length: 300_000,
      keepSize: true,
      zero: false,
    }),
  remove: (context) => releaseContent(context, inode),
};

describe.each(Object.entries(changes))('to %s', (_name, change) => {
  it.each<[string, HandMade]>([
    [
      'a node that leads to itself',
      withTree(extentIndexes([[0, 50]], 2), [[50, extentIndexes([[0, 50]], 1, 1024)]]),
    ],
    [
      'one node twice',
      withTree(
        extentIndexes(
          [
            [0, 50],
            [9, 50],
          ],
          1,
        ),
        [[50, node({ logical: 0, physical: 60, length: 3 })]],
      ),
    ],
    ['a node outside of the volume', withTree(extentIndexes([[0, 5000]], 1))],
    ['a node that is none', withTree(extentIndexes([[0, 50]], 1))],
    ['another depth than is due', withTree(extentIndexes([[0, 50]], 2), [[50, node()]])],
    [
      'extents that overlap',
      withTree(
        leaf({ logical: 0, physical: 60, length: 5 }, { logical: 3, physical: 70, length: 5 }),
      ),
    ],
    [
      'extents in the wrong order',
      withTree(
        leaf({ logical: 9, physical: 60, length: 5 }, { logical: 0, physical: 70, length: 5 }),
      ),
    ],
    [
      'blocks used twice',
      withTree(
        leaf({ logical: 0, physical: 60, length: 5 }, { logical: 9, physical: 62, length: 5 }),
      ),
    ],
    ['blocks outside of the volume', withTree(leaf({ logical: 0, physical: 598, length: 5 }))],
    ['the inode table', withTree(leaf({ logical: 0, physical: 5, length: 2 }))],
    ['an extent without length', withTree(leaf({ logical: 0, physical: 60, length: 0 }))],
  ])('a file whose tree has %s is refused, and nothing is changed', (_what, image) => {
    const before = image.bytes.slice();
    expect(() => edit(image, change)).toThrow(ImageError);
    expect(image.bytes).toEqual(before);
  });
});

it('changes a tree whose bytes are wrong at random, or refuses to in one sentence', () => {
  const random = new Random(7);
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    const extents = Array.from({ length: 60 }, (_, i) => ({
      logical: 3 * i,
      physical: 100 + 5 * i,
      length: 1 + (i % 2),
    }));
    const image = withTree(
      extentIndexes(
        [
          [0, 50],
          [90, 51],
        ],
        1,
      ),
      [
        [50, node(...extents.slice(0, 30))],
        [51, node(...extents.slice(30))],
      ],
    );
    const places = [image.inodeAt(inode) + 0x28, 50 * 1024, 51 * 1024];
    for (let count = 1 + random.below(3); count > 0; count--) {
      image.bytes[random.one(places) + random.below(60)] = random.below(256);
    }
    try {
      const context = contextOf(image);
      random.one(Object.values(changes))(context);
      context.store.flush();
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      expect(error.message).toMatch(/^[A-Z].*\.$/);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(runs / 4);
  expect(refused).toBeLessThan(runs);
});
