import { describe, expect, it } from 'vitest';
import { dots, FatImage, long, short } from '../fat-image';
import { edit, keyOf, namesIn, now, refusalOf, reopen } from './editing';

const floppy = (rootEntries = 64) => new FatImage({ bits: 12, clusters: 200, rootEntries });
const disk = () => new FatImage({ bits: 32, clusters: 3000 });

const slotAt = (image: FatImage, place: number) =>
  image.bytes.subarray(image.before + place, image.before + place + 32);
const rawName = (image: FatImage, place: number) =>
  String.fromCharCode(...slotAt(image, place).subarray(0, 11));

const stamp = { date: (44 << 9) | (5 << 5) | 6, time: (7 << 11) | (8 << 5) | 5 };
const madeNow = {
  written: [stamp.date, stamp.time] as [number, number],
  created: [stamp.date, stamp.time, 0] as [number, number, number],
  accessed: stamp.date,
};

describe('a new file', () => {
  it('of a short name takes one slot', () => {
    const image = floppy();
    const place = edit(image).editor.createFile(0, 'read.ME', {});
    expect(place).toBe(image.rootStart);
    expect([...slotAt(image, place)]).toEqual([
      ...short('READ    ME ', { caseFlags: 0x08, ...madeNow }),
    ]);
  });

  it('of a long name takes the slots that spell it', () => {
    const image = floppy();
    const name = 'A name of thirty-nine units, no more..';
    const place = edit(image).editor.createFile(0, `${name}x`, {});
    const shortName = 'ANAMEO~1X  ';
    const expected = [...long(`${name}x`, shortName), short(shortName, madeNow)];
    expect(expected).toHaveLength(4);
    expect(place).toBe(image.rootStart + 3 * 32);
    expect([...image.bytes.subarray(image.rootStart, image.rootStart + 128)]).toEqual(
      expected.flatMap((slot) => [...slot]),
    );
  });

  it('is given the time that it is to have been modified, within what FAT keeps', () => {
    const image = floppy();
    const { editor } = edit(image);
    const modified = (year: number) => {
      const seconds = Date.UTC(year, 1, 3, 4, 5, 6) / 1000;
      const node = editor.createFile(0, `of ${year}`, { modified: { seconds, nanoseconds: 0 } });
      return new Date((reopen(image).node(node).modified?.seconds ?? 0) * 1000).toISOString();
    };
    expect(modified(1999)).toBe('1999-02-03T04:05:06.000Z');
    expect(modified(1970)).toBe('1980-01-01T00:00:00.000Z');
    expect(modified(2150)).toBe('2107-12-31T23:59:58.000Z');
  });

  it('takes a number for its short name that no other one has', () => {
    const image = floppy();
    const { editor } = edit(image);
    const names = Array.from({ length: 12 }, (_, i) => `Same beginning ${i}.txt`);
    const raw = names.map((name) => rawName(image, editor.createFile(0, name, {})));
    expect(raw.slice(0, 9)).toEqual(raw.slice(0, 9).map((_, i) => `SAMEBE~${i + 1}TXT`));
    expect(raw.slice(9)).toEqual(['SAMEB~10TXT', 'SAMEB~11TXT', 'SAMEB~12TXT']);
    expect(namesIn(image)).toEqual(names);
  });

  it('never takes a short name that is the long one of another file', () => {
    const image = floppy();
    const { editor } = edit(image);
    editor.createFile(0, 'Samebe~1.txt', {});
    const place = editor.createFile(0, 'Same beginning.txt', {});
    expect(rawName(image, place)).toBe('SAMEBE~2TXT');
  });

  it.each([
    'A Long Name.txt',
    'a long name.TXT',
    'ALONGN~1.TXT',
    'alongn~1.txt',
    'A long name.txt.',
  ])('is refused where %j is there already', (name) => {
    const image = floppy();
    const { editor } = edit(image);
    editor.createFile(0, 'A long name.txt', {});
    expect(refusalOf(() => editor.createFile(0, name, {}))).toBe('exists');
    expect(refusalOf(() => editor.createDirectory(0, name, {}))).toBe('exists');
    expect(namesIn(image)).toEqual(['A long name.txt']);
  });

  it('has its name in the code page of the volume', () => {
    const image = floppy();
    const { editor } = edit(image, { codePage: 850 });
    const place = editor.createFile(0, 'õl', {});
    expect(slotAt(image, place)[0]).toBe(0x05);
    expect(namesIn(image, 0, 850)).toEqual(['õl']);
    expect(refusalOf(() => editor.createFile(0, 'ÕL', {}))).toBe('exists');
  });

  it('is noted where Windows could not open it, or its name was changed', () => {
    const { editor } = edit(floppy());
    editor.createFile(0, 'plain', {});
    expect(editor.notes).toEqual([]);
    editor.createFile(0, 'nul.txt', {});
    editor.createFile(0, 'dots...', {});
    expect(editor.notes).toHaveLength(2);
  });

  it('is refused in what is no directory', () => {
    const image = floppy();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    expect(refusalOf(() => editor.createFile(file, 'x', {}))).toBe('not-a-directory');
    expect(refusalOf(() => editor.createFile(image.rootStart + 640, 'x', {}))).toBe('not-found');
    expect(refusalOf(() => editor.createFile(12, 'x', {}))).toBe('not-found');
    expect(refusalOf(() => editor.createFile(0, ' . ', {}))).toBe('usage');
  });
});

