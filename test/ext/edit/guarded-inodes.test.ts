import { expect, it } from 'vitest';
import { inodeFlags } from '../../../src/ext/inode';
import { edit } from '../support/edited';
import { directoryMode, fileMode, HandMade, namesOf, pointers } from '../support/hand-made';

const directory = 12;
const file = 13;
const entry = { directory, node: file, name: new TextEncoder().encode('file') };

/** A directory with a file in it; either may be more than its bytes. */
function volumeWith(flags: { readonly directory?: number; readonly file?: number }): HandMade {
  const image = new HandMade();
  const [block, content] = [image.take(), image.take()];
  const root = { inode: directory, name: 'directory', type: 2 };
  image.setRecords(image.rootBlock, image.rootRecords(root));
  image.setInode(2, { i_links_count: 3 });
  image.setInode(directory, {
    i_mode: directoryMode,
    i_links_count: 2,
    i_size_lo: 1024,
    i_blocks_lo: 2,
    i_flags: flags.directory ?? 0,
    i_block: pointers([block]),
  });
  image.setRecords(block, [
    { inode: directory, name: '.', type: 2 },
    { inode: 2, name: '..', type: 2 },
    { inode: file, name: 'file', type: 1 },
  ]);
  image.setInode(file, {
    i_mode: fileMode,
    i_links_count: 1,
    i_size_lo: 500,
    i_blocks_lo: 2,
    i_flags: flags.file ?? 0,
    i_block: pointers([content]),
  });
  image.usedUpTo(image.next);
  const free = { bg_free_blocks_count_lo: 64 - image.next, bg_free_inodes_count_lo: 19 };
  image.setDescriptor(0, { ...free, bg_used_dirs_count_lo: 2 });
  image.block(image.first + 3).set([0xff, 0x1f]);
  return image;
}

it.each([
  ['encrypted', inodeFlags.encrypted, /encrypted: a name in it needs the key/],
  ['sorted without case', inodeFlags.casefolded, /ignores the case of names/],
])('a directory that is %s gets no name, but loses one', (_what, flag, why) => {
  const image = volumeWith({ directory: flag });
  expect(() => edit(image, (editor) => editor.createFile(directory, 'new', {}))).toThrow(why);
  expect(() => edit(image, (editor) => editor.move(entry, directory, 'other'))).toThrow(why);
  edit(image, (editor) => editor.remove(entry));
  expect(namesOf(image.open(), directory)).toEqual([]);
});

it.each([
  ['encrypted', inodeFlags.encrypted, /its content needs the key/],
  ['sealed', inodeFlags.verity, /its content stays/],
])('a file that is %s keeps its content, but not its name', (_what, flag, why) => {
  const image = volumeWith({ file: flag });
  const bytes = Uint8Array.of(1);
  const request = { offset: 0, length: 5000, keepSize: false, zero: false };
  expect(() => edit(image, (editor) => editor.write(file, 0, bytes))).toThrow(why);
  expect(() => edit(image, (editor) => editor.setSize(file, 10))).toThrow(why);
  expect(() => edit(image, (editor) => editor.preallocate(file, request))).toThrow(why);
  edit(image, (editor) => editor.move(entry, directory, 'other'));
  expect(namesOf(image.open(), directory)).toEqual(['other']);
  edit(image, (editor) => editor.change(file, { mode: 0o600 }));
  const other = { ...entry, name: new TextEncoder().encode('other') };
  edit(image, (editor) => editor.remove(other));
  expect(namesOf(image.open(), directory)).toEqual([]);
});

it('a file in its inode that claims to be larger than files can be is refused', () => {
  const image = volumeWith({ file: inodeFlags.inlineData });
  image.setSuperblock({ s_feature_incompat: 0x8002 });
  image.setInode(file, { i_blocks_lo: 0, i_size_high: 2 ** 20 });
  const bytes = Uint8Array.of(1);
  expect(() => edit(image, (editor) => editor.write(file, 0, bytes))).toThrow(/bytes at most/);
});
