import { beforeEach, describe, expect, it } from 'vitest';
import type { EntryKey, VolumeEditor } from '../../../src/filesystem/editing';
import { ImageError } from '../../../src/image/errors';
import { edit, editTime } from '../support/edited';
import { directoryMode, fileMode, HandMade, namesOf, pointers } from '../support/hand-made';

const root = 2;
const attributeMagic = 0xea020000;

let image: HandMade;
const key = (name: string, node: number, directory = root): EntryKey => ({
  directory,
  node,
  name: new TextEncoder().encode(name),
});
const codeOf = (change: (editor: VolumeEditor) => void): string => {
  try {
    edit(image, change);
  } catch (error) {
    if (error instanceof ImageError) return error.code;
    throw error;
  }
  return 'done';
};

/** Counts as a volume of one group with 64 blocks and 32 inodes should have them. */
function count(): void {
  const used = image.next - 1;
  image.usedUpTo(image.next);
  image.setSuperblock({ s_free_blocks_count_lo: 63 - used, s_free_inodes_count: 16 });
  image.setDescriptor(0, {
    bg_free_blocks_count_lo: 63 - used,
    bg_free_inodes_count_lo: 16,
    bg_used_dirs_count_lo: 2,
  });
  // Inodes 1 to 16 are in use, and those past the last do not exist.
  image
    .block(image.first + 3)
    .fill(0xff)
    .set([0xff, 0xff, 0, 0]);
}

beforeEach(() => {
  image = new HandMade({ superblock: { s_feature_compat: 0x8 } });
  const [directory, attributes] = [image.take(), image.take()];
  image.setRecords(
    image.rootBlock,
    image.rootRecords(
      { inode: 11, name: 'directory', type: 2 },
      { inode: 12, name: 'first', type: 1 },
      { inode: 13, name: 'second', type: 1 },
      { inode: 14, name: 'fifo', type: 5 },
      { inode: 8, name: 'journal', type: 1 },
      { inode: 20, name: 'nowhere', type: 1 },
    ),
  );
  image.setRecords(directory, [
    { inode: 11, name: '.', type: 2 },
    { inode: 2, name: '..', type: 2 },
    { inode: 2, name: 'root', type: 2 },
  ]);
  image.setInode(root, { i_links_count: 3 });
  image.setInode(8, { i_mode: fileMode, i_links_count: 1 });
  image.setInode(11, {
    i_mode: directoryMode,
    i_links_count: 2,
    i_size_lo: 1024,
    i_blocks_lo: 2,
    i_block: pointers([directory]),
  });
  for (const inode of [12, 13]) {
    const fields = { i_mode: fileMode, i_links_count: 1, i_blocks_lo: 2 };
    image.setInode(inode, { ...fields, i_file_acl_lo: attributes });
  }
  image.setInode(14, { i_mode: 0o010644, i_links_count: 1 });
  const view = new DataView(image.bytes.buffer, attributes * 1024);
  view.setUint32(0, attributeMagic, true);
  view.setUint32(4, 2, true); // inodes that share it
  view.setUint32(8, 1, true);
  count();
});

const attributeBlock = () => image.next - 1;
const sharers = () => image.view.getUint32(attributeBlock() * 1024 + 4, true);
const freeBlocks = () =>
  image
    .open()
    .freeSpace()
    .lengths.reduce((sum, length) => sum + length, 0);

describe('attributes in a block of their own', () => {
  it('go with the last inode that has them', () => {
    const before = freeBlocks();
    edit(image, (editor) => editor.remove(key('first', 12)));
    expect(sharers()).toBe(1);
    expect(freeBlocks()).toBe(before);
    edit(image, (editor) => editor.remove(key('second', 13)));
    expect(freeBlocks()).toBe(before + 1);
    expect(image.open().facts.freeBlocks).toBe(before + 1);
  });

  it.each([
    ['where there are none', () => image.view.setUint32(attributeBlock() * 1024, 0, true)],
    ['outside of the volume', () => image.setInode(12, { i_file_acl_lo: 5000 })],
    ['in the inode table', () => image.setInode(12, { i_file_acl_lo: image.table })],
  ])('are not looked for %s', (_name, damage) => {
    damage();
    expect(codeOf((editor) => editor.remove(key('first', 12)))).toBe('corrupt');
  });
});