describe('slots', () => {
  it('that follow one another are found between others', () => {
    const image = floppy();
    const { editor } = edit(image);
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => editor.createFile(0, name, {}));
    for (const i of [1, 3, 2]) editor.remove(keyOf(0, nodes[i], 'abcde'[i]));
    expect(editor.createFile(0, 'long name', {})).toBe(image.rootStart + 2 * 32);
    expect(editor.createFile(0, 'x', {})).toBe(image.rootStart + 3 * 32);
    expect(editor.createFile(0, 'y', {})).toBe(image.rootStart + 5 * 32);
  });

  it('behind the end mark do not come to life', () => {
    const image = floppy();
    image.slots(image.rootStart, short('FIRST      '));
    // Some driver left these, with the end mark before them.
    image.slots(image.rootStart + 64, ...[1, 2, 3].map((i) => short(`STALE${i}     `)));
    const { editor } = edit(image);
    editor.createFile(0, 'second', {});
    expect(namesIn(image)).toEqual(['FIRST', 'second']);
    editor.createFile(0, 'third', {});
    expect(namesIn(image)).toEqual(['FIRST', 'second', 'third']);
  });

  it('of a long name that lost its short one give it to nobody', () => {
    const image = floppy();
    const orphans = long('A long name of two slots', 'ALONGN~1   ');
    const removed = short('ALONGN~1   ');
    removed[0] = 0xe5;
    image.slots(image.rootStart, ...orphans, removed, short('AFTER      '));
    const { editor } = edit(image);
    expect(editor.createFile(0, 'ALONGN~1', {})).toBe(image.rootStart + 64);
    expect(namesIn(image)).toEqual(['ALONGN~1', 'AFTER']);
    expect(editor.createFile(0, 'OTHER', {})).toBe(image.rootStart);
  });

  it('are added to a directory by clusters of zeros', () => {
    const image = disk();
    image.fill(image.dataStart + 512, 100 * 512, 0x41);
    const { editor } = edit(image);
    const directory = editor.createDirectory(0, 'directory', {});
    const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
    for (const name of names) editor.createFile(directory, name, {});
    editor.createFile(directory, 'x'.repeat(255), {}); // more slots than a cluster has
    expect(namesIn(image, directory)).toEqual([...names, 'x'.repeat(255)]);
    const content = reopen(image).content(directory);
    expect(content.extents).toEqual([{ logical: 0, physical: 3, length: 3 }]);
    const rest = new Uint8Array(64);
    content.read((2 + 20 + 21) * 32, rest);
    expect(rest).toEqual(new Uint8Array(64));
  });

  it('of a fixed root end where it does, and a name may still take the place of another', () => {
    const image = floppy(16);
    const { editor } = edit(image);
    const nodes = Array.from({ length: 15 }, (_, i) => editor.createFile(0, `f${i}`, {}));
    expect(refusalOf(() => editor.createFile(0, 'long name', {}))).toBe('full');
    expect(refusalOf(() => editor.move(keyOf(0, nodes[0], 'f0'), 0, 'long name'))).toBe('full');
    editor.createFile(0, 'last', {});
    expect(refusalOf(() => editor.createFile(0, 'x', {}))).toBe('full');
    expect(editor.move(keyOf(0, nodes[3], 'f3'), 0, 'new')).toBe(nodes[3]);
    expect(namesIn(image)[3]).toBe('new');
    expect(namesIn(image)).toHaveLength(16);
  });

  it('of a directory are no more than 65,536', () => {
    const image = new FatImage({ bits: 16, clusters: 5000 });
    const clusters = Array.from({ length: 4096 }, (_, i) => 10 + i);
    image.chain(...clusters);
    image.slots(image.rootStart, short('LARGE      ', { attributes: 0x10, cluster: 10 }));
    image.slots(image.cluster(10), ...dots(10, 0));
    for (let i = 2; i < 65_536; i++) {
      const name = `F${i}`.padEnd(11);
      image.slots(image.cluster(10) + 32 * i, short(name));
    }
    const { editor } = edit(image);
    expect(refusalOf(() => editor.createFile(image.rootStart, 'x', {}))).toBe('full');
    const last = image.cluster(10) + 32 * 65_535;
    editor.remove(keyOf(image.rootStart, last, 'F65535'));
    expect(editor.createFile(image.rootStart, 'x', {})).toBe(last);
  });
});

