import { describe, expect, it } from 'vitest';
import {
  fittingLength,
  headHeight,
  layOutRecords,
  lineHeight,
  lineLengths,
  lineSegments,
  pieceAt,
  readableLength,
  StripRows,
  zoomLength,
} from '../../../webview/records/record-scale';
import { blocks, record, slot } from '../records';

const [block] = blocks(1);

describe('the lengths of lines', () => {
  it('are powers of two up to a whole block', () => {
    expect(lineLengths(1024, 1300)).toEqual([64, 128, 256, 512, 1024]);
    expect(lineLengths(60, 1300)).toEqual([64]);
  });

  it('leave the shortest record three pixels', () => {
    for (const width of [200, 1300, 3000]) {
      const longest = lineLengths(65536, width).at(-1) ?? 0;
      expect((12 / longest) * width).toBeGreaterThanOrEqual(3);
      expect((12 / (2 * longest)) * width).toBeLessThan(3);
    }
  });

  it('always hold one', () => {
    expect(lineLengths(65536, 0)).toEqual([64]);
    expect(lineLengths(0, 0)).toEqual([64]);
  });

  it('suit the width where names can be read', () => {
    const lengths = lineLengths(4096, 1300);
    expect(readableLength(lengths, 1300)).toBe(256);
    expect(readableLength(lengths, 250)).toBe(64);
    expect(readableLength(lengths, 20)).toBe(64);
  });

  it('zoom by one step and end at the ends', () => {
    const lengths = lineLengths(1024, 1300);
    expect(zoomLength(lengths, 256, 1)).toBe(128);
    expect(zoomLength(lengths, 256, -1)).toBe(512);
    expect(zoomLength(lengths, 64, 1)).toBe(64);
    expect(zoomLength(lengths, 1024, -1)).toBe(1024);
  });

  it('take the nearest of what was kept for another directory', () => {
    const lengths = lineLengths(1024, 1300);
    expect(fittingLength(lengths, 4096)).toBe(1024);
    expect(fittingLength(lengths, 300)).toBe(256);
    expect(fittingLength(lengths, 1)).toBe(64);
  });
});

describe('the rows of strips', () => {
  it('are a head and lines for each block', () => {
    const rows = new StripRows(blocks(3), 512);
    expect(rows.count).toBe(9);
    expect(rows.at(0)).toEqual({ block: 0, from: null });
    expect(rows.at(1)).toEqual({ block: 0, from: 0 });
    expect(rows.at(2)).toEqual({ block: 0, from: 512 });
    expect(rows.at(3)).toEqual({ block: 1, from: null });
    expect(rows.at(8)).toEqual({ block: 2, from: 512 });
  });

  it('are found by their bytes, and the other way round', () => {
    const rows = new StripRows(blocks(40), 128);
    for (let index = 0; index < rows.count; index++) {
      const { block: at, from } = rows.at(index);
      expect(rows.indexOf(at, from)).toBe(index);
      if (from !== null) expect(rows.indexOf(at, from + 127)).toBe(index);
    }
  });

  it('know blocks of different lengths', () => {
    const rows = new StripRows([{ length: 60 }, { length: 96 }], 64);
    expect(rows.count).toBe(5);
    expect(rows.at(4)).toEqual({ block: 1, from: 64 });
  });

  it('stand below each other without a gap', () => {
    const rows = new StripRows(blocks(5), 256);
    let top = 0;
    for (let index = 0; index < rows.count; index++) {
      expect(rows.topOf(index)).toBe(top);
      top += rows.at(index).from === null ? headHeight : lineHeight;
    }
    expect(rows.topOf(rows.count)).toBe(top);
  });

  it('are never more than can be drawn, and end with a whole block', () => {
    const many = Array.from({ length: 100_000 }, () => ({ length: 4096 }));
    const rows = new StripRows(many, 64);
    expect(rows.topOf(rows.count)).toBeLessThan(33_000_000);
    expect(rows.blocks).toBeGreaterThan(1000);
    expect(rows.at(rows.count - 1)).toEqual({ block: rows.blocks - 1, from: 4096 - 64 });
  });

  it('are none for no block', () => {
    const rows = new StripRows([], 64);
    expect(rows.count).toBe(0);
    expect(rows.topOf(0)).toBe(0);
  });
});

