import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { InspectorPage } from './support/inspector';
import { withVSCode } from './support/with-vscode';

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
  },
});

let inspector: InspectorPage;
const open = async (image: string) => {
  await window.vscode.openCustom(image);
  inspector = new InspectorPage(window.vscode.webview());
  await inspector.grid.waitFor();
};
const closeAll = () => window.vscode.palette('View: Close All Editors');
const hashes = () =>
  readdirSync(window.folder)
    .filter((name) => name.endsWith('.img'))
    .map((name) => {
      const bytes = readFileSync(join(window.folder, name));
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
    });

let before: string[];
beforeAll(() => {
  before = hashes();
});

describe('a FAT32 image', () => {
  beforeAll(() => open('sample-fat32.img'));
  afterAll(closeAll);

  it('opens from the explorer with its files and what is known of the volume', async () => {
    await inspector.shows(['boot', 'EFI', 'mail', 'pieces', 'README.TXT', 'scattered.log']);
    await inspector.says(/FAT32 "SAMPLE-FAT" 34 MiB/);
    await inspector.says(/% free in \d+ extents?/);
  });

  it('sorts by size, downwards too', async () => {
    await inspector.sortBy('Size');
    await expect.poll(async () => (await inspector.names()).at(-1)).toBe('scattered.log');
    await inspector.sortBy('Size');
    await expect
      .poll(async () => (await inspector.names()).slice(-2))
      .toEqual(['scattered.log', 'README.TXT']);
    await inspector.sortBy('Name');
  });

  it('filters, and says when nothing matches', async () => {
    await inspector.filter.fill('readme');
    await inspector.shows(['README.TXT']);
    await inspector.filter.fill('no such name');
    await inspector.says('No name matches');
    await inspector.filter.fill('');
    await expect.poll(async () => (await inspector.names()).length).toBe(6);
  });

  it('enters a directory, shows deleted names, and returns by the breadcrumb', async () => {
    await inspector.enter('mail');
    await inspector.row('letter 1 to the editor.txt').waitFor();
    expect(await inspector.rows.count()).toBe(8);
    await inspector.frame.getByText('Deleted', { exact: true }).click();
    await expect.poll(() => inspector.rows.count()).toBe(12);
    const deleted = inspector.row('letter 2 to the editor.txt');
    await deleted.getByText('(deleted)').waitFor();
    await inspector.frame.getByText('Deleted', { exact: true }).click();
    await inspector.breadcrumb.getByRole('button', { name: 'Root' }).click();
    await inspector.row('pieces').waitFor();
  });

  it('tells the fragments of a scattered file', async () => {
    await inspector.row('scattered.log').click();
    await inspector.panel.getByText('17', { exact: true }).first().waitFor();
    await inspector.panel.locator('fsimg-extent-strip').waitFor();
  });

  it('opens a file in an ordinary editor', async () => {
    await inspector.enter('README.TXT');
    await window.vscode.activeTab('README.TXT').waitFor();
    const text = window.vscode.page.locator('.editor-instance .view-lines');
    await text.getByText('sample of the Filesystem Image Inspector').waitFor();
    await window.vscode.page.keyboard.type('x');
    await window.vscode.dirtyTab('README.TXT').waitFor();
    await window.vscode.palette('Undo');
    await window.vscode.dirtyTab('README.TXT').waitFor({ state: 'detached' });
  });

  it('has its place when it was hidden and comes back', async () => {
    await window.vscode.tab('sample-fat32.img').click();
    inspector = new InspectorPage(window.vscode.webview());
    await inspector.row('scattered.log').waitFor();
    await inspector.enter('boot', 'grub');
    await inspector.row('grub.cfg').click();
    await window.vscode.tab('README.TXT').click();
    await window.vscode.tab('sample-fat32.img').click();
    inspector = new InspectorPage(window.vscode.webview());
    await inspector.row('grub.cfg').waitFor();
    expect(await inspector.breadcrumb.innerText()).toMatch(/boot[\s\S]*grub/);
    expect(await inspector.row('grub.cfg').getAttribute('aria-selected')).toBe('true');
  });

  it('has its place after the window was loaded anew', async () => {
    await window.vscode.reload();
    inspector = new InspectorPage(window.vscode.webview());
    await inspector.row('grub.cfg').waitFor({ timeout: 60_000 });
    expect(await inspector.row('grub.cfg').getAttribute('aria-selected')).toBe('true');
  });
});

