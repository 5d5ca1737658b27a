import { expect, it } from 'vitest';
import type { EditContext } from '../../../src/ext/edit/context';
import { FileWriter, releaseContent } from '../../../src/ext/edit/file-writer';
import { ImageError } from '../../../src/image/errors';
import { Random } from '../../support/random';
import { HandMade } from '../support/hand-made';
import { contextOf, edit } from './support/edit';

const runs = Number(process.env.EXT_HOSTILE_EDITS ?? 200);

/** Three files, of which one has pointers on two levels. */
function withFiles(): HandMade {
  const image = new HandMade({
    blocks: 400,
    superblock: { s_free_blocks_count_lo: 390, s_free_inodes_count: 21 },
  });
  image.setDescriptor(0, { bg_free_blocks_count_lo: 390, bg_free_inodes_count_lo: 21 });
  edit(image, (context) => {
    for (const blocks of [300, 20, 3]) {
      const number = context.inodes.create(2, { mode: 0o100644, uid: 0, gid: 0, links: 1 });
      const writer = new FileWriter(context, number);
      for (let i = 0; i < 5; i++)
        writer.write((blocks * 1024 * i) / 5, new Uint8Array(3000).fill(1));
    }
  });
  return image;
}

/** One of the things that an editor does. */
function change(context: EditContext, random: Random): void {
  const number = 12 + random.below(4);
  const offset = random.below(400_000);
  switch (random.below(6)) {
    case 0:
      context.inodes.create(2, { mode: 0o40755, uid: 0, gid: 0, links: 2 });
      break;
    case 1:
      new FileWriter(context, number).write(offset, random.bytes(1 + random.below(5000)));
      break;
    case 2:
      new FileWriter(context, number).setSize(offset);
      break;
    case 3:
      new FileWriter(context, number).appendBlock();
      break;
    case 4:
      new FileWriter(context, number).preallocate({
        offset,
        length: 1 + random.below(20_000),
        keepSize: false,
        zero: true,
      });
      break;
    default:
      releaseContent(context, number);
      context.inodes.free(number);
  }
}

it('changes an image whose bytes are wrong at random, or refuses to in one sentence', () => {
  const random = new Random(5);
  let done = 0;
  let refused = 0;
  for (let i = 0; i < runs; i++) {
    const image = withFiles();
    for (let count = 1 + random.below(4); count > 0; count--) {
      // The superblock, the descriptor, both bitmaps, the inodes, or anything.
      const [from, length] = random.one([
        [1024, 1024],
        [2048, 32],
        [3072, 2048],
        [image.inodeAt(1), 17 * image.inodeSize],
        [1024, image.bytes.length - 1024],
      ]);
      image.bytes[from + random.below(length)] = random.below(256);
    }
    let context: EditContext | undefined;
    for (let step = 0; step < 6; step++) {
      try {
        context ??= contextOf(image);
        if (step < 5) change(context, random);
        else context.store.flush();
        done += 1;
      } catch (error) {
        if (!(error instanceof ImageError)) throw error;
        expect(error.message).toMatch(/^[^\n]+\.$/);
        refused += 1;
      }
    }
  }
  expect(done).toBeGreaterThan(2 * runs);
  expect(refused).toBeGreaterThan(runs / 4);
});
