import { describe, expect, it } from 'vitest';
import type { StructureBranch } from '../../src/filesystem/disk-layout';
import { everything } from './support/everything';
import { extentLeaves, extentsFlag, fileMode, HandMade, pointers } from './support/hand-made';
import { HandMadeJournal } from './support/hand-made-journal';

const named = (branches: readonly StructureBranch[]) =>
  branches.map(({ key, name }) => [key, name]);

describe('the tree of structures', () => {
  it('starts with the superblock and the groups', () => {
    expect(named(new HandMade().open().structureBranches())).toEqual([
      ['superblock', 'superblock'],
      ['groups', 'groups'],
    ]);
  });

  it('goes down to the nodes of an extent tree', () => {
    const fileSystem = everything().open();
    expect(named(fileSystem.structureBranches('groups'))).toEqual([['group/0', 'group 0']]);
    expect(named(fileSystem.structureBranches('group/0'))).toEqual([
      ['group/0/block-bitmap', 'block bitmap'],
      ['group/0/inode-bitmap', 'inode bitmap'],
      ['group/0/inodes', 'inodes in use'],
    ]);
    const [inode] = fileSystem
      .structureBranches('group/0/inodes')
      .filter(({ name }) => name === 'inode 13 (file)');
    expect(inode.hasChildren).toBe(true);
    const [map] = fileSystem.structureBranches(inode.key);
    expect(map).toMatchObject({ key: 'inode/13/map', hasChildren: true });
    const [node] = fileSystem.structureBranches(map.key);
    expect(node.name).toContain('extent block');
    expect(fileSystem.structure(node.key)).toMatchObject({
      kind: 'extent node',
      offset: node.offset,
    });
  });

  it('gathers long levels in ranges', () => {
    const superblock = {
      s_blocks_count_lo: 3_000_000,
      s_blocks_per_group: 256,
      s_inodes_count: 11_719 * 32,
      s_feature_ro_compat: 1,
    };
    const fileSystem = new HandMade({ superblock }).open();
    const ranges = fileSystem.structureBranches('groups');
    expect(ranges.length).toBe(12);
    expect(ranges[1]).toMatchObject({ key: 'groups@1024+1024', name: 'group 1024 to group 2047' });
    const groups = fileSystem.structureBranches(ranges[11].key);
    expect(groups.at(-1)?.key).toBe('group/11718');
    expect(fileSystem.structure('group/11718').name).toBe('descriptor of group 11718');
  });

  it('has the journal and what is in its log', () => {
    const journal = new HandMadeJournal(new HandMade({ blocks: 128 }));
    journal.log([{ block: 100, content: new Uint8Array(1024) }]);
    journal.revoke([101, 102]);
    journal.commit(1);
    const fileSystem = journal.image.open();
    expect(fileSystem.structure('journal').kind).toBe('journal superblock');
    const [descriptor, revoke, commit] = fileSystem.structureBranches('journal');
    const fieldsOf = ({ key }: StructureBranch) =>
      Object.fromEntries(fileSystem.structure(key).fields.map(({ name, value }) => [name, value]));
    expect(fieldsOf(descriptor)).toMatchObject({ '[0].t_blocknr': 100, '[0].t_flags': 8 });
    expect(fieldsOf(revoke)).toMatchObject({ r_count: 24, '[0]': 101, '[1]': 102 });
    expect(fieldsOf(commit)).toMatchObject({ h_commit_sec: 1 });
    expect(commit.offset).toBe(journal.placeOf(4));
  });

  it.each([
    ...['nothing', 'group', 'group/1', 'group/x', 'group/0/nothing', 'inode', 'inode/0'],
    ...['inode/999', 'inode/13/nothing', 'inode/13/map/1', 'inode/13/attribute', 'copy/0'],
    ...['copy/1', 'journal', 'journal/1', 'protection', 'groups', 'superblock/1', ''],
  ])('has no structure with the key %o', (key) => {
    expect(() => everything().open().structure(key)).toThrow(/structure|inode/);
  });

  it.each(['groups@0+2', 'groups@x', 'groups@', 'groups@1', 'nothing', 'group/1', 'inode/0'])(
    'has no level with the key %o',
    (key) => {
      expect(() => everything().open().structureBranches(key)).toThrow(/structure|inode/);
    },
  );
});

