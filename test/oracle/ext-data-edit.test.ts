import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openContext, type EditContext } from '../../src/ext/edit/context';
import { FileWriter, releaseContent } from '../../src/ext/edit/file-writer';
import { openExt } from '../../src/ext/ext-filesystem';
import { inodeStructure } from '../../src/ext/inode';
import { bytesOf } from '../../src/ext/volume-writer';
import { allocationPolicies, type AllocationPolicy } from '../../src/filesystem/allocation';
import { countFragments } from '../../src/filesystem/extents';
import { noProgress } from '../../src/filesystem/progress';
import { readBytes, VolumeBytes, WritableVolume } from '../../src/image/bytes';
import { ImageError } from '../../src/image/errors';
import { writeRecords } from '../ext/support/hand-made';
import { Random } from '../support/random';
import { UndoableImage } from '../support/undoable-image';
import { makeImage, run, withFolder, type Format } from './support/ext-tools';

const lostAndFound = 11;
const operations = Number(process.env.EXT_DATA_OPERATIONS ?? 400);

interface Case extends Format {
  readonly name: string;
  /** Content goes up to here, in bytes. */
  readonly longest: number;
}

const cases: readonly Case[] = [
  { name: 'revision 0', base: 'none', blockSize: 1024, options: '-r 0', size: '3M', longest: 12e5 },
  { name: 'ext2', base: 'ext2', blockSize: 1024, options: '-I 128', size: '4M', longest: 2e6 },
  { name: 'ext2', base: 'ext2', blockSize: 2048, options: '-I 256', size: '6M', longest: 3e6 },
  { name: 'ext3', base: 'ext3', blockSize: 4096, size: '16M', longest: 8e6 },
  { name: 'tiny', base: 'none', blockSize: 1024, options: '-N 32', size: '160K', longest: 9e4 },
  {
    name: 'many groups',
    base: 'ext2',
    blockSize: 1024,
    options: '-g 256',
    size: '32M',
    longest: 12e6,
  },
  {
    name: 'meta groups, every superblock copied, no file types',
    base: 'ext2',
    features: '^resize_inode,meta_bg,^sparse_super,^filetype',
    blockSize: 1024,
    options: '-g 512',
    size: '24M',
    longest: 9e6,
  },
  { name: 'large blocks', base: 'ext2', blockSize: 65536, size: '32M', longest: 16e6 },
];

describe.each(cases)('$name, $blockSize bytes a block', (format) => {
  it.each([1, 2])('holds what was written, and e2fsck finds nothing, seed %i', async (seed) => {
    await withFolder((folder) => {
      const file = path.join(folder, 'image');
      makeImage(file, format);
      const model = new Model(soiledImage(file), format, seed);
      for (let step = 0; step < operations; step++) model.step();
      expect(model.done).toBeGreaterThan(operations / 3);
      model.expectSameHere();
      model.expectSameAt(file);
    });
  });
});

describe('pointers on three levels', () => {
  it('are made and taken back', async () => {
    await withFolder((folder) => {
      const file = path.join(folder, 'image');
      makeImage(file, { base: 'ext2', blockSize: 1024, size: '8M' });
      const image = soiledImage(file);
      const places = [0, 11, 12, 267, 268, 65_803, 65_804, 131_339, 131_340];
      const bytesAt = (place: number) => new Uint8Array(1024).fill(1 + (place % 255));
      const number = edit(image, (context) => {
        const made = newFile(context);
        const writer = new FileWriter(context, made);
        for (const place of places) writer.write(place * 1024, bytesAt(place));
        return made;
      });
      linkAndCheck(file, image, [number]);
      const dumped = dump(file, number);
      expect(dumped.length).toBe(131_341 * 1024);
      for (const place of places) {
        expect(dumped.subarray(place * 1024, (place + 1) * 1024)).toEqual(bytesAt(place));
      }
      for (const end of [131_340, 65_805, 65_804, 65_803, 268, 12, 1]) {
        edit(image, (context) => new FileWriter(context, number).setSize(end * 1024));
        const kept = places.filter((place) => place < end);
        const { extents } = openExt(volumeOf(image)).content(number);
        expect(extents.reduce((sum, { length }) => sum + length, 0)).toBe(kept.length);
        linkAndCheck(file, image, [number]);
      }
    });
  });
});

