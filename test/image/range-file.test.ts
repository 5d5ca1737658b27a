import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { readRangeFile, RangeFileWriter, type RangeRecord } from '../../src/image/range-file';
import { ForgetfulHost } from './forgetful-host';
import { Random } from '../support/random';

const path = '/state/ranges';
const origin = {
  kind: 'backup',
  size: 2 ** 43,
  modified: 12_345_678_901_234n,
  path: 'å/b',
} as const;
const records: RangeRecord[] = [
  { offset: 0, length: 3, content: Uint8Array.of(1, 2, 3), old: 'zeros' },
  { offset: 500, length: 20, content: new Uint8Array(20).fill(7), old: Uint32Array.of(1, 2 ** 31) },
  { offset: 2 ** 30, length: 600, content: 'zeros', old: Uint32Array.of(5, 6) },
  { offset: 2 ** 42, length: 2 ** 42, content: 'hole', old: null },
];

function write(host: ForgetfulHost): Uint8Array {
  const writer = new RangeFileWriter(host.create(path), origin);
  for (const record of records) writer.add(record);
  writer.finish();
  return host.content(path);
}

function read(host: ForgetfulHost) {
  const found: RangeRecord[] = [];
  let foundOrigin: unknown;
  readRangeFile(
    host.open(path, 'read'),
    (value) => (foundOrigin = value),
    (record) => found.push(record),
  );
  return { origin: foundOrigin, records: found };
}

const newHost = () => new ForgetfulHost(new Random(1), 4096);

describe('a file of ranges', () => {
  it('is read as it was written', () => {
    const host = newHost();
    write(host);
    expect(read(host)).toEqual({ origin, records });
  });

  it('is known as damaged wherever it is cut, or a bit of it is other', () => {
    const host = newHost();
    const whole = write(host);
    const damaged: Uint8Array[] = [];
    for (let length = 0; length < whole.length; length++) damaged.push(whole.slice(0, length));
    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at] ^= 1 << (at % 8);
      damaged.push(bytes);
    }
    for (const bytes of damaged) {
      host.put(path, bytes);
      expect(() => read(host)).toThrow(ImageError);
    }
  });

  it('is not believed where its ranges overlap or leave the image', () => {
    for (const [offset, length] of [
      [2 ** 43 - 1, 2],
      [2, 5],
    ]) {
      const host = newHost();
      const writer = new RangeFileWriter(host.create(path), origin);
      writer.add({ offset: 0, length: 3, content: 'hole', old: null });
      writer.add({ offset, length, content: 'hole', old: null });
      writer.finish();
      expect(() => read(host)).toThrow(/damaged/);
    }
  });
});