describe('an ext2 image', () => {
  beforeAll(() => open('sample-ext2.img'));
  afterAll(closeAll);

  it('goes to a path that is asked for', async () => {
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter('/deep/er/and/deeper/bottom.txt');
    await inspector.row('bottom.txt').waitFor();
    expect(await inspector.row('bottom.txt').getAttribute('aria-selected')).toBe('true');
    await inspector.row('bottom.txt').getByText('1965-01-01 00:00').waitFor();
  });

  it('says so when the path leads nowhere', async () => {
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter('/deep/nothing');
    await window.vscode.page.locator('.quick-input-message', { hasText: 'nothing' }).waitFor();
    await window.vscode.page.keyboard.press('Escape');
  });

  it('copies path, number and JSON', async () => {
    await inspector.row('bottom.txt').click();
    await window.vscode.contextMenu(inspector.row('bottom.txt'), 'Copy Path');
    await expect.poll(() => window.vscode.clipboard()).toBe('/deep/er/and/deeper/bottom.txt');
    await window.vscode.contextMenu(inspector.row('bottom.txt'), 'Copy Inode or Cluster Number');
    await expect.poll(() => window.vscode.clipboard()).toBe('17');
    await window.vscode.contextMenu(inspector.row('bottom.txt'), 'Copy as JSON');
    await expect.poll(async () => (await window.vscode.clipboard()).startsWith('{')).toBe(true);
    const json = JSON.parse(await window.vscode.clipboard()) as Record<string, unknown>;
    expect(json).toMatchObject({
      path: '/deep/er/and/deeper/bottom.txt',
      number: 17,
      mode: 0o100644,
    });
  });

  it('shows a name that looks like markup as text', async () => {
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter('/names');
    await inspector.row('<img src=x onerror=alert(1)>.txt').waitFor();
    expect(await inspector.frame.locator('img').count()).toBe(0);
    await inspector.row('Größe-日本語-🗂.txt').waitFor();
  });

  it('exports a directory with all below it', async () => {
    const target = join(window.folder, 'exported');
    mkdirSync(target);
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter('/deep/er');
    await inspector.row('and').click();
    await window.vscode.contextMenu(inspector.row('and'), 'Export…');
    await window.vscode.chooseFile(target, { accept: 'Export Here' });
    await window.vscode.notification(/Exported 1 file/).waitFor();
    const text = readFileSync(join(target, 'and/deeper/bottom.txt'), 'utf8');
    expect(text.split('\n')[0]).toContain('small: line 1 of 30');
  });

  it('lists a large directory and finds a name as it is typed', async () => {
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter('/many');
    await inspector.row('entry-0.txt').click();
    await inspector.says('600 entries');
    await window.vscode.page.keyboard.type('entry-57');
    await expect
      .poll(() => inspector.row('entry-57.txt').getAttribute('aria-selected'))
      .toBe('true');
  });
});

describe('a partitioned image', () => {
  beforeAll(() => open('sample-card.img'));
  afterAll(closeAll);

  it('shows the volume that is picked', async () => {
    await inspector.row('EFI').waitFor();
    await inspector.frame.locator('vscode-dropdown').first().click();
    await inspector.frame.locator('vscode-option', { hasText: 'ROOT' }).click();
    await inspector.row('lost+found').waitFor();
    await inspector.row('preallocated.db').click();
    await inspector.panel.getByRole('cell', { name: 'unwritten' }).waitFor();
  });
});

it('nothing that was opened has changed, and nothing was asked of the network', () => {
  expect(hashes()).toEqual(before);
  expect(window.vscode.externalRequests).toEqual([]);
  expect(window.vscode.consoleErrors).toEqual([]);
  expect(existsSync(join(window.folder, 'exported'))).toBe(true);
});