describe('files of 2 GiB and more', () => {
  it.each([
    { name: 'revision 0', base: 'none', options: '-r 0', blockSize: 4096, size: '8M' },
    {
      name: 'without the feature',
      base: 'ext2',
      features: '^large_file',
      blockSize: 4096,
      size: '8M',
    },
  ] as const)('are made on $name', async (format) => {
    await withFolder((folder) => {
      const file = path.join(folder, 'image');
      makeImage(file, format);
      const image = soiledImage(file);
      const number = edit(image, (context) => {
        const made = newFile(context);
        new FileWriter(context, made).write(5 * 2 ** 30, new TextEncoder().encode('the end'));
        return made;
      });
      linkAndCheck(file, image, [number]);
      const stat = run('debugfs', ['-R', `stat <${number}>`, file]);
      expect(stat).toMatch(new RegExp(`Size: ${5 * 2 ** 30 + 7}\\b`));
      expect(run('dumpe2fs', ['-h', file])).toMatch(/features:.*large_file/);
    });
  });
});

describe('preallocating', () => {
  it('takes one run where there is one, and the zeros are there', async () => {
    await withFolder((folder) => {
      const file = path.join(folder, 'image');
      makeImage(file, { base: 'ext2', blockSize: 1024, size: '16M', options: '-I 128' });
      const image = soiledImage(file);
      const inodes: number[] = [];
      const random = new Random(7);
      for (let i = 0; i < 40; i++) {
        inodes.push(
          edit(image, (context) => {
            const made = newFile(context);
            const writer = new FileWriter(context, made);
            writer.write(0, random.bytes(1 + random.below(40_000)));
            return made;
          }),
        );
      }
      for (const number of inodes.filter((_, i) => i % 3 === 0)) {
        edit(image, (context) => new FileWriter(context, number).setSize(0));
      }
      for (const number of inodes) {
        const fileSystem = openExt(volumeOf(image));
        const { size } = fileSystem.node(number);
        const length = 1 + random.below(300_000);
        const free = fileSystem.freeSpace();
        if (free.largest * 1024 < 2 * length) continue;
        const before = fileSystem.content(number).extents;
        const plan = edit(image, (context) =>
          new FileWriter(context, number).preallocate({
            offset: size,
            length,
            keepSize: false,
            zero: true,
          }),
        );
        expect(plan.extents.length).toBeLessThanOrEqual(1);
        const after = openExt(volumeOf(image)).content(number);
        expect(after.size).toBe(size + length);
        expect(plan.fragments).toBeLessThanOrEqual(countFragments(before) + 1);
        expect(readBytes(after, size, length).every((byte) => byte === 0)).toBe(true);
      }
      linkAndCheck(file, image, inodes);
    });
  });
});

type Entry = { readonly type: 'file'; content: Uint8Array } | { readonly type: 'directory' };

/** Files without names that are changed at random, beside what they must hold. */
class Model {
  /** Operations that had room. */
  done = 0;
  private readonly entries = new Map<number, Entry>();
  private readonly random: Random;

  constructor(
    private readonly image: UndoableImage,
    private readonly format: Case,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  step(): void {
    const { random } = this;
    try {
      random.one([
        () => this.create(),
        () => this.create(),
        () => this.write(),
        () => this.write(),
        () => this.write(),
        () => this.setSize(),
        () => this.preallocate(),
        () => this.remove(),
      ])();
      this.done += 1;
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'full') throw error;
      this.image.undo();
    }
  }

  private edit<T>(change: (context: EditContext) => T): T {
    return edit(this.image, change, this.random.one(allocationPolicies));
  }

  private create(): void {
    if (this.random.below(3) > 0) {
      this.entries.set(this.edit(newFile), { type: 'file', content: new Uint8Array(0) });
    } else {
      this.entries.set(this.edit(newDirectory), { type: 'directory' });
    }
  }

  private write(): void {
    this.change((writer, content) => {
      const { random } = this;
      const gap = random.below(4) === 0 ? random.below(100_000) : 0;
      const offset = Math.min(random.below(content.length + 1) + gap, this.format.longest);
      const bytes = random.bytes(1 + Math.floor(2 ** (random.next() * 16)));
      if (random.below(3) === 0) {
        const from = random.below(bytes.length);
        bytes.fill(0, from, from + random.below(20_000));
      }
      writer.write(offset, bytes);
      const after = new Uint8Array(Math.max(content.length, offset + bytes.length));
      after.set(content);
      after.set(bytes, offset);
      return after;
    });
  }

  private setSize(): void {
    this.change((writer, content) => {
      const grows = this.random.below(4) === 0;
      const size = this.random.below((grows ? this.format.longest : content.length) + 1);
      writer.setSize(size);
      const after = new Uint8Array(size);
      after.set(content.subarray(0, size));
      return after;
    });
  }

  private preallocate(): void {
    this.change((writer, content) => {
      const offset = this.random.below(content.length + 10_000);
      const length = 1 + this.random.below(this.format.longest / 4);
      const plan = writer.preallocate({ offset, length, keepSize: false, zero: true });
      const taken = plan.extents.reduce((sum, extent) => sum + extent.length, 0);
      expect(plan.bytesZeroed).toBe(taken * this.format.blockSize);
      expect(plan.allocatedUnits).toBeGreaterThanOrEqual(taken);
      const after = new Uint8Array(Math.max(content.length, offset + length));
      after.set(content);
      return after;
    });
  }

