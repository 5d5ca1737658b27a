import {
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SparseFile } from '../../src/image/sparse-file';
import { temporaryFolder } from './support';

describe('a sparse file', () => {
  it('holds what was written, whatever of it is zero', () => {
    const folder = temporaryFolder();
    let count = 0;
    const run = fc.record({
      length: fc.integer({ min: 1, max: 20_000 }),
      value: fc.constantFrom(0, 0, 7),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), fc.nat({ max: 9000 }), (runs, offset) => {
        const content = Buffer.concat(runs.map(({ length, value }) => Buffer.alloc(length, value)));
        const path = join(folder, `${count++}`);
        const file = SparseFile.create(path);
        file.write(offset, content);
        file.finish(offset + content.length + 100, {});
        const expected = Buffer.concat([Buffer.alloc(offset), content, Buffer.alloc(100)]);
        expect(readFileSync(path).equals(expected)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('takes room only for what is not zero, also with a length of a TiB', () => {
    const folder = temporaryFolder();
    // What a file of the host takes that is all hole, to see that the host has holes at all.
    const hole = join(folder, 'hole');
    writeFileSync(hole, '');
    truncateSync(hole, 2 ** 40);
    const blocksOf = (path: string) => statSync(path).blocks * 512;
    expect(blocksOf(hole)).toBeLessThan(65536);

    const path = join(folder, 'sparse');
    const file = SparseFile.create(path);
    const content = new Uint8Array(2 ** 20);
    content[300_000] = 1;
    file.write(2 ** 30, content);
    file.finish(2 ** 40, {});
    expect(statSync(path).size).toBe(2 ** 40);
    expect(blocksOf(path)).toBeLessThanOrEqual(blocksOf(hole) + 8192);
  });

  it('gets its times and its mode, but never a set-user-ID bit', () => {
    const path = join(temporaryFolder(), 'file');
    const file = SparseFile.create(path);
    file.finish(0, { mode: 0o106751, modified: 1_000_000_000.5, accessed: 1_100_000_000 });
    const { mode, mtimeMs, atimeMs } = statSync(path);
    expect(mode & 0o7777).toBe(0o751);
    expect(mtimeMs).toBe(1_000_000_000_500);
    expect(atimeMs).toBe(1_100_000_000_000);
  });

  it('gets times before 1970 too', () => {
    const path = join(temporaryFolder(), 'file');
    SparseFile.create(path).finish(0, { modified: -1_414_695_233 });
    expect(statSync(path).mtimeMs).toBe(-1_414_695_233_000);
  });

  it('is never created over anything, nor through a symlink', () => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'kept');
    symlinkSync(victim, join(folder, 'link'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'dangling'));
    for (const name of ['victim', 'link', 'dangling']) {
      expect(() => SparseFile.create(join(folder, name))).toThrow('it exists already');
    }
    expect(readFileSync(victim, 'utf8')).toBe('kept');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('is gone when it is abandoned', () => {
    const path = join(temporaryFolder(), 'file');
    const file = SparseFile.create(path);
    file.write(0, new Uint8Array([1]));
    file.abandon();
    expect(existsSync(path)).toBe(false);
  });

  it.skipIf(!existsSync('/dev/full'))('says in one line that there is no room', async () => {
    const { hostError } = await import('../../src/image/host-error');
    let caught: unknown;
    try {
      writeFileSync('/dev/full', 'x');
    } catch (error) {
      caught = hostError(error, 'unwritable', 'Cannot write x');
    }
    expect(caught).toMatchObject({
      code: 'no-room',
      message: 'Cannot write x: no space is left on the device.',
    });
  });
});
