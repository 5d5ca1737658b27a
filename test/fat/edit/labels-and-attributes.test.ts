import { describe, expect, it } from 'vitest';
import { openFat } from '../../../src/fat/fat-filesystem';
import { FatImage, short } from '../fat-image';
import { edit, namesIn, now, refusalOf, reopen } from './editing';

const disk = () => new FatImage({ bits: 32, clusters: 3000 });

describe('a label', () => {
  const inBoot = (image: FatImage, at: number) =>
    String.fromCharCode(...image.bytes.subarray(image.before + at, image.before + at + 11));
  const withBackup = () => {
    const image = disk();
    image.bytes.copyWithin(6 * 512, 0, 512);
    return image;
  };

  it('stands in the root directory and in both boot sectors', () => {
    const image = withBackup();
    const { editor } = edit(image);
    editor.setLabel('My disk');
    expect(reopen(image).facts.label).toBe('MY DISK');
    expect(inBoot(image, 71)).toBe('MY DISK    ');
    expect(inBoot(image, 6 * 512 + 71)).toBe('MY DISK    ');
    const slot = image.bytes.subarray(image.cluster(2), image.cluster(2) + 32);
    const written: [number, number] = [(44 << 9) | (5 << 5) | 6, (7 << 11) | (8 << 5) | 5];
    expect([...slot]).toEqual([...short('MY DISK    ', { attributes: 0x08, written })]);
    editor.setLabel('OTHER');
    expect(reopen(image).facts.label).toBe('OTHER');
    expect(inBoot(image, 6 * 512 + 71)).toBe('OTHER      ');
  });

  it.each(['', 'NO NAME'])('that is %j is none', (label) => {
    const image = withBackup();
    const { editor } = edit(image);
    editor.setLabel('LABEL');
    editor.createFile(0, 'file', {});
    editor.setLabel(label);
    expect(reopen(image).facts.label).toBe('');
    expect(inBoot(image, 71)).toBe('NO NAME    ');
    expect(image.view.getUint8(image.cluster(2))).toBe(0xe5);
    expect(namesIn(image)).toEqual(['file']);
  });

  it('is written in the code page of the volume', () => {
    const image = new FatImage({ bits: 16, clusters: 5000 });
    const { editor } = edit(image, { codePage: 850 });
    editor.setLabel('Õde 1');
    expect(image.view.getUint8(image.rootStart)).toBe(0x05);
    expect(reopen(image, 850).facts.label).toBe('ÕDE 1');
    expect(inBoot(image, 43)).toBe('\x05DE 1      ');
    expect(editor.notes.join()).toContain('fsck.fat');
    expect(refusalOf(() => editor.setLabel('日本'))).toBe('usage');
  });

  it.each(['twelve bytes', ' x', 'a.b', 'a/b', 'a"', 'a\n', 'a*'])('is never %j', (label) => {
    const image = withBackup();
    const before = image.bytes.slice();
    expect(refusalOf(() => edit(image).editor.setLabel(label))).toBe('usage');
    expect(Buffer.compare(image.bytes, before)).toBe(0);
  });

  it('needs a slot', () => {
    const image = new FatImage({ bits: 12, clusters: 100, rootEntries: 16 });
    const { editor } = edit(image);
    for (let i = 0; i < 16; i++) editor.createFile(0, `f${i}`, {});
    expect(refusalOf(() => editor.setLabel('LABEL'))).toBe('full');
  });

  it('leaves boot sectors alone that have none', () => {
    const image = withBackup();
    image.view.setUint8(66, 0x28);
    const before = image.bytes.slice(0, 512);
    edit(image).editor.setLabel('LABEL');
    expect(Buffer.compare(image.bytes.slice(0, 512), before)).toBe(0);
    expect(inBoot(image, 6 * 512 + 71)).toBe('LABEL      ');
  });
});

describe('attributes and times', () => {
  it('are set and cleared', () => {
    const image = disk();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.change(file, { set: ['read-only', 'system'], clear: ['archive'] });
    expect(reopen(image).node(file).attributes).toEqual(['read-only', 'system']);
    editor.change(file, { set: ['hidden'], clear: ['system', 'read-only'] });
    expect(reopen(image).node(file).attributes).toEqual(['hidden']);
    expect(reopen(image).node(file)).toMatchObject({ modified: now, created: now });
  });

  it('are kept in the steps of FAT', () => {
    const image = disk();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    const moment = { seconds: Date.UTC(2001, 1, 3, 4, 5, 7) / 1000, nanoseconds: 987_654_321 };
    editor.change(file, { modified: moment, accessed: moment, created: moment });
    expect(reopen(image).node(file)).toMatchObject({
      modified: { seconds: moment.seconds - 1, nanoseconds: 0 },
      accessed: { seconds: Date.UTC(2001, 1, 3) / 1000, nanoseconds: 0 },
      created: { seconds: moment.seconds, nanoseconds: 980_000_000 },
    });
  });

  it.each([
    [{ mode: 0o644 }, 'unsupported'],
    [{ uid: 0 }, 'unsupported'],
    [{ gid: 0 }, 'unsupported'],
    [{ set: ['immutable'] }, 'usage'],
    [{ clear: ['volume-label'] }, 'usage'],
    [{ modified: { seconds: Date.UTC(1979, 11, 31) / 1000, nanoseconds: 0 } }, 'usage'],
    [{ created: { seconds: Date.UTC(2108, 0, 1) / 1000, nanoseconds: 0 } }, 'usage'],
    [{ accessed: { seconds: NaN, nanoseconds: 0 } }, 'usage'],
  ])('are refused: %j', (changes, code) => {
    const { editor } = edit(disk());
    const file = editor.createFile(0, 'file', {});
    expect(refusalOf(() => editor.change(file, changes))).toBe(code);
  });

  it('of the root directory are none', () => {
    expect(refusalOf(() => edit(disk()).editor.change(0, { set: ['hidden'] }))).toBe('unsupported');
  });
});

describe('a volume that cannot be edited says why', () => {
  it.each([
    ['whole', (image: FatImage) => image.open(), null],
    ['cut short', (image: FatImage) => openCut(image), /cut short/],
    ['known by its backup', (image: FatImage) => openDestroyed(image), /backup/],
  ])('%s', (_, open, reason) => {
    const { editing } = open(disk());
    if (reason) expect(editing?.whyNot).toMatch(reason);
    else expect(editing?.whyNot).toBeNull();
  });

  it('without a cluster', () => {
    const image = new FatImage({ bits: 12, clusters: 0 });
    expect(image.open().editing.whyNot).toMatch(/no cluster/);
  });
});

const openCut = (image: FatImage) => openFat(image.volume(image.bytes.length - 1));

function openDestroyed(image: FatImage) {
  image.view.setUint16(510, 0xaa55, true);
  image.bytes.copyWithin(6 * 512, 0, 512);
  image.fill(0, 512, 0);
  return reopen(image);
}
