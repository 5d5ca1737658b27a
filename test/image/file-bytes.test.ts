import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  openSync,
  closeSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../../src/image/bytes';
import { FileBytes } from '../../src/image/file-bytes';
import { temporaryFolder } from './support';

describe('the bytes of a file', () => {
  it('are read at their places, past 4 GiB too', () => {
    const path = join(temporaryFolder(), 'large.img');
    const file = openSync(path, 'w');
    writeSync(file, 'here', 5 * 2 ** 30);
    closeSync(file);
    truncateSync(path, 2 ** 42);
    const bytes = FileBytes.open(path);
    expect(bytes.size).toBe(2 ** 42);
    expect(bytes.allocated).toBeLessThan(1e6);
    expect(Buffer.from(readBytes(bytes, 5 * 2 ** 30, 6)).toString()).toBe('here\0\0');
    bytes.close();
  });

  it('end where the file ends, even when it shrinks while it is open', () => {
    const path = join(temporaryFolder(), 'image');
    writeFileSync(path, 'abcdefgh');
    const bytes = FileBytes.open(path);
    const target = new Uint8Array(6).fill(0xa5);
    expect(bytes.read(4, target)).toBe(4);
    expect(Buffer.from(target).toString()).toBe('efgh\0\0');
    truncateSync(path, 5);
    expect(bytes.read(4, target)).toBe(1);
    expect(Buffer.from(target).toString()).toBe('e\0\0\0\0\0');
    bytes.close();
  });

  it('can be read of a file that cannot be written, and reading changes nothing', () => {
    const path = join(temporaryFolder(), 'image');
    writeFileSync(path, 'abc');
    chmodSync(path, 0o400);
    const before = statSync(path);
    const bytes = FileBytes.open(path);
    readBytes(bytes, 0, 3);
    bytes.close();
    expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
  });
});

describe('what is no readable file', () => {
  it('a missing one', () => {
    const path = join(temporaryFolder(), 'missing');
    expect(() => FileBytes.open(path)).toThrow(`Cannot read ${path}: there is no such file.`);
  });

  it('a folder', () => {
    expect(() => FileBytes.open(temporaryFolder())).toThrow(/is not a regular file|is a folder/);
  });

  it.skipIf(platform === 'win32')('a named pipe, without waiting for a writer', () => {
    const path = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    expect(() => FileBytes.open(path)).toThrow(`${path} is not a regular file.`);
  });

  it.skipIf(platform === 'win32')('a device', () => {
    expect(() => FileBytes.open('/dev/zero')).toThrow('/dev/zero is not a regular file.');
  });
});
