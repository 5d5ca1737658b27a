import { describe, expect, it } from 'vitest';
import { Directory } from '../../../src/ext/directory';
import { directoryHash, effectiveHashVersion } from '../../../src/ext/directory-hash';
import { EditedDirectory } from '../../../src/ext/edit/edited-directory';
import { readInode } from '../../../src/ext/inode';
import type { VolumeWriter } from '../../../src/ext/volume-writer';
import { extentLeaves, extentsFlag, HandMade, namesOf, type Layout } from '../support/hand-made';
import { writerOf } from '../support/writer';

const indexedFlag = 0x1000;
const root = 2;
const nameOf = (text: string) => new TextEncoder().encode(text);

/** A volume whose root is one extent, which grows; what follows it on the volume is free. */
class Growing {
  readonly image: HandMade;
  readonly writer: VolumeWriter;
  readonly notes: string[] = [];
  readonly directory: EditedDirectory;

  constructor(layout: Layout) {
    this.image = new HandMade({
      ...layout,
      superblock: {
        s_feature_compat: 0x20,
        s_feature_incompat: 0x42,
        s_hash_seed: Uint32Array.of(1, 2, 3, 4),
        s_def_hash_version: 1,
        s_flags: 1,
        ...layout.superblock,
      },
    });
    this.setExtent(1);
    this.writer = writerOf(this.image);
    this.directory = this.reopened();
  }

  reopened(): EditedDirectory {
    const append = () => {
      this.image.take();
      return { logical: this.setExtent(this.blocks + 1) - 1, block: this.image.next - 1 };
    };
    return new EditedDirectory(this.writer, root, { append }, this.notes);
  }

  add(name: string): void {
    this.directory.add({ inode: 12, name: nameOf(name), fileType: 1 });
  }

  get blocks(): number {
    return readInode(this.writer.volume, root).size / this.image.blockSize;
  }

  get isIndexed(): boolean {
    return readInode(this.writer.volume, root).has(indexedFlag);
  }

  /** The directory as a reader finds it. */
  get read(): Directory {
    return new Directory(this.writer.volume, readInode(this.writer.volume, root));
  }

  /** Its first block on the volume. */
  get first(): number {
    return this.image.table + Math.ceil((32 * this.image.inodeSize) / this.image.blockSize);
  }

  private setExtent(length: number): number {
    const flags = this.image.view.getUint32(this.image.inodeAt(root) + 0x20, true);
    this.image.setInode(root, {
      i_flags: flags | extentsFlag,
      i_size_lo: length * this.image.blockSize,
      i_block: extentLeaves([{ logical: 0, physical: this.first, length }]),
    });
    return length;
  }
}

/** Every name has to lie where the index leads to with its hash. */
function expectSound({ writer, read }: Growing): void {
  const { index } = read;
  if (!index) throw new Error('there is no index');
  const { geometry } = writer.volume;
  const version = effectiveHashVersion(geometry, index.hashVersion) ?? -1;
  const leaves = new Map(
    index.nodes.filter(({ isLeaf }) => isLeaf).map((leaf) => [leaf.logical, leaf]),
  );
  for (const part of read.parts()) {
    if (part.role !== 'linear') continue;
    const leaf = leaves.get(part.logical);
    if (!leaf) throw new Error(`block ${part.logical} is no leaf`);
    for (const { state, name, problem } of read.records(part, false)) {
      expect(problem).toBeUndefined();
      if (state !== 'live') continue;
      const { major } = directoryHash(name, version, geometry.values.s_hash_seed);
      expect(major).toBeGreaterThanOrEqual(leaf.lowest);
      expect(major).toBeLessThanOrEqual(leaf.highest);
    }
  }
  expect(read.problems.list).toEqual([]);
}

const checksums = { s_feature_ro_compat: 0x400, s_checksum_type: 1 };

