import * as fs from 'node:fs';
import * as path from 'node:path';
import { mtools, type Format } from './fat-tools';

/** Bytes that differ at every place and from file to file. */
export function pattern(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let value = seed * 2654435761 + 1;
  for (let i = 0; i < length; i++) {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    bytes[i] = value >>> 24;
  }
  return bytes;
}

const names = [
  'readme.txt',
  'UPPER.TXT',
  'MIXED.txt',
  'lower.TXT',
  'Mixed.Case',
  'no_extension',
  '.dotfile',
  'A long file name, with dots. And more.text',
  'a long file name.1',
  'a long file name.2',
  'Exactly13char',
  'Exactly twenty-six letters',
  'x'.repeat(255),
  'Grüße 日本語.txt',
  'русский текст.txt',
  'ÄÖÜ.TXT',
];

/** Makes the folder of the host that every image gets a copy of. */
export function makeContent(folder: string): void {
  fs.mkdirSync(path.join(folder, 'top/nested/a/b/c/d/e'), { recursive: true });
  const write = (name: string, bytes: Buffer) => fs.writeFileSync(path.join(folder, name), bytes);
  names.forEach((name, i) => write(`top/${name}`, pattern(10 * i, i)));
  for (const size of [0, 1, 511, 512, 513, 1023, 4096, 65_536, 70_001]) {
    write(`top/size-${size}`, pattern(size, size));
  }
  write('top/nested/a/b/c/d/e/deep', Buffer.from('deep\n'));
  for (let i = 0; i < 40; i++) {
    write(`top/nested/One of many files, number ${i}`, Buffer.from(`${i}\n`));
  }
  write('IN THE ROOT.TXT', Buffer.from('root\n'));
  const setTimes = (inside: string, seconds: number) => {
    for (const name of fs.readdirSync(path.join(folder, inside))) {
      const file = path.join(folder, inside, name);
      const time = Date.UTC(1980, 0, 1) / 1000 + 2 * Math.floor(seconds * name.length * 40_000.5);
      if (fs.statSync(file).isDirectory()) setTimes(path.join(inside, name), seconds + 1);
      fs.utimesSync(file, time, time);
    }
  };
  setTimes('', 1);
}

/** What was deleted, as it was before. */
export interface Deletion {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Fills an image: the content, attributes, a rename, a file in many pieces, deleted entries.
 * @param scratch a folder for what has to lie on the host
 */
export function fill(image: string, format: Format, content: string, scratch: string): Deletion[] {
  mtools('mcopy', image, '-s', '-m', '-Q', path.join(content, 'top'), '::/');
  mtools('mcopy', image, '-m', path.join(content, 'IN THE ROOT.TXT'), '::/');
  mtools('mattrib', image, '+r', '+h', '+s', '-a', '::/top/readme.txt');
  mtools('mattrib', image, '+h', '::/top/nested');
  mtools('mattrib', image, '-a', '::/top/UPPER.TXT');
  mtools('mren', image, '::/top/size-512', '::/top/renamed to something longer');
  fragment(image, format, scratch);
  const deleted = [
    { name: 'Deleted long name.txt', content: pattern(format.clusterSize + 100, 7) },
    { name: 'GONE.TXT', content: pattern(3 * format.clusterSize, 8) },
  ];
  for (const { name, content: bytes } of deleted) {
    fs.writeFileSync(path.join(scratch, name), bytes);
    mtools('mcopy', image, path.join(scratch, name), '::/top/');
  }
  for (const { name } of deleted) mtools('mdel', image, `::/top/${name}`);
  return deleted;
}

const slices = 12;

/** Copies a file into holes of one cluster each. */
function fragment(image: string, format: Format, scratch: string): void {
  const sliceNames = Array.from({ length: slices }, (_, i) => `slice-${i}`);
  for (const [i, name] of sliceNames.entries()) {
    fs.writeFileSync(path.join(scratch, name), pattern(format.clusterSize, 100 + i));
  }
  mtools('mcopy', image, ...sliceNames.map((name) => path.join(scratch, name)), '::/top/');
  const removed = sliceNames.filter((_, i) => i % 2 === 0);
  mtools('mdel', image, ...removed.map((name) => `::/top/${name}`));
  if (format.bits === 32) forgetNextFree(image, format);
  fs.writeFileSync(path.join(scratch, 'pieces'), pattern(6 * format.clusterSize - 1, 99));
  mtools('mcopy', image, path.join(scratch, 'pieces'), '::/top/');
}

/** Without a hint in FSInfo mtools looks for free clusters from the start. */
function forgetNextFree(image: string, format: Format): void {
  const descriptor = fs.openSync(image, 'r+');
  fs.writeSync(descriptor, Buffer.alloc(4, 0xff), 0, 4, format.sectorSize + 492);
  fs.closeSync(descriptor);
}