describe('a directory', () => {
  const dotsOf = (image: FatImage, cluster: number) =>
    [0, 32].map((at) => image.view.getUint16(image.cluster(cluster) + at + 26, true));

  it('starts with itself and its parent, which is 0 for the root', () => {
    const image = disk();
    const { editor } = edit(image);
    const outer = editor.createDirectory(0, 'outer', {});
    const inner = editor.createDirectory(outer, 'inner', {});
    const [first, second] = [outer, inner].map((node) => reopen(image).node(node).number);
    expect(dotsOf(image, first)).toEqual([first, 0]);
    expect(dotsOf(image, second)).toEqual([second, first]);
    const directory = { attributes: 0x10, cluster: second, ...madeNow };
    expect([...slotAt(image, image.cluster(second))]).toEqual([...short('.          ', directory)]);
    expect([...slotAt(image, image.cluster(second) + 32)]).toEqual([
      ...short('..         ', { ...directory, cluster: first }),
    ]);
  });

  it('that moves points to its new parent', () => {
    const image = disk();
    const { editor } = edit(image);
    const [a, b] = ['a', 'b'].map((name) => editor.createDirectory(0, name, {}));
    const moving = editor.createDirectory(a, 'moving', {});
    editor.createFile(moving, 'inside', {});
    const { number } = reopen(image).node(moving);
    const moved = editor.move(keyOf(a, moving, 'moving'), b, 'Moved here');
    expect(dotsOf(image, number)).toEqual([number, reopen(image).node(b).number]);
    expect(namesIn(image, a)).toEqual([]);
    expect(namesIn(image, b)).toEqual(['Moved here']);
    expect(namesIn(image, moved)).toEqual(['inside']);
    editor.move(keyOf(b, moved, 'Moved here'), 0, 'top');
    expect(dotsOf(image, number)).toEqual([number, 0]);
  });

  it('is not moved into itself, and not where “..” tells nothing', () => {
    const image = disk();
    const { editor } = edit(image);
    const outer = editor.createDirectory(0, 'outer', {});
    const inner = editor.createDirectory(outer, 'inner', {});
    const other = editor.createDirectory(0, 'other', {});
    const move = (target: number) => () => editor.move(keyOf(0, outer, 'outer'), target, 'x');
    expect(refusalOf(move(outer))).toBe('usage');
    expect(refusalOf(move(inner))).toBe('usage');
    const { number } = reopen(image).node(other);
    for (const parent of [number, 3001, 60_000]) {
      image.view.setUint16(image.cluster(number) + 32 + 26, parent, true);
      expect(refusalOf(move(other)), `${parent}`).toBe('corrupt');
    }
  });

  it('without “..” is not moved elsewhere', () => {
    const image = disk();
    const { editor } = edit(image);
    const directory = editor.createDirectory(0, 'directory', {});
    const other = editor.createDirectory(0, 'other', {});
    image.fill(image.cluster(reopen(image).node(directory).number) + 32, 32, 0);
    const before = image.bytes.slice();
    const key = keyOf(0, directory, 'directory');
    expect(refusalOf(() => editor.move(key, other, 'x'))).toBe('corrupt');
    expect(Buffer.compare(image.bytes, before)).toBe(0);
    editor.move(key, 0, 'renamed');
    expect(namesIn(image)).toEqual(['renamed', 'other']);
  });

  it('is removed only when it is empty', () => {
    const image = disk();
    const { editor } = edit(image);
    const directory = editor.createDirectory(0, 'directory', {});
    const file = editor.createFile(directory, 'A file', {});
    const remove = () => editor.remove(keyOf(0, directory, 'directory'));
    expect(refusalOf(remove)).toBe('not-empty');
    editor.remove(keyOf(directory, file, 'A file'));
    remove();
    editor.finish();
    expect(namesIn(image)).toEqual([]);
    expect(reopen(image).freeSpace().total).toBe(2999);
    expect(refusalOf(remove)).toBe('not-found');
  });

  it('whose chain is broken is not changed', () => {
    const image = disk();
    image.slots(image.cluster(2), short('LOOP       ', { attributes: 0x10, cluster: 5 }));
    image.chain(5, 6, 5);
    const before = image.bytes.slice();
    const { editor } = edit(image);
    const directory = image.cluster(2);
    expect(refusalOf(() => editor.createFile(directory, 'x', {}))).toBe('corrupt');
    expect(refusalOf(() => editor.remove(keyOf(0, directory, 'LOOP')))).toBe('corrupt');
    expect(Buffer.compare(image.bytes, before)).toBe(0);
  });

  it('was modified when an entry came or went', () => {
    const image = disk();
    const cluster = 7;
    image.chain(cluster);
    image.slots(image.cluster(2), short('DIR        ', { attributes: 0x10, cluster }));
    image.slots(image.cluster(cluster), ...dots(cluster, 0));
    const directory = image.cluster(2);
    expect(reopen(image).node(directory).modified).toBeNull();
    edit(image).editor.createFile(directory, 'x', {});
    expect(reopen(image).node(directory).modified).toEqual(now);
  });
});