describe('a directory that gets an index', () => {
  it.each([
    ['half MD4', { s_def_hash_version: 1 }],
    ['half MD4, unsigned', { s_def_hash_version: 1, s_flags: 2 }],
    ['tea', { s_def_hash_version: 2 }],
    ['legacy', { s_def_hash_version: 0 }],
    ['half MD4 with checksums', checksums],
  ])('with its second block: %s', (_name, superblock) => {
    const growing = new Growing({ blocks: 400, superblock });
    const names = Array.from({ length: 2000 }, (_, i) => `é file ${i * 7919}`);
    for (const [i, name] of names.entries()) {
      growing.add(name);
      if (i % 97 === 0) growing.image.open(); // what is there in between is sound too
    }
    expect(growing.isIndexed).toBe(true);
    expectSound(growing);
    expect(namesOf(growing.image.open(), root).sort()).toEqual([...names].sort());
    expect(growing.notes).toEqual([]);
  });

  it.each([{}, checksums])(
    'of two levels, names of all lengths, some removed (%o)',
    (superblock) => {
      const growing = new Growing({ blocks: 1500, superblock });
      const left = new Set<string>();
      for (let i = 0; i < 9000; i++) {
        const name = `${i}-`.padEnd(8 + ((i * 31) % 240), 'x');
        growing.add(name);
        left.add(name);
        if (i % 3 !== 2) continue;
        const gone = [...left][(i * 13) % Math.min(left.size, 50)];
        const found = growing.directory.find(nameOf(gone));
        if (!found) throw new Error(`${gone} is not there`);
        growing.directory.remove(found);
        left.delete(gone);
      }
      expectSound(growing);
      expect(growing.read.index?.nodes.some(({ level, isLeaf }) => level === 1 && !isLeaf)).toBe(
        true,
      );
      expect(namesOf(growing.image.open(), root).sort()).toEqual([...left].sort());
    },
  );

  it('but not where `.` and `..` are missing', () => {
    const growing = new Growing({ blocks: 400 });
    growing.image.setRecords(growing.first, [{ inode: 12, name: 'a' }]);
    const directory = growing.reopened();
    for (let i = 0; i < 100; i++) {
      directory.add({ inode: 12, name: nameOf(`name ${i}`), fileType: 1 });
    }
    expect(growing.isIndexed).toBe(false);
    expect(namesOf(growing.image.open(), root)).toHaveLength(101);
  });

  it('nor where its first block holds unused records only', () => {
    const growing = new Growing({ blocks: 400 });
    const unused = Array.from({ length: 84 }, () => ({ inode: 0, recLen: 12 }));
    growing.image.setRecords(growing.first, [...unused, { inode: 0 }]);
    const directory = growing.reopened();
    directory.add({ inode: 12, name: nameOf('longer than twelve'), fileType: 1 });
    expect(growing.isIndexed).toBe(false);
    expect(namesOf(growing.image.open(), root)).toEqual(['longer than twelve']);
  });

  it('goes on as the one that was read anew', () => {
    const growing = new Growing({ blocks: 400 });
    for (let i = 0; i < 300; i++) growing.add(`before ${i}`);
    const again = growing.reopened();
    expect(() => again.add({ inode: 12, name: nameOf('before 7'), fileType: 1 })).toThrow(
      'already',
    );
    for (let i = 0; i < 300; i++) again.add({ inode: 12, name: nameOf(`after ${i}`), fileType: 1 });
    expectSound(growing);
    expect(namesOf(growing.image.open(), root)).toHaveLength(600);
  });
});

describe('an index that is lost', () => {
  function indexed(superblock: Layout['superblock'] = {}): Growing {
    const growing = new Growing({ blocks: 400, superblock });
    for (let i = 0; i < 200; i++) growing.add(`file ${i}`);
    return growing;
  }

  it.each([
    [
      'of an unknown hash',
      (image: HandMade, at: number) => image.view.setUint8(at + 28, 77),
      /hash function is not known/,
    ],
    [
      'broken',
      (image: HandMade, at: number) => image.view.setUint16(at + 34, 200, true),
      /its index is broken/,
    ],
    [
      'leading past the end',
      (image: HandMade, at: number) => image.view.setUint32(at + 36, 999, true),
      /its index is broken/,
    ],
  ])('because it is %s', (_name, damage, reason) => {
    const growing = indexed();
    damage(growing.image, growing.first * growing.image.blockSize);
    const again = growing.reopened();
    const names = Array.from({ length: 60 }, (_, i) => `another ${'y'.repeat(90)} ${i}`);
    for (const name of names) again.add({ inode: 12, name: nameOf(name), fileType: 1 });
    expect(growing.notes).toHaveLength(1);
    expect(growing.notes[0]).toMatch(/^Directory inode 2 is no longer indexed: /);
    expect(growing.notes[0]).toMatch(reason);
    expect(growing.isIndexed).toBe(false);
    const after = growing.image.open().entries(root);
    expect(after.problems).toEqual([]);
    expect(namesOf(growing.image.open(), root)).toHaveLength(260);
  });

  it('because it is full', () => {
    const growing = new Growing({ blocks: 17_000 });
    let count = 0;
    for (; growing.notes.length === 0 && count < 60_000; count++) {
      growing.add(`${count} ${'z'.repeat(246)}`);
    }
    expect(growing.notes[0]).toMatch(/its index is full/);
    // A root of 124 entries, each leading to 127 leaves at most, of which splits fill half or more.
    expect(count).toBeGreaterThan((124 * 127 * 2) / 2);
    expect(growing.isIndexed).toBe(false);
    expect(namesOf(growing.image.open(), root)).toHaveLength(count);
  });

  it('has blocks that read as records with checksums', () => {
    const growing = indexed(checksums);
    growing.directory.dropIndex();
    growing.add('afterwards');
    expect(growing.isIndexed).toBe(false);
    expect(namesOf(growing.image.open(), root)).toHaveLength(201);
    for (const part of growing.read.parts()) {
      const tail = growing.read.records(part, false).at(-1);
      expect([tail?.state, tail?.problem]).toEqual(['tail', undefined]);
    }
  });
});
