import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import { ImageError } from '../../src/image/errors';
import { noProgress } from '../../src/image/progress';

const folder = mkdtempSync(join(tmpdir(), 'fsimg-full-'));
const full = join(folder, 'full');
const options = { overwrite: false, undoLimit: Infinity, dropUndo: false };

function run(program: string, ...parameters: string[]) {
  const { status, stderr } = spawnSync(program, parameters, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

beforeAll(() => {
  run('mkdir', full);
  run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', full);
});

afterAll(() => {
  spawnSync('umount', [full]);
  rmSync(folder, { recursive: true, force: true });
});

it('is found full before the image is touched, and the image is saved when there is room', () => {
  const path = join(full, 'disk.img');
  const filler = join(full, 'filler');
  writeFileSync(path, 'what is there');
  truncateSync(path, 16 * 2 ** 20);
  writeFileSync(filler, new Uint8Array(512 * 1024));
  const image = EditedImage.open(path, {
    stateFolder: join(folder, 'state'),
    undoFolder: join(folder, 'undo'),
  });
  const before = readFileSync(path);
  const { blocks } = statSync(path);
  const transaction = image.begin();
  transaction.write(3, new Uint8Array(4000).fill(7));
  transaction.write(2 ** 20, new Uint8Array(700 * 1024).fill(9));
  image.commit(transaction);
  const save = () => image.save(options, noProgress);
  expect(save).toThrow(ImageError);
  expect(save).toThrow(/no space is left/);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(statSync(path).blocks).toBe(blocks);
  expect(image.isDirty).toBe(true);

  expect(() => image.saveAs(join(full, 'copy.img'), noProgress)).toThrow(/no space is left/);
  expect(() => statSync(join(full, 'copy.img'))).toThrow();

  rmSync(filler);
  save();
  expect(readFileSync(path).equals(image.wholeImage())).toBe(true);
  image.close();
});