describe('an entry', () => {
  it('changes its case alone, and keeps all but its name', () => {
    const image = floppy();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'name.txt', {});
    editor.write(file, 0, Uint8Array.of(1, 2, 3));
    editor.change(file, { set: ['hidden'], created: { seconds: 1e9, nanoseconds: 0 } });
    const before = reopen(image).node(file);
    const moved = editor.move(keyOf(0, file, 'name.txt'), 0, 'Name.TXT');
    expect(namesIn(image)).toEqual(['Name.TXT']);
    const after = reopen(image).node(moved);
    expect({ ...after, id: 0, offset: 0 }).toEqual({ ...before, id: 0, offset: 0 });
    const back = editor.move(keyOf(0, moved, 'Name.TXT'), 0, 'NAME.txt');
    expect(namesIn(image)).toEqual(['NAME.txt']);
    expect(rawName(image, back)).toBe('NAME    TXT');
  });

  it('is not given a name that another one has', () => {
    const image = floppy();
    const { editor } = edit(image);
    const [a] = ['a', 'b'].map((name) => editor.createFile(0, name, {}));
    expect(refusalOf(() => editor.move(keyOf(0, a, 'a'), 0, 'B'))).toBe('exists');
    expect(namesIn(image)).toEqual(['a', 'b']);
  });

  it('that was removed leaves only what deletion leaves', () => {
    const image = floppy();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'A long name', {});
    editor.write(file, 0, new Uint8Array(1300));
    const slots = image.bytes.slice(image.rootStart, image.rootStart + 64);
    editor.remove(keyOf(0, file, 'A long name'));
    slots[0] = slots[32] = 0xe5;
    expect([...image.bytes.subarray(image.rootStart, image.rootStart + 64)]).toEqual([...slots]);
    expect(reopen(image).freeSpace().total).toBe(200);
  });

  it.each([
    ['name', 0, 32],
    ['other', 0, 0],
    ['name', 32, 0],
  ])('is not found as %j, %i bytes on', (name, shift, directory) => {
    const image = floppy();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'name', {});
    const subdirectory = editor.createDirectory(0, 'dir', {});
    const parent = directory === 0 ? 0 : subdirectory;
    const key = keyOf(parent, file + shift, name);
    expect(refusalOf(() => editor.remove(key))).toBe('not-found');
    expect(refusalOf(() => editor.move(key, 0, 'new'))).toBe('not-found');
  });

  it('is never a link', () => {
    const { editor } = edit(floppy());
    expect(refusalOf(() => editor.createSymlink())).toBe('unsupported');
    expect(refusalOf(() => editor.createLink())).toBe('unsupported');
  });
});
