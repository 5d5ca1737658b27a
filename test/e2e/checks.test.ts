import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { ChecksPage } from './support/checks';
import { InspectorPage } from './support/inspector';
import { StructuresPage } from './support/structures';
import { withVSCode } from './support/with-vscode';

/** README.txt of the ext2 sample: its inode, and two fields of it (`struct ext2_inode`). */
const inode = 38_272;
const linksCount = inode + 26;
const blocksCount = inode + 28;
/** Where the first group's descriptor lies, behind the superblock. */
const descriptor = 2048;

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
    copyFileSync(join(folder, 'sample-ext2.img'), join(folder, 'whole.img'));
    damage(join(folder, 'sample-ext2.img'), join(folder, 'broken.img'));
  },
});

/** Wrong links and blocks of one inode, and a bitmap with a bit too many. */
function damage(source: string, target: string): void {
  const image = readFileSync(source);
  image.writeUInt16LE(7, linksCount);
  image.writeUInt32LE(98, blocksCount);
  const bitmap = 1024 * image.readUInt32LE(descriptor);
  const free = image.subarray(bitmap, bitmap + 1024).indexOf(0);
  image[bitmap + free] = 1;
  image.writeUInt16LE(image.readUInt16LE(descriptor + 12) - 7, descriptor + 12);
  writeFileSync(target, image);
}

let checks: ChecksPage;
let structures: StructuresPage;
const follow = () => {
  const frame = window.vscode.webview();
  checks = new ChecksPage(frame);
  structures = new StructuresPage(frame);
};
const open = async (image: string) => {
  await window.vscode.openCustom(image);
  follow();
  await new InspectorPage(window.vscode.webview()).grid.waitFor();
};
const press = (key: string) => window.vscode.page.keyboard.press(key);
const tab = (name: string) => checks.frame.getByRole('tab', { name });
const shows = (name: string) =>
  expect.poll(() => tab(name).getAttribute('aria-selected'), { timeout: 20_000 }).toBe('true');
const problems = () => window.vscode.page.locator('.markers-panel-container .monaco-list-row');
const problem = (text: string | RegExp) => problems().filter({ hasText: text }).first();