describe('the structures at a place', () => {
  const image = everything();
  const fileSystem = image.open();
  const at = (offset: number, length = 1) =>
    fileSystem.structuresAt(offset, length).map(({ name }) => name);

  it('are the superblock and the descriptors', () => {
    expect(at(1024 + 56, 2)).toEqual(['superblock']);
    expect(at(2048)).toEqual(['descriptor of group 0']);
    expect(at(0, 1024)).toEqual([]);
  });

  it('are bitmaps as a whole', () => {
    const [bitmap] = fileSystem.structuresAt(3 * 1024 + 500, 1);
    expect(bitmap).toMatchObject({ kind: 'block bitmap', offset: 3072, length: 1024, fields: [] });
  });

  it('are an inode, and what it holds, the outermost first', () => {
    const place = image.inodeAt(13);
    expect(at(place, 256)).toEqual(['inode 13', 'root of the extents of inode 13']);
    expect(at(place + 2)).toEqual(['inode 13']);
    expect(at(place - 1, 2)).toEqual(['inode 12', 'inode 13']);
  });

  it('are the records of a directory, also before owners are known', () => {
    const record = image.rootBlock * 1024 + 24;
    const names = [expect.stringContaining('directory'), 'live record directory'];
    expect(at(record, 4)).toEqual(names);
    const other = image.open();
    other.ownership();
    expect(other.structuresAt(record, 4).map(({ name }) => name)).toEqual([
      'block 0 of directory inode 2',
      'live record directory',
    ]);
  });

  it('say which node they make or name', () => {
    const nodesAt = (offset: number) => fileSystem.structuresAt(offset, 1).map(({ node }) => node);
    expect(nodesAt(image.inodeAt(13))).toEqual([13]);
    expect(nodesAt(image.inodeAt(13) + 40)).toEqual([13, undefined]);
    const entries = fileSystem.entries(2);
    const record = image.rootBlock * 1024 + 24;
    const row = entries.offsets.indexOf(record);
    expect(row).toBeGreaterThanOrEqual(0);
    expect(nodesAt(record)).toEqual([undefined, entries.nodes[row]]);
  });

  it('are none in the content of a file', () => {
    const owned = image.open();
    owned.ownership();
    const [extent] = owned.content(13).extents;
    expect(owned.structuresAt(extent.physical * 1024, 100)).toEqual([]);
  });

  it('are no more than a hex view could show', () => {
    expect(fileSystem.structuresAt(0, 2 ** 40).length).toBeLessThan(4097);
    expect(fileSystem.structuresAt(0, 0)).toEqual([]);
    expect(fileSystem.structuresAt(2 ** 40, 10)).toEqual([]);
  });
});

describe('the owners of blocks', () => {
  it('are the volume and its nodes', () => {
    const image = new HandMade();
    const [map, data] = [image.take(), image.take()];
    image.view.setUint32(map * 1024, data, true);
    image.setInode(12, {
      i_mode: fileMode,
      i_links_count: 1,
      i_block: pointers([...Array<number>(12).fill(0), map]),
    });
    const owners = image.open().ownership();
    const at = (block: number) => {
      const { role, node, structure, logical } = owners.at(block) ?? {};
      return [role, structure ?? node, logical];
    };
    expect([1, 2, 3, 4, 5].map(at)).toEqual([
      ['superblock', 'superblock', undefined],
      ['descriptors', 'group descriptors', undefined],
      ['bitmap', 'block bitmap of group 0', undefined],
      ['bitmap', 'inode bitmap of group 0', undefined],
      ['inodes', 'inode table of group 0', undefined],
    ]);
    expect(at(image.rootBlock)).toEqual(['directory', 2, 0]);
    expect(at(map)).toEqual(['mapping', 12, 12]);
    expect(at(data)).toEqual(['file', 12, 12]);
    expect(owners.at(60)).toBeUndefined();
  });

  it('are the volume alone as long as no inode is read', () => {
    const image = new HandMade();
    expect(image.open().metadata().at(image.rootBlock)).toBeUndefined();
    expect(image.open().metadata().at(3)?.role).toBe('bitmap');
  });

  it('are not the inodes that nothing marks or names', () => {
    const image = new HandMade();
    const data = image.take();
    image.setInode(12, {
      i_mode: fileMode,
      i_flags: extentsFlag,
      i_block: extentLeaves([{ logical: 0, physical: data, length: 1 }]),
    });
    expect(image.open().ownership().at(data)).toBeUndefined();
    image.block(4)[1] |= 1 << 3; // inode 12
    expect(image.open().ownership().at(data)?.node).toBe(12);
  });
});
