import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import type { DiskLayout } from '../../src/filesystem/disk-layout';
import type { FileSystem } from '../../src/filesystem/filesystem';
import type { NodeId } from '../../src/filesystem/node';
import { openFat } from '../../src/fat/fat-filesystem';
import { deleted, dots, FatImage, long, short } from './fat-image';

/** A small image with something of everything. */
function sample(bits: 12 | 16 | 32): FatImage {
  const image = new FatImage({ bits, clusters: bits === 12 ? 60 : bits === 16 ? 4100 : 60 });
  const root = bits === 32 ? image.cluster(2) : image.rootStart;
  image.chain(5, 6, 9);
  image.chain(10, 11);
  image.slots(
    root,
    short('SAMPLE     ', { attributes: 8 }),
    ...long('a long name.txt', 'ALONGN~1TXT'),
    short('ALONGN~1TXT', { cluster: 5, size: 1400 }),
    short('SUB        ', { attributes: 0x10, cluster: 10 }),
    ...deleted(short('GONE       ', { cluster: 20, size: 600 })),
    ...deleted(short('BURIED     ', { attributes: 0x10, cluster: 21 })),
  );
  image.slots(image.cluster(10), ...dots(10, 0), short('INNER      ', { cluster: 5, size: 1 }));
  image.slots(image.cluster(21), ...dots(21, 0), ...deleted(short('X          ')));
  return image;
}

/** Asks everything that can be asked. Throws what is not an `ImageError`. */
function walk(fileSystem: FileSystem & DiskLayout): number {
  let steps = 0;
  const seen = new Set<NodeId>();
  const visit = (id: NodeId) => {
    if (seen.has(id)) return;
    seen.add(id);
    const table = fileSystem.entries(id, { deleted: true });
    const raw = fileSystem.rawDirectory(id);
    raw.blocks.forEach((_, block) => raw.records(block));
    for (let i = 0; i < table.length; i++) {
      steps += 1;
      table.name(i);
      table.nameHex(i);
      const node = fileSystem.node(table.nodes[i]);
      const content = fileSystem.content(node.id);
      content.read(0, new Uint8Array(Math.min(content.size, 4096)));
      expect(content.extents.length).toBeLessThanOrEqual(content.allocated / fileSystem.unit.size);
      fileSystem.structures(node.id);
      if (node.type === 'directory') visit(node.id);
    }
  };
  visit(fileSystem.root);
  expect(fileSystem.facts.type).toMatch(/^fat(12|16|32)$/);
  fileSystem.freeSpace();
  fileSystem.structures(fileSystem.root);
  fileSystem.structuresAt(0, 4096);
  const owners = fileSystem.ownership();
  for (let row = 0; row < owners.count; row++) {
    const { start, length } = owners.owner(row);
    fileSystem.structuresAt(fileSystem.offsetOf(start), Math.min(512, length));
  }
  for (const { key, hasChildren } of fileSystem.structureBranches()) {
    fileSystem.structure(key);
    if (hasChildren) fileSystem.structureBranches(key);
  }
  return steps;
}

describe('a FAT filesystem', () => {
  it.each([12, 16, 32] as const)('of FAT%i answers everything', (bits) => {
    const image = sample(bits);
    const fileSystem = image.open();
    expect(walk(fileSystem)).toBe(6);
    expect(fileSystem.node(0)).toMatchObject({
      id: 0,
      type: 'directory',
      number: bits === 32 ? 2 : 0,
      size: bits === 32 ? 512 : 512 * 32,
    });
    const root = fileSystem.content(0);
    expect(root.size).toBe(fileSystem.node(0).size);
    const label = new Uint8Array(6);
    root.read(0, label);
    expect(new TextDecoder().decode(label)).toBe('SAMPLE');
  });

  it('describes the slots of a node, the short one first', () => {
    const image = sample(12);
    const fileSystem = image.open();
    const [id] = fileSystem.entries(0).nodes;
    const described = fileSystem.structures(id);
    expect(described.map(({ kind, offset }) => [kind, offset])).toEqual([
      ['short slot', id],
      ['long name slot', id - 32],
      ['long name slot', id - 64],
    ]);
    expect(described[0].fields.find(({ name }) => name === 'DIR_FileSize')).toMatchObject({
      offset: id + 28,
      length: 4,
      value: 1400,
    });
    expect(described[1].fields.find(({ name }) => name === 'LDIR_Name1')?.value).toBe('a lon');
    expect(described[2].fields.find(({ name }) => name === 'LDIR_Name1')?.value).toBe('xt');
  });

  it('describes the volume at its root', () => {
    const kinds = (bits: 12 | 32) =>
      sample(bits)
        .open()
        .structures(0)
        .map(({ name, offset }) => [name, offset]);
    expect(kinds(12)).toEqual([['boot sector', 0]]);
    expect(kinds(32)).toEqual([
      ['boot sector', 0],
      ['FSInfo', 512],
      ['backup boot sector', 6 * 512],
      ['backup FSInfo', 7 * 512],
    ]);
  });

  it('says so where an id can be no node', () => {
    const image = sample(12);
    const fileSystem = image.open();
    const root = image.rootStart;
    const wrong = [
      1,
      32,
      root + 1,
      root - 32,
      root + 32,
      root,
      root + 14 * 32,
      image.size,
      1e15,
      -32,
    ];
    for (const id of [...wrong, 0.5, Number.NaN]) {
      expect(() => fileSystem.node(id), String(id)).toThrow(ImageError);
      expect(() => fileSystem.content(id), String(id)).toThrow(ImageError);
      expect(() => fileSystem.structures(id), String(id)).toThrow(ImageError);
    }
  });

  it('says so where a file is taken for a directory', () => {
    const fileSystem = sample(12).open();
    const [file] = fileSystem.entries(0).nodes;
    expect(() => fileSystem.entries(file)).toThrow(
      expect.objectContaining({ code: 'not-a-directory' }) as Error,
    );
  });
});

describe('a hostile image', () => {
  it.each([12, 32] as const)('of FAT%i is read at every length', (bits) => {
    const image = sample(bits);
    for (let length = 0; length <= image.bytes.length; length += 512) {
      let fileSystem: FileSystem & DiskLayout;
      try {
        fileSystem = openFat(image.volume(length));
      } catch (error) {
        expect(error).toBeInstanceOf(ImageError);
        expect(length).toBe(0);
        continue;
      }
      walk(fileSystem);
    }
  });

  it.each([12, 16, 32] as const)('of FAT%i with bytes changed at random never throws', (bits) => {
    const image = sample(bits);
    const metadata = image.cluster(24);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(metadata - 1), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 60,
        }),
        (changes) => {
          const bytes = image.bytes.slice();
          for (const [at, value] of changes) bytes[at] = value;
          const volume = new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length);
          try {
            walk(openFat(volume));
          } catch (error) {
            if (!(error instanceof ImageError)) throw error;
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of random bytes throws nothing but what it says', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        const volume = new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length);
        expect(() => openFat(volume)).toThrow(ImageError);
      }),
      { numRuns: 50 },
    );
  });
});
