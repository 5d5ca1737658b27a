import { describe, expect, it } from 'vitest';
import { EditedDirectory, type DirectoryGrowth } from '../../../src/ext/edit/edited-directory';
import { inodeStructure } from '../../../src/ext/inode';
import { HandMade, namesOf, type HandRecord } from '../support/hand-made';
import { writerOf } from '../support/writer';

const nameOf = (text: string) => new TextEncoder().encode(text);

/** Blocks of directories by pointers in the inode. */
function growthOf(image: HandMade): DirectoryGrowth {
  const writer = writerOf(image);
  return {
    append(directory) {
      const { i_size_lo, i_block } = inodeStructure.fields;
      const block = image.take();
      let logical = 0;
      writer.editInode(directory, (raw) => {
        logical = i_size_lo.read(raw, i_size_lo.offset) / image.blockSize;
        if (logical >= 12) throw new Error('no more pointers');
        raw.setUint32(i_block.offset + 4 * logical, block, true);
        i_size_lo.write(raw, i_size_lo.offset, (logical + 1) * image.blockSize);
      });
      return { logical, block };
    },
  };
}

const notes: string[] = [];
const edited = (image: HandMade, inode = 2) =>
  new EditedDirectory(writerOf(image), inode, growthOf(image), notes);

const add = (image: HandMade, name: string) =>
  edited(image).add({ inode: 15, name: nameOf(name), fileType: 1 });

function remove(image: HandMade, name: string, inode?: number): boolean {
  const directory = edited(image);
  const found = directory.find(nameOf(name), inode);
  if (found) directory.remove(found);
  return found !== null;
}

function withNames(...others: HandRecord[]): HandMade {
  const image = new HandMade();
  image.setRecords(image.rootBlock, image.rootRecords(...others));
  return image;
}

function lengthsOf(image: HandMade): string[] {
  const raw = image.open().rawDirectory(2);
  return raw.records(0).map(({ name, length, state }) => `${name} ${length} ${state}`);
}

describe('adding a name', () => {
  it('takes the slack of the first record that has enough', () => {
    const image = withNames({ inode: 12, name: 'a', recLen: 40 }, { inode: 13, name: 'b' });
    add(image, 'exactly 18 bytes!!');
    expect(lengthsOf(image).slice(2)).toEqual([
      'a 12 live',
      'exactly 18 bytes!! 28 live',
      'b 960 live',
    ]);
    add(image, 'next');
    expect(namesOf(image.open(), 2)).toEqual(['a', 'exactly 18 bytes!!', 'b', 'next']);
  });

  it('takes an unused record as a whole', () => {
    const image = withNames({ inode: 0, recLen: 24 }, { inode: 13, name: 'b' });
    add(image, 'c');
    expect(lengthsOf(image)[2]).toBe('c 24 live');
  });

  it('takes a block of its own where no other has room', () => {
    const image = withNames({ inode: 12, name: 'x'.repeat(240) });
    const names = ['y'.repeat(250), 'y'.repeat(240), 'z'.repeat(237)];
    for (const name of names) add(image, name);
    const [first, second] = image.open().rawDirectory(2).blocks;
    expect([first.logical, second.logical]).toEqual([0, 1]);
    const raw = image.open().rawDirectory(2);
    expect(raw.records(1).map(({ name }) => name)).toEqual(['z'.repeat(237)]);
  });

  it('refuses a name that is there', () => {
    const image = withNames({ inode: 12, name: 'a' });
    expect(() => add(image, 'a')).toThrow('“a” is there already.');
  });

  it('refuses a directory whose records are broken', () => {
    const image = withNames({ inode: 12, name: 'a', recLen: 10 });
    expect(() => add(image, 'b')).toThrow(/No name can be added to directory inode 2: .*rec_len/);
  });
});

describe('removing a name', () => {
  it('gives its record to the one before it', () => {
    const image = withNames({ inode: 12, name: 'a' }, { inode: 13, name: 'b' });
    expect(remove(image, 'a', 13)).toBe(false);
    expect(remove(image, 'a', 12)).toBe(true);
    expect(lengthsOf(image).slice(1)).toEqual(['.. 24 live', 'a 12 deleted', 'b 988 live']);
  });

  it('takes the inode of a record that is the first of its block', () => {
    const image = withNames();
    image.setRecords(image.rootBlock, [
      { inode: 12, name: 'a' },
      { inode: 13, name: 'b' },
    ]);
    expect(remove(image, 'a')).toBe(true);
    expect(lengthsOf(image)).toEqual(['a 12 deleted', 'b 1012 live']);
  });

  it('tells two of one name apart by their inodes', () => {
    const image = withNames({ inode: 12, name: 'a' }, { inode: 13, name: 'a' });
    expect(remove(image, 'a', 13)).toBe(true);
    expect(lengthsOf(image)[2]).toBe('a 1000 live');
  });
});
