import * as fs from 'node:fs';
import { createServer } from 'node:net';
import * as path from 'node:path';
import { run } from './ext-tools';

/** What a volume can hold, by its features. */
export interface Filling {
  readonly blockSize: number;
  /** Extents: only with them can blocks be allocated without being written. */
  readonly unwritten: boolean;
}

const kib = 1024;

/** Bytes that differ at every place and from file to file. */
function pattern(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let value = seed * 2654435761 + 1;
  for (let i = 0; i < length; i++) {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    bytes[i] = value >>> 24;
  }
  return bytes;
}

function writeAt(file: string, offset: number, content: Buffer): void {
  const descriptor = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_CREAT);
  fs.writeSync(descriptor, content, 0, content.length, offset);
  fs.closeSync(descriptor);
}

/** What every volume gets, whatever it is made with: names, links, times, modes, small files. */
export async function fillPlainly(root: string, files: number): Promise<void> {
  const at = (...parts: string[]) => path.join(root, ...parts);
  fs.mkdirSync(at('nested/a/b/c/d/e'), { recursive: true });
  fs.writeFileSync(at('nested/a/b/c/d/e/deep'), 'deep\n');
  fs.writeFileSync(at('empty'), '');
  fs.writeFileSync(at('n'.repeat(255)), 'a name of 255 bytes\n');
  fs.writeFileSync(at('<img src=x onerror=alert(1)>'), 'markup\n');
  fs.writeFileSync(at('Grüße 日本語 🎈'), 'not ASCII\n');
  const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x80, 0x0a, 0xc3]);
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), bytes]), 'not UTF-8\n');
  for (const length of [1, 59, 60, 61, 150, 160, 1000, 5000, 70_000]) {
    fs.writeFileSync(at(`bytes-${length}`), pattern(length, length));
  }

  fs.linkSync(at('bytes-1000'), at('nested/hard link'));
  for (const length of [1, 58, 59, 60, 61, 200, 1000]) {
    fs.symlinkSync('t'.repeat(length), at(`link-${length}`));
  }
  run('mknod', [at('null'), 'c', '1', '3']);
  run('mknod', [at('disk'), 'b', '259', '70000']);
  run('mknod', [at('pipe'), 'p']);
  await makeSocket(at('socket'));

  fs.chmodSync(at('bytes-59'), 0o4751);
  fs.chmodSync(at('bytes-60'), 0);
  fs.chmodSync(at('nested/a'), 0o1777);
  fs.chownSync(at('bytes-61'), 70_000, 4_000_000_000);
  const dates = { early: '1925-03-04 05:06:07.123456789', late: '2061-12-31 23:59:59.999999999' };
  for (const [name, date] of Object.entries(dates)) {
    fs.writeFileSync(at(name), name);
    run('touch', ['-d', `${date} UTC`, at(name)]);
  }

  fs.mkdirSync(at('many'));
  for (let i = 0; i < files; i++) {
    fs.writeFileSync(at('many', `file ${i} ${'x'.repeat(i % 40)}`), i % 10 === 0 ? `${i}` : '');
  }
  for (let i = 0; i < files; i += 7) fs.rmSync(at('many', `file ${i} ${'x'.repeat(i % 40)}`));
}

/** What only a mounted volume gets: holes at every level, fragments, unwritten blocks. */
export function fillWithExtents(root: string, filling: Filling): void {
  const { blockSize } = filling;
  const at = (name: string) => path.join(root, name);
  // With 1 KiB blocks and no extents these lie behind 0, 1, 2 and 3 levels of pointers.
  for (const block of [3, 20, 5000, 66_000]) {
    writeAt(at('holes'), block * blockSize, pattern(blockSize + 100, block));
  }
  fs.truncateSync(at('holes'), 70_000 * blockSize);
  fs.writeFileSync(at('all hole'), '');
  fs.truncateSync(at('all hole'), 300 * kib);

  // Every second block first, then those between: hardly two of them lie side by side.
  const descriptor = fs.openSync(at('fragmented'), 'w');
  for (const start of [0, 1]) {
    for (let block = start; block < 400; block += 2) {
      fs.writeSync(descriptor, pattern(blockSize, block), 0, blockSize, block * blockSize);
    }
    fs.fsyncSync(descriptor);
  }
  fs.closeSync(descriptor);
  if (!filling.unwritten) return;
  run('fallocate', ['-l', String(300 * kib), at('unwritten')]);
  fs.writeFileSync(at('past its end'), 'short');
  run('fallocate', ['-n', '-l', String(300 * kib), at('past its end')]);
  run('fallocate', ['-l', String(300 * kib), at('half written')]);
  writeAt(at('half written'), 100 * kib + 1, pattern(50 * kib, 9));
}

async function makeSocket(place: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(`${place}.tmp`, done);
  });
  // Closing the server removes the name it made, so the socket lives on under another one.
  fs.linkSync(`${place}.tmp`, place);
  await new Promise((done) => server.close(done));
}
