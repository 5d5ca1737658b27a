import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openExt } from '../../src/ext/ext-filesystem';
import type { FileSystem } from '../../src/filesystem/filesystem';
import { ImageError } from '../../src/image/errors';
import { everything } from './support/everything';
import type { HandMade } from './support/hand-made';
import { HandMadeJournal, words } from './support/hand-made-journal';

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
    const raw = tolerate(() => fileSystem.rawDirectory(id));
    raw?.blocks.forEach((_, block) => raw.records(block));
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
  fileSystem.structuresAt(0, 64 * 1024);
  fileSystem.ownership();
  fileSystem.structuresAt(0, 64 * 1024);
  fileSystem.journal?.summary();
  tolerate(() => fileSystem.journal?.replayed().read(0, new Uint8Array(64 * 1024)));
  let left = 200;
  const descend = (key?: string) => {
    for (const branch of tolerate(() => fileSystem.structureBranches(key)) ?? []) {
      if (left-- < 0) return;
      if (branch.offset !== null) tolerate(() => fileSystem.structure(branch.key));
      if (branch.hasChildren) descend(branch.key);
    }
  };
  descend();
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
    const size = 40 * 1024;
    const change = fc.record({
      at: fc.oneof(
        fc.integer({ min: 1024, max: 1024 + 0x284 }), // superblock
        fc.integer({ min: 2048, max: 2048 + 63 }), // descriptor
        fc.integer({ min: 5 * 1024 + 256, max: 5 * 1024 + 16 * 256 }), // inodes
        fc.integer({ min: 13 * 1024, max: size - 1 }), // directories, trees
      ),
      value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
    });
    const journaled = () => {
      const journal = new HandMadeJournal(everything(), 16);
      journal.log([{ block: 80, content: new Uint8Array(1024).fill(1) }]);
      journal.revoke([81, 82]);
      journal.commit(1);
      journal.fastCommit(4, [
        [1, words(13, 2, 1, 90)],
        [4, Uint8Array.from([...words(2, 13), 0x66])],
        [5, Uint8Array.from([...words(12, 13), ...new TextEncoder().encode('again')])],
      ]);
      return journal.image;
    };
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const image = journaled();
        for (const { at, value } of changes) image.bytes[at] = value;
        open(image);
      }),
      { numRuns: 300 },
    );
  });

  it('with any fast commit gives an answer', () => {
    const inode = fc.integer({ min: 0, max: 20 });
    const small = fc.integer({ min: 0, max: 130 });
    const range = fc.tuple(inode, small, small, fc.oneof(small, fc.constant(0xffff)));
    const entry = fc.oneof(
      range.map(([number, logical, length, physical]) => {
        const extent = [...words(number, logical, 0, physical)];
        return [1, Uint8Array.from(extent.with(8, length % 256))] as const;
      }),
      range.map(([number, logical, length]) => [2, words(number, logical, length)] as const),
      fc
        .tuple(fc.integer({ min: 3, max: 5 }), inode, inode, fc.string({ maxLength: 40 }))
        .map(([tag, parent, number, name]) => {
          const bytes = new TextEncoder().encode(`${name}x`);
          return [tag, Uint8Array.from([...words(parent, number), ...bytes])] as const;
        }),
      fc.tuple(inode, inode).map(([number, source]) => {
        const image = everything();
        const at = image.inodeAt(Math.max(1, source));
        const raw = image.bytes.subarray(at, at + 256);
        return [6, Uint8Array.from([...words(number), ...raw])] as const;
      }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
        const journal = new HandMadeJournal(everything(), 24);
        journal.commit(1);
        journal.fastCommit(6, entries);
        const replayed = tolerate(() => journal.image.open().journal?.replayed());
        if (replayed) explore(openExt(replayed));
      }),
      { numRuns: 100 },
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
      { numRuns: 50 },
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
