import { expect, it } from 'vitest';
import { ImageError } from '../../../src/image/errors';
import { dots, FatImage, long, short } from '../fat-image';
import { edit, keyOf, reopen } from './editing';

function makeTree(bits: 12 | 16 | 32): FatImage {
  const image = new FatImage({ bits, clusters: bits === 12 ? 300 : 5000, rootEntries: 32 });
  const root = bits === 32 ? image.cluster(2) : image.rootStart;
  image.chain(10, 11, 20, 12);
  image.chain(5);
  image.chain(6, 7);
  image.slots(
    root,
    ...long('A file of some length', 'AFILEO~1   '),
    short('AFILEO~1   ', { cluster: 10, size: 2000 }),
    short('DIR        ', { attributes: 0x10, cluster: 5 }),
    short('EMPTY   TXT', { caseFlags: 0x18 }),
  );
  image.slots(
    image.cluster(5),
    ...dots(5, 0),
    short('SUB        ', { attributes: 0x10, cluster: 6 }),
  );
  image.slots(image.cluster(6), ...dots(6, 5), ...long('x'.repeat(30), 'XXXXXX~1   '));
  return image;
}

/** Everything an editor can do, with everything that a listing shows. */
function operations(image: FatImage): (() => unknown)[] {
  const fileSystem = reopen(image);
  const { editor } = edit(image);
  const all: (() => unknown)[] = [() => editor.setLabel('LABEL'), () => editor.setLabel('')];
  const visit = (directory: number, depth: number) => {
    const table = fileSystem.entries(directory);
    all.push(
      () => editor.createFile(directory, `New file ${depth}`, {}),
      () => editor.createDirectory(directory, `NEW${depth}`, {}),
    );
    for (let i = 0; i < Math.min(table.length, 20); i++) {
      const node = table.nodes[i];
      const key = keyOf(directory, node, table.name(i));
      const keepSize = { offset: 0, length: 9000, keepSize: true, zero: true };
      all.push(
        () => editor.write(node, 1500, new Uint8Array(3000)),
        () => editor.preallocate(node, keepSize),
        () => editor.setSize(node, 100),
        () => editor.change(node, { set: ['hidden'] }),
        () => editor.move(key, 0, `moved ${depth} ${i}`),
        () => editor.remove(key),
      );
      if (table.type(i) === 'directory' && depth < 3) visit(node, depth + 1);
    }
  };
  visit(0, 0);
  return [...all, () => editor.finish()];
}

/** Whether it was done; what is thrown must be a sentence for a person. */
function isDone(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (error instanceof ImageError) return false;
    throw error;
  }
}

it.each([12, 16, 32] as const)('edits of a damaged FAT%i end, or are refused', (bits) => {
  let seed = bits;
  const random = (limit: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % limit;
  };
  let done = 0;
  let refused = 0;
  for (let round = 0; round < 150; round++) {
    const image = makeTree(bits);
    // Where it hurts: the entries that are in use, the root, and the first directories.
    const places = [image.fatStart, bits === 32 ? image.cluster(2) : image.rootStart];
    for (let i = 0; i < 6; i++) {
      const place = [...places, image.cluster(5), image.cluster(6)][random(4)];
      image.view.setUint8(place + random(96), random(256));
    }
    let actions: (() => unknown)[] = [];
    if (!isDone(() => (actions = operations(image)))) continue;
    for (const action of actions) {
      if (isDone(action)) done += 1;
      else refused += 1;
    }
  }
  expect(done).toBeGreaterThan(1000);
  expect(refused).toBeGreaterThan(100);
});
