import { describe, expect, it } from 'vitest';
import { noProgress } from '../../src/filesystem/progress';
import { WritableVolume, VolumeBytes, type WritableBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { OpenVolume } from '../../src/session/open-volume';
import { trim, type HostHoles } from '../../src/session/trim';
import { FakeFileSystem, type FakeVolume } from './support/fake-filesystem';

const size = 1024 * 1024;
const offset = 4096; // of the volume

/** Remembers what is punched of an image that is otherwise empty. */
class Punched extends MemoryBytes implements WritableBytes {
  readonly ranges: [start: number, end: number][] = [];

  write(): void {
    throw new Error('A trim writes nothing.');
  }

  zero(): void {
    throw new Error('A trim zeroes nothing.');
  }

  punch(start: number, length: number): void {
    this.ranges.push([start, start + length]);
  }
}

/** Trims a volume of blocks of 1 KiB at byte 4096, where the host has some ranges of the file. */
function run(
  volume: Partial<FakeVolume>,
  data: readonly (readonly [start: number, end: number])[] | undefined,
  minimum = 0,
) {
  const image = new Punched(new Uint8Array(size));
  const host: HostHoles = {
    size,
    blockSize: 4096,
    dataRanges: (from, length) =>
      data
        ?.map(([start, end]) => [Math.max(start, from), Math.min(end, from + length)])
        .filter(([start, end]) => start < end)
        .map(([start, end]) => ({ offset: start, length: end - start })),
  };
  const unit = { first: 0, count: 1020 };
  const fileSystem = new FakeFileSystem({
    ...{ nodes: { 2: { type: 'directory' } }, offset, unit },
    ...volume,
  });
  const opened = new OpenVolume(fileSystem, new VolumeBytes(image, offset, size - offset));
  const target = new WritableVolume(image, offset, size - offset);
  return { ...trim(opened, host, target, minimum, noProgress), punched: image.ranges };
}

const all = [[0, size]] as const;
const block = (unit: number) => offset + 1024 * unit;

describe('a trim', () => {
  it('punches what is free, and tells what the host can give up', () => {
    const {
      trim: report,
      punched,
      label,
      notes,
    } = run(
      {
        free: [
          [8, 8],
          [100, 6],
        ],
      },
      all,
    );
    expect(punched).toEqual([
      [block(8), block(16)],
      [block(100), block(106)],
    ]);
    const reclaimed = 8 * 1024 + 4 * 1024;
    expect(report).toEqual({ extents: 2, bytes: 14 * 1024, skippedHoles: 0, reclaimed });
    expect({ label, notes }).toEqual({ label: 'Trim free space', notes: [] });
  });

  it('leaves holes alone, whole and in part', () => {
    const data = [
      [0, block(10)],
      [block(14), block(32)],
      [block(40), size],
    ] as const;
    const { trim: report, punched } = run(
      {
        free: [
          [8, 16],
          [32, 8],
          [60, 4],
        ],
      },
      data,
    );
    expect(punched).toEqual([
      [block(8), block(10)],
      [block(14), block(24)],
      [block(60), block(64)],
    ]);
    expect(report).toMatchObject({ extents: 2, bytes: 16 * 1024, skippedHoles: 1 });
    expect(report?.reclaimed).toBe(12 * 1024);
  });

  it('zeroes what is too small for a hole, and does not tell of it', () => {
    const { trim: report, punched } = run(
      {
        free: [
          [9, 2],
          [13, 6],
        ],
      },
      all,
    );
    expect(punched).toHaveLength(2);
    expect(report).toEqual({ extents: 0, bytes: 0, skippedHoles: 0, reclaimed: 0 });
  });

  it('leaves what is smaller than the minimum', () => {
    const free = [
      [8, 8],
      [100, 16],
    ] as const;
    expect(run({ free }, all, 8192).punched).toHaveLength(2);
    expect(run({ free }, all, 8193).punched).toEqual([[block(100), block(116)]]);
  });

  it('takes everything for data where the host tells of no holes', () => {
    const { trim: report } = run({ free: [[8, 8]] }, undefined);
    expect(report).toMatchObject({ extents: 1, bytes: 8192, reclaimed: 8192 });
  });

  it('never touches what a file or a structure owns, whatever the bitmap says', () => {
    const file = { type: 'file', extents: [{ logical: 0, physical: 15, length: 3 }] } as const;
    const volume: FakeVolume = {
      nodes: { 2: { type: 'directory' }, 12: file },
      structures: [[40, 1, 'bitmap']],
      free: [
        [8, 8],
        [20, 4],
        [38, 4],
      ],
    };
    const { punched, notes, trim: report } = run(volume, all);
    expect(punched).toEqual([[block(20), block(24)]]);
    expect(report).toMatchObject({ extents: 1, bytes: 4096 });
    expect(notes).toEqual([expect.stringMatching(/^2 free extents are left alone: /)]);
  });

  it('goes through a million extents at once', () => {
    const count = 1_000_000;
    const free = Array.from({ length: count }, (_, i) => [8 * i, 4] as const);
    const unit = { first: 0, count: 8 * count, size: 1 };
    const { trim: report } = run({ free, unit }, [[offset, offset]]);
    expect(report).toEqual({ extents: 0, bytes: 0, skippedHoles: count, reclaimed: 0 });
  });

  it('does not write many GiB where the host does not tell what is a hole', () => {
    const free: [number, number][] = [[8, 17 * 2 ** 20]]; // in KiB
    expect(() => run({ free }, undefined)).toThrow(/does not tell/);
    expect(() => run({ free }, [])).not.toThrow();
  });
});