describe('what an editor refuses', () => {
  it.each<[string, string, (editor: VolumeEditor) => void]>([
    ['writing a reserved inode', 'read-only', (to) => to.write(8, 0, Uint8Array.of(1))],
    ['removing a reserved inode', 'read-only', (to) => to.remove(key('journal', 8))],
    ['changing a reserved inode', 'read-only', (to) => to.change(7, { mode: 0 })],
    ['linking to a reserved inode', 'read-only', (to) => to.createLink(root, 'a', 8)],
    ['creating in a reserved inode', 'read-only', (to) => to.createFile(8, 'a', {})],
    ['moving the root', 'read-only', (to) => to.move(key('root', root, 11), root, 'a')],
    ['removing the root', 'read-only', (to) => to.remove(key('root', root, 11))],
    ['writing a fifo', 'not-a-file', (to) => to.write(14, 0, Uint8Array.of(1))],
    ['cutting a directory', 'not-a-file', (to) => to.setSize(11, 0)],
    ['an immutable fifo', 'unsupported', (to) => to.change(14, { set: ['immutable'] })],
    ['a flag that tells of structure', 'unsupported', (to) => to.change(12, { set: ['extents'] })],
    ['the time of creation', 'unsupported', (to) => to.change(12, { created: editTime })],
    ['an owner that is no number', 'usage', (to) => to.change(12, { uid: -1 })],
    ['a name in a file', 'not-a-directory', (to) => to.createFile(12, 'a', {})],
    ['a second name of a directory', 'not-a-file', (to) => to.createLink(root, 'a', 11)],
    ['an inode that is not used', 'not-found', (to) => to.write(20, 0, Uint8Array.of(1))],
    ['an entry that has gone', 'not-found', (to) => to.remove(key('gone', 12))],
    ['an entry of another node', 'not-found', (to) => to.remove(key('first', 13))],
    ['a directory as its own parent', 'not-found', (to) => to.remove(key('.', root))],
    ['a label that is too long', 'usage', (to) => to.setLabel('ü'.repeat(9))],
    ['an empty target', 'usage', (to) => to.createSymlink(root, 'a', '', {})],
    [
      'a target longer than a block',
      'usage',
      (to) => to.createSymlink(root, 'a', 'x'.repeat(1024), {}),
    ],
    ['a full directory removed', 'not-empty', (to) => to.remove(key('directory', 11))],
    ['a directory moved into itself', 'usage', (to) => to.move(key('directory', 11), 11, 'a')],
  ])('%s', (_name, code, change) => {
    const before = image.bytes.slice();
    expect(codeOf(change)).toBe(code);
    expect(Buffer.compare(image.bytes, before)).toBe(0);
  });

  it('more names than an inode can count', () => {
    image.setInode(12, { i_links_count: 32_000 });
    expect(codeOf((editor) => editor.createLink(root, 'a', 12))).toBe('full');
    image.setInode(root, { i_links_count: 32_000 });
    expect(codeOf((editor) => editor.createDirectory(root, 'a', {}))).toBe('full');
  });

  it('a way to the root that goes round', () => {
    image.setRecords(image.rootBlock + 1, [
      { inode: 11, name: '.', type: 2 },
      { inode: 11, name: '..', type: 2 },
    ]);
    const change = (editor: VolumeEditor) => {
      const made = editor.createDirectory(root, 'other', {});
      editor.move(key('other', made), 11, 'a');
    };
    expect(codeOf(change)).toBe('corrupt');
  });
});

describe('what an editor does', () => {
  it('removes a name that leads nowhere', () => {
    edit(image, (editor) => editor.remove(key('nowhere', 20)));
    expect(namesOf(image.open(), root)).not.toContain('nowhere');
    expect(image.open().facts.freeInodes).toBe(16);
  });

  it('removes what is no file, and moves it', () => {
    edit(image, (editor) => editor.move(key('fifo', 14), 11, 'there'));
    expect(namesOf(image.open(), 11)).toEqual(['root', 'there']);
    edit(image, (editor) => editor.remove(key('there', 14, 11)));
    expect(image.open().facts.freeInodes).toBe(17);
  });

  it('hands down the group of a directory', () => {
    image.setInode(11, { i_mode: 0o042755, i_gid: 77 });
    edit(image, (editor) => {
      const inside = editor.createDirectory(11, 'inside', {});
      editor.createFile(inside, 'file', { mode: 0o600 });
    });
    const opened = image.open();
    const [, inside] = opened.entries(11).nodes;
    expect(opened.node(inside)).toMatchObject({ gid: 77, mode: 0o042755 });
    const [file] = opened.entries(inside).nodes;
    expect(opened.node(file)).toMatchObject({ gid: 77, mode: 0o100600 });
  });

  it('keeps a symlink of 59 bytes in its inode, and a longer one in a block', () => {
    const before = freeBlocks();
    edit(image, (editor) => editor.createSymlink(root, 'short', 's'.repeat(59), {}));
    expect(freeBlocks()).toBe(before);
    edit(image, (editor) => editor.createSymlink(root, 'long', 's'.repeat(60), {}));
    expect(freeBlocks()).toBe(before - 1);
    const opened = image.open();
    const sizes = [...opened.entries(root).nodes].map((id) => opened.content(id).size);
    expect(sizes.slice(-2)).toEqual([59, 60]);
  });

  it('notes that the volume was not unmounted', () => {
    image.setSuperblock({ s_state: 0 });
    const [note] = edit(image, (editor) => editor.setLabel('label'));
    expect(note).toMatch(/not unmounted cleanly/);
    expect(image.open().facts.label).toBe('label');
    expect(image.view.getUint32(1024 + 0x30, true)).toBe(editTime.seconds);
  });
});
