import {
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  lstatSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { noProgress } from '../../src/image/progress';
import { hostStateFolder } from '../../src/image/state-folder';
import { Random } from '../support/random';
import { temporaryFolder } from './support';

const options = { overwrite: false, undoLimit: Infinity, dropUndo: false };
const mebibyte = 2 ** 20;

/** A file of 8 MiB on the host with data in its third MiB alone. */
function sparseImage(size = 8 * mebibyte) {
  const folder = temporaryFolder();
  const path = join(folder, 'disk.img');
  writeFileSync(path, '');
  truncateSync(path, size);
  const data = new Random(1).bytes(mebibyte);
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, data, 0, mebibyte, 2 * mebibyte);
  closeSync(descriptor);
  const folders = { stateFolder: join(folder, 'state'), undoFolder: join(folder, 'undo') };
  return { folder, path, data, folders, image: EditedImage.open(path, folders) };
}

const allocatedOf = (path: string) => statSync(path).blocks * 512;

function punch(image: EditedImage, offset: number, length: number) {
  const transaction = image.begin();
  transaction.punch(offset, length);
  return image.commit(transaction);
}

describe('an image in memory', () => {
  const memory = () => new EditedImage(new MemoryBytes(new Uint8Array(100).fill(1)));

  it('is edited, and given as a whole', () => {
    const image = memory();
    const transaction = image.begin();
    transaction.write(10, Uint8Array.of(2, 3));
    transaction.zero(50, 2);
    expect(image.wholeImage()).toEqual(new Uint8Array(100).fill(1));
    const id = Number(image.commit(transaction));
    expect(image.changed(id)).toEqual([
      { offset: 10, length: 2 },
      { offset: 50, length: 2 },
    ]);
    const expected = new Uint8Array(100).fill(1);
    expected.set([2, 3], 10);
    expected.set([0, 0], 50);
    expect(image.wholeImage()).toEqual(expected);
    expect(image.dataRanges(0, 100)).toBeUndefined();
    expect(() => image.save(options, noProgress)).toThrow(/no file of the host/);
  });

  it('takes nothing for a change that changes nothing, and one change at a time', () => {
    const image = memory();
    const transaction = image.begin();
    expect(() => image.begin()).toThrow(/being made/);
    expect(() => image.revert()).toThrow(/being made/);
    transaction.write(0, Uint8Array.of(2));
    transaction.write(0, Uint8Array.of(1));
    expect(image.commit(transaction)).toBeNull();
    expect(image.isDirty).toBe(false);
  });

  it('writes nothing outside of itself', () => {
    const transaction = memory().begin();
    for (const [offset, length] of [
      [99, 2],
      [-1, 1],
      [100, 1],
    ]) {
      expect(() => transaction.write(offset, new Uint8Array(length))).toThrow(ImageError);
      expect(() => transaction.zero(offset, length)).toThrow(ImageError);
      expect(() => transaction.punch(offset, length)).toThrow(ImageError);
    }
  });

  it('keeps only what differs, but no gaps that are not worth a range', () => {
    const image = memory();
    const transaction = image.begin();
    const bytes = new Uint8Array(100).fill(1);
    bytes[5] = bytes[20] = bytes[60] = 9;
    transaction.write(0, bytes);
    expect(image.changed(Number(image.commit(transaction)))).toEqual([
      { offset: 5, length: 16 },
      { offset: 60, length: 1 },
    ]);
  });
});