  private remove(): void {
    if (this.entries.size < 12) return;
    const number = this.random.one([...this.entries.keys(), 0]);
    const entry = this.entries.get(number);
    if (!entry) return;
    this.edit((context) => {
      releaseContent(context, number);
      context.inodes.free(number);
      if (entry.type === 'directory') addLinks(context, lostAndFound, -1);
    });
    this.entries.delete(number);
  }

  private change(change: (writer: FileWriter, content: Uint8Array) => Uint8Array): void {
    const files = [...this.entries].flatMap(([number, entry]) =>
      entry.type === 'file' ? [{ number, entry }] : [],
    );
    if (files.length === 0) return;
    const { number, entry } = this.random.one(files);
    entry.content = this.edit((context) => change(new FileWriter(context, number), entry.content));
  }

  expectSameHere(): void {
    const fileSystem = openExt(volumeOf(this.image));
    for (const [number, entry] of this.entries) {
      const { type, size } = fileSystem.node(number);
      expect(type).toBe(entry.type);
      if (entry.type === 'directory') continue;
      const content = fileSystem.content(number);
      expect(content.problems).toEqual([]);
      expect(size).toBe(entry.content.length);
      expectSameBytes(readBytes(content, 0, size), entry.content, number);
    }
  }

  expectSameAt(file: string): void {
    linkAndCheck(file, this.image, [...this.entries.keys()]);
    for (const [number, entry] of this.entries) {
      if (entry.type === 'file') expectSameBytes(dump(file, number), entry.content, number);
    }
  }
}

/** An image of which all that is free holds bytes that must not be seen. */
function soiledImage(file: string): UndoableImage {
  const image = new UndoableImage(fs.readFileSync(file));
  const fileSystem = openExt(volumeOf(image));
  const free = fileSystem.freeSpace();
  free.starts.forEach((start, i) => {
    const offset = fileSystem.offsetOf(start);
    image.content.fill(0xee, offset, offset + free.lengths[i] * fileSystem.unit.size);
  });
  return image;
}

function volumeOf(image: UndoableImage): VolumeBytes {
  return new VolumeBytes(image, 0, image.size);
}

function edit<T>(
  image: UndoableImage,
  change: (context: EditContext) => T,
  policy: AllocationPolicy = 'contiguous',
): T {
  const now = { seconds: 1_700_000_000, nanoseconds: 5 };
  const volume = new WritableVolume(image, 0, image.size);
  const context = openContext(volume, { now, policy, progress: noProgress });
  const result = change(context);
  context.store.flush();
  image.keep();
  return result;
}

function newFile(context: EditContext): number {
  return context.inodes.create(2, { mode: 0o100644, uid: 70_000, gid: 0, links: 1 });
}

function newDirectory(context: EditContext): number {
  const number = context.inodes.create(lostAndFound, { mode: 0o40755, uid: 0, gid: 0, links: 2 });
  const { block } = new FileWriter(context, number).appendBlock();
  const type = context.volume.geometry.features.has('filetype') ? 2 : 0;
  writeRecords(bytesOf(context.writer.block(block)), [
    { inode: number, name: '.', type },
    { inode: lostAndFound, name: '..', type },
  ]);
  addLinks(context, lostAndFound, 1);
  return number;
}

function addLinks(context: EditContext, number: number, change: number): void {
  const { i_links_count } = inodeStructure.fields;
  context.writer.editInode(number, (raw) => {
    const links = i_links_count.read(raw, i_links_count.offset);
    i_links_count.write(raw, i_links_count.offset, links + change);
  });
}

/** Gives inodes names, which are not made here, and lets e2fsck look at all. */
function linkAndCheck(file: string, image: UndoableImage, inodes: readonly number[]): void {
  fs.writeFileSync(file, image.content);
  const commands = inodes.map((number) => `ln <${number}> /lost+found/n${number}\n`).join('');
  run('debugfs', ['-w', '-f', '-', file], commands);
  run('e2fsck', ['-fn', file]);
}

function dump(file: string, number: number): Uint8Array {
  run('debugfs', ['-R', `dump <${number}> ${file}.dump`, file]);
  return Uint8Array.from(fs.readFileSync(`${file}.dump`));
}

function expectSameBytes(ours: Uint8Array, expected: Uint8Array, number: number): void {
  expect(ours.length).toBe(expected.length);
  const different = ours.findIndex((byte, i) => byte !== expected[i]);
  if (different >= 0) expect.fail(`inode ${number} differs from byte ${different} on`);
}