describe('a broken image', () => {
  beforeAll(() => open('broken.img'));

  it('is checked on demand, and says how many errors it has', async () => {
    await checks.tab.click();
    await checks.message('Not checked yet').waitFor();
    await checks.frame.locator('fsimg-checks .message').getByText('Check', { exact: true }).click();
    await checks.row('Inode 12 counts 7 names, but has 1.').waitFor();
    await expect.poll(() => checks.tab.innerText()).toMatch(/Checks\s*\d/);
    await checks.frame
      .locator('.check-summary')
      .getByText(/\d errors/)
      .waitFor();
  });

  it('has what follows from a finding below it', async () => {
    const levels = await checks.rows.evaluateAll((rows) =>
      rows.map((row) => Number(row.getAttribute('aria-level'))),
    );
    expect(levels.slice(0, 2)).toEqual([1, 2]);
    expect(levels).toContain(3);
    const cause = checks.rows
      .locator('xpath=self::*[@aria-level="2"][@aria-expanded="true"]')
      .first();
    await cause.click();
    await press('ArrowLeft');
    await expect.poll(() => checks.list.locator('[aria-level="3"]').count()).toBe(0);
    await press('ArrowRight');
    await checks.list.locator('[aria-level="3"]').first().waitFor();
    await press('ArrowRight');
    await checks.panel.getByText('Follows from').waitFor();
  });

  it('leads from a finding to its bytes, and back', async () => {
    await checks.row('Inode 12 counts 7 names').click();
    await checks.panel.getByText('ext-inode-links').waitFor();
    await checks.panel.getByText('/README.txt').waitFor();
    await press('Enter');
    await shows('Structures');
    await structures.selects(linksCount, linksCount + 1);
    await structures.structure.getByText('Inode 12').waitFor();
    await press('Alt+ArrowLeft');
    await shows('Checks');
    await checks.panel.getByText('ext-inode-links').waitFor();
  });

  it('shows the file of a finding in the other views', async () => {
    await window.vscode.contextMenu(checks.row('Inode 12 counts 7 names'), 'Show in Files');
    await shows('Files');
    const row = new InspectorPage(checks.frame).row('README.txt');
    await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
    await checks.tab.click();
    await checks.row('Inode 12 counts 98').click();
    await window.vscode.palette('Filesystem Image: Show in Space');
    await shows('Space');
    await checks.tab.click();
  });

  it('is filtered by words and by severity', async () => {
    await checks.filter.fill('readme');
    await expect.poll(() => checks.rows.count()).toBe(3);
    await checks.severity(/errors?$/).click();
    await checks.message('No finding matches').waitFor();
    await checks.button('Clear Filter').click();
    await expect.poll(() => checks.rows.count()).toBeGreaterThan(3);
  });

  it('has its problems in the panel of VS Code, which lead back to the findings', async () => {
    await window.vscode.palette('Problems: Focus on Problems View');
    await problem('Inode 12 counts 7 names, but has 1. (/README.txt, inode 12, byte').waitFor();
    await tab('Files').click();
    await problem('Inode 12 counts 98').getByText('ext-inode-blocks').click();
    await shows('Checks');
    await checks.panel.getByText('ext-inode-blocks').waitFor();
  });

  it('keeps what was found while it is hidden, and is found from a problem then, too', async () => {
    await checks.filter.fill('inode 12');
    await expect.poll(() => checks.rows.count()).toBe(3);
    await window.vscode.openCustom('whole.img');
    await window.vscode.tab('broken.img').click();
    follow();
    await checks.row('Inode 12 counts 98').waitFor();
    expect(await checks.filter.inputValue()).toBe('inode 12');
    await window.vscode.tab('whole.img').click();
    follow();
    await checks.tab.waitFor();
    await problem('Inode 12 counts 7').getByText('ext-inode-links').click();
    await window.vscode.activeTab('broken.img').waitFor();
    follow();
    await checks.panel.getByText('ext-inode-links').waitFor();
  });

  it('is written as SARIF and as JSON', async () => {
    for (const name of ['found.sarif', 'found.json']) {
      const target = join(window.folder, name);
      await window.vscode.palette('Filesystem Image: Export Findings…');
      await window.vscode.chooseFile(target);
      await window.vscode.notification(name).waitFor();
      await expect.poll(() => readFileSync(target, 'utf8')).toContain('ext-inode-links');
      expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject(
        name.endsWith('.sarif') ? { version: '2.1.0' } : { type: 'ext2', isCut: false },
      );
      rmSync(target);
    }
    await window.vscode.palette('Notifications: Clear All Notifications');
  });

  it('has findings that are out of date once it is changed, and other ones once it is whole', async () => {
    await checks.filter.fill('');
    await checks.row('Inode 12 counts 7').click();
    await press('Enter');
    await shows('Structures');
    await structures.selects(linksCount, linksCount + 1);
    copyFileSync(join(window.folder, 'whole.img'), join(window.folder, 'broken.img'));
    await checks.frame.locator('.check-summary').getByText('before the last change').waitFor();
    await expect.poll(() => problems().count()).toBe(0);
    await checks.tab.click();
    await checks.frame.locator('.outdated').getByText('Check Again').click();
    await checks.message('Nothing is wrong with this ext2 filesystem').waitFor();
    await checks.frame.locator('.check-summary').getByText('no errors').waitFor();
  });
});

describe('with the setting that checks what is opened', () => {
  it('an image is checked by itself, also when it changes', async () => {
    await window.vscode.palette('View: Close All Editors');
    const settings = join(window.folder, '.vscode');
    mkdirSync(settings);
    writeFileSync(join(settings, 'settings.json'), JSON.stringify({ 'fsimg.checkOnOpen': true }));
    damage(join(window.folder, 'whole.img'), join(window.folder, 'broken.img'));
    await open('broken.img');
    await problem('Inode 12 counts 7').waitFor();
    await checks.frame
      .locator('.check-summary')
      .getByText(/\d errors/)
      .waitFor();
    copyFileSync(join(window.folder, 'whole.img'), join(window.folder, 'broken.img'));
    await checks.frame.locator('.check-summary').getByText('no errors').waitFor();
    await expect.poll(() => problems().count()).toBe(0);
  });
});

it('no error was hidden, and nothing was asked of the network', () => {
  expect(window.vscode.externalRequests).toEqual([]);
  expect(window.vscode.consoleErrors).toEqual([]);
});