describe('holes of an image', () => {
  it('are told, and made on the host', () => {
    const { path, image } = sparseImage();
    expect(image.dataRanges(0, image.size)).toEqual([{ offset: 2 * mebibyte, length: mebibyte }]);
    expect(image.dataRanges(0, mebibyte)).toEqual([]);
    const before = allocatedOf(path);
    punch(image, 2 * mebibyte + 100, 512 * 1024);
    expect(image.dataRanges(0, image.size)).toEqual([
      { offset: 2 * mebibyte, length: 4096 },
      { offset: 2 * mebibyte + 512 * 1024, length: 512 * 1024 },
    ]);
    const { bytesPunched, reclaimed, notes } = image.save(options, noProgress);
    expect(notes).toEqual([]);
    expect([bytesPunched, reclaimed]).toEqual([512 * 1024 - 4096, 512 * 1024 - 4096]);
    expect(before - allocatedOf(path)).toBe(reclaimed);
    expect(image.allocated).toBe(allocatedOf(path));
  });

  it('that are there already are no change, at whatever size', () => {
    const { image } = sparseImage(2 ** 40);
    expect(punch(image, 3 * mebibyte, 2 ** 39)).toBeNull();
    const id = punch(image, 0, 2 ** 40);
    expect(image.changed(Number(id))).toEqual([{ offset: 2 * mebibyte, length: mebibyte }]);
    image.save(options, noProgress);
    expect(punch(image, 0, 2 ** 40)).toBeNull();
    image.close();
  });

  it('come back when a trim is undone after a save, and so does the data', () => {
    const { path, image } = sparseImage();
    const [before, allocated] = [readFileSync(path), allocatedOf(path)];
    const id = Number(punch(image, 0, 8 * mebibyte));
    expect(image.keptForUndo()).toBe(mebibyte);
    image.save(options, noProgress);
    expect(allocatedOf(path)).toBeLessThan(allocated);
    image.undo(id);
    image.save(options, noProgress);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(allocatedOf(path)).toBe(allocated);
    image.close();
  });
});

describe('many bytes', () => {
  it('are kept in a file that is gone when the image is closed', () => {
    const { folder, path, image } = sparseImage(80 * mebibyte);
    const expected = readFileSync(path);
    const random = new Random(3);
    const piece = random.bytes(mebibyte);
    const transaction = image.begin();
    for (let at = 0; at < 70; at++) {
      piece[at] ^= 0x55;
      transaction.write(at * mebibyte + 17, piece);
      expected.set(piece, at * mebibyte + 17);
    }
    transaction.write(40 * mebibyte, Uint8Array.of(1, 2, 3)); // over what is in that file
    expected.set([1, 2, 3], 40 * mebibyte);
    const id = Number(image.commit(transaction));
    expect(expected.equals(image.wholeImage())).toBe(true);
    image.save(options, noProgress);
    expect(readFileSync(path).equals(expected)).toBe(true);
    image.undo(id);
    const part = new Uint8Array(mebibyte);
    image.read(2 * mebibyte, part);
    expect(Buffer.compare(part, new Random(1).bytes(mebibyte))).toBe(0);
    image.close();
    expect(readdirSync(join(folder, 'undo'))).toEqual([]);
  });
});

describe('an image that is saved as another file', () => {
  function edited() {
    const scene = sparseImage();
    const transaction = scene.image.begin();
    transaction.write(5 * mebibyte + 1, Uint8Array.of(1, 2, 3));
    transaction.punch(2 * mebibyte, 512 * 1024);
    scene.image.commit(transaction);
    return { ...scene, target: join(scene.folder, 'copy.img') };
  }

  it('has its changes and its holes there, and is as it was', () => {
    const { folder, path, image, target } = edited();
    const before = readFileSync(path);
    writeFileSync(target, 'what was there before');
    image.saveAs(target, noProgress);
    expect(readFileSync(target).equals(image.wholeImage())).toBe(true);
    expect(allocatedOf(target)).toBe(512 * 1024 + 4096);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(image.isDirty).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['copy.img', 'disk.img']);
  });

  it('leaves what is there when it is cancelled', () => {
    const { folder, image, target } = edited();
    writeFileSync(target, 'what was there before');
    const progress = {
      report() {
        throw new ImageError('cancelled', 'Cancelled.');
      },
    };
    expect(() => image.saveAs(target, progress)).toThrow('Cancelled.');
    expect(readFileSync(target, 'utf8')).toBe('what was there before');
    expect(readdirSync(folder).sort()).toEqual(['copy.img', 'disk.img']);
  });

  it('is saved in place under every name that its own file has', () => {
    for (const give of [linkSync, symlinkSync, (from: string) => from]) {
      const { path, image, target } = edited();
      const inode = statSync(path).ino;
      const name = give(path, target) ?? target;
      image.saveAs(name, noProgress);
      expect(image.isDirty).toBe(false);
      expect(readFileSync(path).equals(image.wholeImage())).toBe(true);
      expect(statSync(path).ino).toBe(inode);
    }
  });

  it('replaces a symlink, and leaves what that leads to', () => {
    const { folder, image, target } = edited();
    const other = join(folder, 'other');
    writeFileSync(other, 'precious');
    symlinkSync(other, target);
    image.saveAs(target, noProgress);
    expect(readFileSync(other, 'utf8')).toBe('precious');
    expect(lstatSync(target).isFile()).toBe(true);
  });

  it('replaces no folder, and needs one to be in', () => {
    const { folder, image } = edited();
    mkdirSync(join(folder, 'folder'));
    expect(() => image.saveAs(join(folder, 'folder'), noProgress)).toThrow(/is no file/);
    const nowhere = join(folder, 'nowhere/copy.img');
    expect(() => image.saveAs(nowhere, noProgress)).toThrow(/no such folder/);
  });
});

