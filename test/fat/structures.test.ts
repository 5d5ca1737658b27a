import { describe, expect, it } from 'vitest';
import type { StructureBranch } from '../../src/filesystem/disk-layout';
import type { ImageError } from '../../src/image/errors';
import { deleted, dots, FatImage, long, short } from './fat-image';

const before = 4096;

function sample(bits: 12 | 16 | 32, clusters = bits === 16 ? 5000 : 100) {
  const image = new FatImage({ bits, before, clusters });
  const root = bits === 32 ? image.cluster(2) : image.rootStart;
  image.chain(12, 40);
  image.chain(20, 21);
  image.slots(
    root,
    short('LABEL      ', { attributes: 8 }),
    ...long('a long name', 'ALONGN~1   '),
    short('ALONGN~1   ', { cluster: 20, size: 600 }),
    short('SUB        ', { attributes: 0x10, cluster: 12 }),
    ...deleted(short('GONE       ')),
  );
  image.slots(image.cluster(12), ...dots(12, 0));
  image.slots(image.cluster(40), short('LAST       '));
  return { image, root, fileSystem: image.open() };
}

const named = (branches: StructureBranch[]) => branches.map(({ key, name }) => [key, name]);

describe('the tree of structures', () => {
  it('starts with the sectors, the FATs and the root', () => {
    const { image, fileSystem } = sample(32);
    const top = fileSystem.structureBranches();
    expect(named(top)).toEqual([
      ['boot', 'boot sector'],
      ['fsinfo', 'FSInfo'],
      ['backup-boot', 'backup boot sector'],
      ['backup-fsinfo', 'backup FSInfo'],
      ['fat/0', 'first FAT'],
      ['fat/1', 'second FAT'],
      ['slots/0', 'root directory'],
    ]);
    expect(top.map(({ offset }) => offset)).toEqual([
      before,
      before + 512,
      before + 6 * 512,
      before + 7 * 512,
      before + image.fatStart,
      before + image.fatStart + image.fatBytes,
      before + image.cluster(2),
    ]);
    expect(top.map(({ hasChildren }) => hasChildren)).toEqual([
      ...Array<boolean>(4).fill(false),
      ...Array<boolean>(3).fill(true),
    ]);
    expect(named(sample(12).fileSystem.structureBranches()).map(([key]) => key)).toEqual([
      'boot',
      'fat/0',
      'fat/1',
      'slots/0',
    ]);
  });

  it('has the fields of each sector', () => {
    const { fileSystem } = sample(32);
    const field = (key: string, name: string) =>
      fileSystem.structure(key).fields.find((found) => found.name === name);
    expect(field('boot', 'BPB_BytsPerSec')).toMatchObject({ offset: before + 11, value: 512 });
    expect(field('boot', 'BPB_RootClus')).toMatchObject({ offset: before + 44, value: 2 });
    expect(field('fsinfo', 'FSI_LeadSig')).toMatchObject({
      offset: before + 512,
      value: 0x41615252,
    });
    expect(field('backup-boot', 'BPB_BytsPerSec')).toMatchObject({ offset: before + 6 * 512 + 11 });
    const fields16 = sample(16)
      .fileSystem.structure('boot')
      .fields.map(({ name }) => name);
    expect(fields16).toContain('BS_VolLab');
    expect(fields16).not.toContain('BPB_RootClus');
  });

  it('leaves no byte of a sector without a field', () => {
    for (const [bits, keys] of [
      [12, ['boot']],
      [32, ['boot', 'fsinfo']],
    ] as const) {
      for (const key of keys) {
        const { offset, length, fields } = sample(bits).fileSystem.structure(key);
        let end = offset;
        for (const field of fields) {
          expect(field.offset, field.name).toBe(end);
          end += field.length;
        }
        expect(end).toBe(offset + length);
      }
    }
  });

  it.each([12, 16, 32] as const)(
    'has the entries of FAT%i, in groups where they are many',
    (bits) => {
      const { image, fileSystem } = sample(bits);
      const level = fileSystem.structureBranches('fat/1');
      if (bits === 16) {
        expect(level.map(({ key }) => key)).toEqual([
          'fat/1/0+1024',
          'fat/1/1024+1024',
          'fat/1/2048+1024',
          'fat/1/3072+1024',
          'fat/1/4096+906',
        ]);
        expect(level[4].name).toBe('entries 4096 to 5001 of the second FAT');
      } else {
        expect(level).toHaveLength(102);
      }
      const entries = bits === 16 ? fileSystem.structureBranches('fat/1/0+1024') : level;
      expect(entries[20]).toMatchObject({ key: 'fat/1/20', hasChildren: false });
      const at = before + image.fatStart + image.fatBytes + Math.floor((20 * bits) / 8);
      const entry = fileSystem.structure('fat/1/20');
      expect(entry).toMatchObject({ kind: 'FAT entry', offset: at, length: bits === 32 ? 4 : 2 });
      expect(entry.fields).toMatchObject([
        { name: 'FAT[20]', value: 21, meaning: 'in use, followed by cluster 21' },
      ]);
    },
  );

  it('says what each entry means', () => {
    const image = new FatImage({ bits: 16 });
    image.entry(5, 0xfff7);
    image.entry(6, 0xfff8);
    image.entry(7, 0xfff0);
    const fileSystem = image.open();
    const meaning = (cluster: number) => fileSystem.structure(`fat/0/${cluster}`).fields[0].meaning;
    expect([0, 1, 4, 5, 6, 7].map(meaning)).toEqual([
      'the media type in its low byte',
      'the state of the volume in its top two bits, except on FAT12',
      'free',
      'marked bad',
      'in use, the last of its chain',
      'in use, followed by a cluster that there is not',
    ]);
  });

  it('groups groups where a FAT is very long', () => {
    const { fileSystem } = sample(32, 2_000_000);
    const groups = fileSystem.structureBranches('fat/0');
    expect(groups).toHaveLength(2);
    const next = fileSystem.structureBranches(groups[1].key);
    expect(next.length).toBeLessThanOrEqual(1024);
    const last = fileSystem.structureBranches(next[next.length - 1].key);
    expect(last.at(-1)?.key).toBe('fat/0/2000001');
  });

  it('has the slots of the root, and of the directories in it', () => {
    const { image, root, fileSystem } = sample(32);
    const slots = fileSystem.structureBranches('slots/0');
    expect(slots).toHaveLength(16);
    expect(named(slots).slice(0, 7)).toEqual([
      [`slot/${root}`, 'label LABEL'],
      [`slot/${root + 32}`, 'part 1 of a long name'],
      [`slot/${root + 64}`, 'slot of ALONGN~1'],
      [`slot/${root + 96}`, 'slot of SUB'],
      [`slot/${root + 128}`, 'deleted slot of _ONE'],
      [`slot/${root + 160}`, 'free slot'],
      [`slot/${root + 192}`, 'free slot'],
    ]);
    expect(slots.filter(({ hasChildren }) => hasChildren)).toMatchObject([
      { key: `slot/${root + 96}` },
    ]);
    const inner = fileSystem.structureBranches(`slot/${root + 96}`);
    expect(inner).toHaveLength(32);
    expect(named(inner)[16]).toEqual([`slot/${image.cluster(40)}`, 'slot of LAST']);
    expect(inner.every(({ hasChildren }) => !hasChildren)).toBe(true);
    expect(fileSystem.structureBranches(`slot/${root + 64}`)).toEqual([]);
    expect(fileSystem.structure(`slot/${root + 64}`)).toMatchObject({
      kind: 'short slot',
      offset: before + root + 64,
      length: 32,
    });
  });

  it('gives every branch a structure', () => {
    const { fileSystem } = sample(16);
    const visit = (key?: string) => {
      for (const branch of fileSystem.structureBranches(key).slice(0, 30)) {
        const { offset, length, name } = fileSystem.structure(branch.key);
        expect({ offset, length, name }).toEqual({
          offset: branch.offset,
          length: branch.length,
          name: branch.name,
        });
        if (branch.hasChildren) visit(branch.key);
      }
    };
    visit();
  });

  it.each([
    '',
    'nonsense',
    'fat',
    'fat/2',
    'fat/0/102',
    'fat/0/0+103',
    'fat/0/5+0',
    'fat/-1',
    'fsinfo',
    'slots/1',
    'slots/0/0+9999',
    'slot/0',
    'slot/99999999999999',
    'boot/1',
  ])('has no %j', (key) => {
    const { fileSystem } = sample(12);
    for (const ask of [() => fileSystem.structure(key), () => fileSystem.structureBranches(key)]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'not-found' }) as ImageError);
    }
  });
});