describe('layOutRecords', () => {
  const cover = record(0, 72, { used: 36 });
  const survivor = record(36, 36, { used: 24, state: 'deleted', partOf: cover.offset });
  const next = record(72, 952);

  it('puts what survives in slack into the record that covers it', () => {
    const pieces = layOutRecords(block, [cover, survivor, next]);
    expect(pieces.map(({ start, end, needed, nested }) => [start, needed, end, nested])).toEqual([
      [0, 36, 72, false],
      [36, 60, 60, true],
      [72, 88, 1024, false],
    ]);
  });

  it('marks the break where what follows cannot be reached', () => {
    const broken = record(0, 24, { state: 'broken', problem: 'rec_len 6 is below 12' });
    const rest = record(24, 1000, { state: 'unreachable' });
    expect(layOutRecords(block, [broken, rest]).map(({ breaks }) => breaks)).toEqual([true, false]);
    expect(layOutRecords(block, [broken, next])[0].breaks).toBe(false);
    expect(layOutRecords(block, [broken])[0].breaks).toBe(false);
  });

  it('keeps within the block whatever a record claims', () => {
    const pieces = layOutRecords(block, [record(1000, 5000, { used: 4000 }), record(-8, 12)]);
    expect(pieces.map(({ start, needed, end }) => [start, needed, end])).toEqual([
      [1000, 1024, 1024],
      [0, 4, 4],
    ]);
  });

  it('gives what is not in use no slack', () => {
    const [piece] = layOutRecords(block, [slot(0, 'deleted')]);
    expect(piece.needed).toBe(32);
  });

  it('joins the parts of a long name to their short one', () => {
    const short = slot(3, 'short');
    const parts = [1, 2].map((index) => slot(index, 'long', { partOf: short.offset }));
    const pieces = layOutRecords(block, [slot(0, 'short'), ...parts, short, slot(4, 'short')]);
    expect(pieces.map(({ join }) => join)).toEqual([
      null,
      { before: false, after: true, whole: true },
      { before: true, after: true, whole: true },
      { before: true, after: false, whole: true },
      null,
    ]);
  });

  it('joins a name that started in the block before', () => {
    const short = slot(0, 'short');
    const before = slot(-1, 'long', { partOf: short.offset });
    const [piece] = layOutRecords(block, [short], before);
    expect(piece.join).toEqual({ before: true, after: false, whole: true });
    expect(layOutRecords(block, [short])[0].join).toBeNull();
  });

  it('holds together the parts that belong to no short name', () => {
    const gap = { problem: 'A part is missing.' };
    const orphan = { problem: 'No short name follows.' };
    const pieces = layOutRecords(block, [
      slot(0, 'long', gap),
      slot(1, 'long', gap),
      slot(2, 'long', orphan),
      slot(3, 'short'),
    ]);
    expect(pieces.map(({ join }) => join)).toEqual([
      { before: false, after: true, whole: false },
      { before: true, after: false, whole: false },
      { before: false, after: false, whole: false },
      null,
    ]);
  });
});

describe('pieceAt', () => {
  const cover = record(0, 100, { used: 20 });
  const deleted = [40, 64].map((byte) =>
    record(byte, 20, { used: 12, state: 'deleted', partOf: cover.offset }),
  );
  const pieces = layOutRecords(block, [cover, ...deleted, record(100, 24)]);

  it('finds the innermost piece, and what it lies in beside it', () => {
    expect(pieceAt(pieces, 0)).toBe(0);
    expect(pieceAt(pieces, 39)).toBe(0);
    expect(pieceAt(pieces, 40)).toBe(1);
    expect(pieceAt(pieces, 51.9)).toBe(1);
    expect(pieceAt(pieces, 52)).toBe(0);
    expect(pieceAt(pieces, 70)).toBe(2);
    expect(pieceAt(pieces, 99)).toBe(0);
    expect(pieceAt(pieces, 100)).toBe(3);
  });

  it('finds nothing where nothing is', () => {
    expect(pieceAt(pieces, 124)).toBe(-1);
    expect(pieceAt(pieces, -1)).toBe(-1);
    expect(pieceAt([], 5)).toBe(-1);
  });
});

describe('lineSegments', () => {
  it('makes segments as wide as their records', () => {
    const pieces = layOutRecords(block, [record(0, 32, { used: 16 }), record(32, 96)]);
    const segments = lineSegments(pieces, 0, 128, 512);
    expect(segments.map(({ left, width, needed }) => [left, width, needed])).toEqual([
      [0, 128, 64],
      [128, 384, 64],
    ]);
  });

  it('cuts a record at the end of a line and goes on in the next', () => {
    const pieces = layOutRecords(block, [record(0, 60), record(60, 100, { used: 40 })]);
    const [first, second, third] = [0, 64, 128].map((from) => lineSegments(pieces, from, 64, 640));
    expect(first.at(-1)).toMatchObject({ left: 600, width: 40, opens: true, closes: false });
    expect(second).toHaveLength(1);
    expect(second[0]).toMatchObject({ left: 0, width: 640, needed: 360, opens: false });
    expect(third[0]).toMatchObject({ left: 0, width: 320, needed: 0, closes: true });
  });

  it('writes the name once, where there is the most room for it', () => {
    const pieces = layOutRecords(block, [record(0, 60), record(60, 100, { used: 40 })]);
    const named = [0, 64, 128].map((from) =>
      lineSegments(pieces, from, 64, 640).map((segment) => segment.named),
    );
    expect(named).toEqual([[true, false], [true], [false]]);
  });

  it('draws what lies in slack over the lines that slack has', () => {
    const cover = record(0, 1024, { used: 12 });
    const late = record(900, 24, { used: 24, state: 'deleted', partOf: cover.offset });
    const segments = lineSegments(layOutRecords(block, [cover, late]), 896, 64, 640);
    expect(segments.map(({ piece, left, width }) => [piece.nested, left, width])).toEqual([
      [false, 0, 640],
      [true, 40, 240],
    ]);
  });

  it('covers each line from end to end, and loses no record', () => {
    let seed = 11;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 40; round++) {
      const records = [];
      for (let at = 0; at < 1024;) {
        const length = Math.min(12 + 4 * Math.floor(random() * 30), 1024 - at);
        records.push(record(at, length));
        at += length;
      }
      const pieces = layOutRecords(block, records);
      const width = 100 + Math.floor(random() * 1200);
      const length = 64 << Math.floor(random() * 5);
      const seen = new Set<number>();
      for (let from = 0; from < 1024; from += length) {
        let end = 0;
        for (const segment of lineSegments(pieces, from, length, width)) {
          expect(segment.left).toBeLessThanOrEqual(end);
          expect(segment.width).toBeGreaterThan(0);
          end = segment.left + segment.width;
          if (segment.opens) seen.add(segment.piece.start);
        }
        expect(end).toBe(width);
      }
      expect(seen.size).toBe(records.length);
    }
  });
});