describe('a backup', () => {
  it('is as large as the changes, and is restored as one of them', () => {
    const { folder, path, folders, image } = sparseImage(2 ** 40);
    const transaction = image.begin();
    transaction.punch(2 * mebibyte, mebibyte);
    transaction.write(2 ** 39, Uint8Array.of(1, 2, 3));
    image.commit(transaction);
    const backup = join(folder, 'backups/one');
    image.backUp(backup);
    expect(statSync(backup).size).toBeLessThan(1000);
    image.close();

    const again = EditedImage.open(path, folders);
    const id = again.restore(backup);
    const part = new Uint8Array(4);
    again.read(2 ** 39, part);
    expect([...part]).toEqual([1, 2, 3, 0]);
    expect(again.dataRanges(0, mebibyte * 8)).toEqual([]);
    expect(() => again.restore(backup)).toThrow(/already/);
    again.undo(Number(id));
    expect(again.isDirty).toBe(false);

    writeFileSync(backup, readFileSync(backup).subarray(0, -1));
    expect(() => again.restore(backup)).toThrow(/damaged/);
    again.close();
  });

  it('is refused by an image that has changed since', () => {
    const { folder, path, folders, image } = sparseImage();
    punch(image, 2 * mebibyte, mebibyte);
    const backup = join(folder, 'backup');
    image.backUp(backup);
    image.save(options, noProgress);
    const again = EditedImage.open(path, folders);
    expect(() => again.restore(backup)).toThrow(/has changed since/);
    expect(again.isDirty).toBe(false);
    again.begin(); // nothing is left half-done
  });
});

describe('an image that is opened', () => {
  it('is not written, and nothing is left beside it', () => {
    const { folder, path, folders, image } = sparseImage();
    image.read(0, new Uint8Array(10));
    image.close();
    expect(existsSync(folders.stateFolder)).toBe(false);
    expect(readdirSync(folder)).toEqual(['disk.img']);
    expect(() => EditedImage.open(`${path}x`, folders)).toThrow(/no such file/);
  });

  it('is opened where the journals of saves cannot be read, and says so', () => {
    const { folder, path } = sparseImage();
    const stateFolder = join(folder, 'state');
    writeFileSync(stateFolder, 'no folder');
    const image = EditedImage.open(path, { stateFolder });
    expect(image.notes).toEqual([expect.stringMatching(/not known whether/)]);
  });
});

it('has the host say where its state is kept', () => {
  if (process.platform !== 'linux') return;
  expect(hostStateFolder({}, '/home/a')).toBe('/home/a/.local/state/fsimg');
  expect(hostStateFolder({ XDG_STATE_HOME: '/state' }, '/home/a')).toBe('/state/fsimg');
});