describe('the structures at a place', () => {
  const kinds = (found: { kind: string; name: string }[]) => found.map(({ name }) => name);

  it('are sectors, entries, slots', () => {
    const { image, root, fileSystem } = sample(12);
    const at = (offset: number, length = 1) =>
      kinds(fileSystem.structuresAt(before + offset, length));
    expect(at(0)).toEqual(['boot sector']);
    expect(at(511)).toEqual(['boot sector']);
    expect(at(image.fatStart)).toEqual(['first FAT', 'FAT[0] in the first FAT']);
    // Three bytes hold two entries of FAT12, and share the one in the middle.
    expect(at(image.fatStart + 4)).toEqual([
      'first FAT',
      'entry of cluster 2 in the first FAT',
      'entry of cluster 3 in the first FAT',
    ]);
    expect(at(image.fatStart + image.fatBytes + 3, 3)).toEqual([
      'second FAT',
      'entry of cluster 2 in the second FAT',
      'entry of cluster 3 in the second FAT',
    ]);
    expect(at(root + 64, 32)).toEqual(['slot of ALONGN~1']);
    expect(at(root + 63, 2)).toEqual(['part 1 of a long name', 'slot of ALONGN~1']);
    expect(at(image.cluster(40) + 5)).toEqual(['slot of LAST']);
    expect(at(image.cluster(20))).toEqual([]); // a file
    expect(at(image.cluster(70))).toEqual([]); // free
    expect(at(0, 0)).toEqual([]);
    expect(at(image.size + 1000)).toEqual([]);
  });

  it('say which node a slot makes', () => {
    const { root, fileSystem } = sample(32);
    const nodeAt = (offset: number) => fileSystem.structuresAt(before + offset, 1).at(0)?.node;
    expect(nodeAt(root + 64)).toBe(root + 64);
    expect(fileSystem.node(root + 64).id).toBe(root + 64);
    expect(nodeAt(root + 63)).toBeUndefined(); // a part of a long name
    expect(nodeAt(0)).toBeUndefined();
  });

  it('cover a range over regions', () => {
    const { image, fileSystem } = sample(32);
    const found = fileSystem.structuresAt(before, image.cluster(3));
    const count = (kind: string) => found.filter((structure) => structure.kind === kind).length;
    expect(count('boot sector')).toBe(2);
    expect(count('FSInfo')).toBe(2);
    expect(count('FAT')).toBe(2);
    expect(count('FAT entry')).toBe(2 * 102);
    expect(count('short slot') + count('long name slot')).toBe(16);
  });

  it('agree with the tree', () => {
    for (const bits of [12, 16, 32] as const) {
      const { root, fileSystem } = sample(bits);
      for (const key of ['boot', 'fat/0/33', 'fat/1/34', `slot/${root + 96}`]) {
        const expected = fileSystem.structure(key);
        const found = fileSystem.structuresAt(expected.offset, expected.length);
        expect(found).toContainEqual(expected);
      }
    }
  });

  it('are bounded in number', () => {
    const { image, fileSystem } = sample(32, 2_000_000);
    expect(fileSystem.structuresAt(before, image.size).length).toBeLessThan(20_000);
  });

  it('use what the owners have told', () => {
    const { image, fileSystem } = sample(32);
    fileSystem.ownership();
    expect(kinds(fileSystem.structuresAt(before + image.cluster(40), 32))).toEqual([
      'slot of LAST',
    ]);
  });
});
