import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { InspectorPage } from './support/inspector';
import { GoTo, StructuresPage } from './support/structures';
import { withVSCode } from './support/with-vscode';

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
  },
});

let inspector: InspectorPage;
let structures: StructuresPage;
const follow = () => {
  const frame = window.vscode.webview();
  inspector = new InspectorPage(frame);
  structures = new StructuresPage(frame);
};
const open = async (image: string) => {
  await window.vscode.openCustom(image);
  follow();
  await inspector.grid.waitFor();
};
const closeAll = () => window.vscode.palette('View: Close All Editors');
const press = (...keys: string[]) =>
  keys.reduce(
    (done, key) => done.then(() => window.vscode.page.keyboard.press(key)),
    Promise.resolve(),
  );
const tab = (name: string) => inspector.frame.getByRole('tab', { name });
const shows = (name: string) =>
  expect.poll(() => tab(name).getAttribute('aria-selected'), { timeout: 20_000 }).toBe('true');

const hashes = () =>
  readdirSync(window.folder)
    .filter((name) => name.endsWith('.img'))
    .map((name) =>
      createHash('sha256')
        .update(readFileSync(join(window.folder, name)))
        .digest('hex'),
    );
let before: string[];
beforeAll(() => {
  before = hashes();
});

describe('an ext4 image', () => {
  /** Where README.txt has its inode, and its content. */
  const inode = 150_272;
  const content = 1100 * 4096;

  beforeAll(() => open('sample-ext4.img'));
  afterAll(closeAll);

  it('leads from an entry to its inode, field by field and byte by byte', async () => {
    await inspector.row('README.txt').click();
    await window.vscode.contextMenu(inspector.row('README.txt'), 'Show in Structures');
    await structures.structure.getByText('Inode 12').waitFor();
    await expect.poll(async () => (await structures.selected())?.[0]).toBe(inode);
    expect(await structures.field('i_size_lo').innerText()).toMatch(/\+0x4\s+137/);
    expect(await structures.owner.innerText()).toMatch(/Block 36: inode table of group 0/);
  });

  it('shows the bytes of a field, and the field of a byte', async () => {
    await structures.field('i_size_lo').hover();
    await expect.poll(() => structures.byte(inode + 4).getAttribute('class')).toContain('pointed');
    expect(await structures.byte(inode + 8).getAttribute('class')).not.toContain('pointed');
    await structures.byte(inode + 1).hover();
    await expect.poll(() => structures.field('i_mode').getAttribute('class')).toContain('pointed');
    await structures.byte(inode + 1).click();
    await structures.selects(inode + 1);
    expect(await structures.field('i_mode').getAttribute('aria-selected')).toBe('true');
    await structures.field('i_mtime').click();
    await structures.selects(inode + 16, inode + 19);
    await structures.value('Unix time').getByText('2024-02-29 12:00:00 UTC').waitFor();
    await structures.value('u32, i32').getByText('1,709,208,000').waitFor();
  });

  it('selects ranges with the keyboard and the mouse', async () => {
    await structures.byte(inode).click();
    await press('ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown');
    await structures.selects(inode + 1, inode + 18);
    await structures.byte(inode + 32).click({ modifiers: ['Shift'] });
    await structures.selects(inode + 1, inode + 32);
    await press('Control+c');
    await expect.poll(() => window.vscode.clipboard()).toMatch(/^81 00 00 89 00 00 00 /);
    await press('Control+Home');
    await structures.selects(0);
    await press('Control+End');
    await structures.selects(24 * 2 ** 20 - 1);
  });

  it('goes back to the entry, and forward again', async () => {
    await press('Alt+ArrowLeft');
    await shows('Files');
    await inspector.row('README.txt').waitFor();
    expect(await inspector.row('README.txt').getAttribute('aria-selected')).toBe('true');
    await press('Alt+ArrowRight');
    await shows('Structures');
    await press('Alt+ArrowLeft');
    await shows('Files');
  });

  it('leads from an extent to its bytes, and from bytes to their file', async () => {
    await inspector.row('README.txt').click();
    await inspector.panel.getByRole('row', { name: /1,100/ }).hover();
    await inspector.panel.getByRole('button', { name: 'Show block 1,100 in Structures' }).click();
    await expect.poll(async () => (await structures.selected())?.[0]).toBe(content);
    await structures.value('UTF-8').getByText('This image is a sample of the').waitFor();
    await structures.owner.getByText('/README.txt').waitFor();
    await press('Control+Home');
    await structures.byte(0).waitFor();
    await press('Alt+ArrowLeft');
    await shows('Files');
  });

  it('finds text, with and without regard to case, and around the end', async () => {
    await tab('Structures').click();
    await structures.searchField.fill('BOTTOM.TXT');
    // In the symlink that leads there, in the directory that names it, and in the symlink again.
    for (const offset of [151_867, 4_522_016, 151_867]) {
      await structures.searchField.press('Enter');
      await structures.selects(offset, offset + 9);
    }
    await structures.searchState.getByText(/around the end/).waitFor();
    await structures.searchField.press('Shift+Enter');
    await structures.owner.getByText('/deep/er/and/deeper').waitFor();
    await inspector.frame.getByRole('button', { name: 'Match case' }).click();
    await structures.searchField.press('Enter');
    await structures.searchState.getByText('Not found').waitFor();
  });

  it('finds bytes, forwards and backwards, and says what is no byte', async () => {
    await inspector.frame.locator('vscode-dropdown.search-kind').click();
    await inspector.frame.locator('vscode-option', { hasText: 'Hex' }).click();
    await structures.searchField.fill('53 e');
    await structures.searchField.press('Enter');
    await structures.searchState.getByText('A byte has two digits; one is missing.').waitFor();
    await structures.searchField.fill('53 ef');
    await structures.searchField.press('Shift+Enter');
    await structures.selects(1024 + 56, 1024 + 57);
    await structures.structure.getByText('Superblock').waitFor();
    expect(await structures.field('s_magic').getAttribute('aria-selected')).toBe('true');
  });

  it('leads from found bytes to the entry that owns them', async () => {
    await structures.searchField.fill('4c 6f 6f 6b 20 61 74 20');
    await structures.searchField.press('Enter');
    await structures.owner.getByText('/README.txt').waitFor();
    await structures.owner.getByRole('button', { name: 'Files' }).click();
    await shows('Files');
    await expect.poll(() => inspector.row('README.txt').getAttribute('aria-selected')).toBe('true');
  });

  it('unfolds the tree with the keyboard', async () => {
    await tab('Structures').click();
    await structures.item('superblock').click();
    await structures.structure.getByText('Superblock').waitFor();
    await press('ArrowDown', 'ArrowRight');
    await structures.item('group 0').waitFor();
    expect(await structures.item('groups').getAttribute('aria-expanded')).toBe('true');
    await press('ArrowRight', 'ArrowRight');
    await structures.item('inodes in use').waitFor();
    expect(await structures.item('inodes in use').getAttribute('aria-level')).toBe('3');
    await structures.structure.getByText('Group 0').waitFor();
    await press('End', 'Home', 'ArrowDown', 'ArrowLeft');
    await structures.item('group 0').waitFor({ state: 'detached' });
    expect(await structures.item('groups').getAttribute('aria-expanded')).toBe('false');
  });

  it('goes to each kind of place', async () => {
    const goTo = await GoTo.open(window.vscode);
    await goTo.type('inode 5000', 'There is no such inode: they run from 1 to 1,024.');
    await goTo.type('block', 'A path, inode 12 (#12), block 5');
    await goTo.type('block 1100', 'Block 1,100, shown in Structures');
    await goTo.accept();
    await expect.poll(async () => (await structures.selected())?.[0]).toBe(content);

    await (
      await (await GoTo.open(window.vscode)).type('#12', 'Inode 12, shown in Structures')
    ).accept();
    await structures.structure.getByText('Inode 12').waitFor();

    await (await (await GoTo.open(window.vscode)).type('0x438', 'Byte 1,080 (0x438)')).accept();
    await structures.selects(0x438);

    await (await (await GoTo.open(window.vscode)).type('s2', 'Byte 1,024 (0x400)')).accept();
    await structures.selects(0x400);

    await tab('Files').click();
    await (
      await (await GoTo.open(window.vscode)).type('/deep/er', 'The path /deep/er, shown in Files')
    ).accept();
    await inspector.row('and').waitFor();
    await (await (await GoTo.open(window.vscode)).type('@4505600', 'shown in Structures')).accept();
    await structures.selects(content);
    await (await (await GoTo.open(window.vscode)).type('block 5', 'shown in Structures')).accept();
    await structures.owner.getByRole('button', { name: 'Records' }).waitFor();
  });

  it('shows what is chosen in the other views, by commands', async () => {
    await window.vscode.palette('Filesystem Image: Show in Records');
    await shows('Records');
    await window.vscode.palette('Filesystem Image: Show in Files');
    await shows('Files');
    await inspector.row('README.txt').click();
    await window.vscode.palette('Filesystem Image: Show in Space');
    await shows('Space');
    await window.vscode.palette('Filesystem Image: Show in Structures');
    await shows('Structures');
    await structures.structure.getByText('Inode 12').waitFor();
  });

  it('has its place when it was hidden and comes back', async () => {
    await structures.byte(inode + 4).click();
    await press('Shift+ArrowRight');
    await window.vscode.openCustom('sample-fat32.img');
    await window.vscode.tab('sample-ext4.img').click();
    follow();
    await structures.selects(inode + 4, inode + 5);
    await structures.structure.getByText('Inode 12').waitFor();
    expect(await structures.searchField.inputValue()).toBe('4c 6f 6f 6b 20 61 74 20');
  });
});

describe('a partitioned image', () => {
  beforeAll(() => open('sample-card.img'));
  afterAll(closeAll);

  it('has the partition table in its tree, and knows clusters', async () => {
    await tab('Structures').click();
    await structures.item('MBR').press('ArrowRight');
    await structures.item('entry 1 of the MBR').click();
    await structures.selects(446, 461);
    const goTo = await GoTo.open(window.vscode);
    await goTo.type('#2', 'FAT has no inodes; a path or a cluster can be shown.');
    await goTo.type('cluster 3', 'Cluster 3, shown in Structures');
    await goTo.accept();
    await expect.poll(async () => (await structures.selected())?.[0]).toBe(1_091_584 + 2048);
  });
});

it('nothing that was opened has changed, and nothing was asked of the network', () => {
  expect(hashes()).toEqual(before);
  expect(window.vscode.externalRequests).toEqual([]);
  expect(window.vscode.consoleErrors).toEqual([]);
});
