import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFeatures } from '../ext/support/superblock';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { CommandLine, hashOf, problemsOf } from './support/command-line';
import { InspectorPage } from './support/inspector';
import { PlannerPage } from './support/space';
import { StructuresPage } from './support/structures';
import { withVSCode } from './support/with-vscode';

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
    writeFileSync(join(folder, 'letter.txt'), 'Dear reader,\n');
    // A feature that nothing on the volume uses yet, and that the editor cannot keep right.
    const locked = join(folder, 'sample-ext4.img');
    const bytes = readFileSync(locked);
    addFeatures(bytes, 's_feature_incompat', 0x400);
    const file = openSync(locked, 'r+');
    writeSync(file, bytes, 1024, 1024, 1024);
    closeSync(file);
  },
});
const commandLine = new CommandLine();

let inspector: InspectorPage;
let structures: StructuresPage;
const path = (name: string) => join(window.folder, name);
const open = async (name: string) => {
  await window.vscode.openCustom(name);
  inspector = new InspectorPage(window.vscode.webview());
  structures = new StructuresPage(inspector.frame);
  await inspector.grid.waitFor();
};
const tab = (name: string) => inspector.frame.getByRole('tab', { name, exact: true });
const dirty = (name: string) => window.vscode.dirtyTab(name).first().waitFor();
const clean = (name: string) =>
  expect.poll(() => window.vscode.dirtyTab(name).count(), { timeout: 20_000 }).toBe(0);
const undo = () => window.vscode.palette('Undo');
const redo = () => window.vscode.palette('Redo');
const save = async (name: string) => {
  await window.vscode.palette('File: Save');
  await clean(name);
};
const closeAll = () => window.vscode.palette('View: Close All Editors');

interface Trim {
  readonly bytes: number;
  readonly reclaimed: number;
}

describe('the bytes of an image', () => {
  const image = 'sample-ext2.img';
  /** Where the volume's name lies, and what it is at first. */
  const label = 1024 + 120;
  let original: string;

  beforeAll(async () => {
    original = hashOf(path(image));
    await open(image);
    await tab('Structures').click();
    await structures.item('superblock').click();
    await structures.structure.getByText('Superblock').waitFor();
  });
  afterAll(closeAll);

  it('are changed by the value of a field, which can be undone', async () => {
    await structures.field('s_volume_name').dblclick();
    const input = inspector.frame.locator('.field-input');
    await input.fill('a label that is longer than its field');
    await input.press('Enter');
    await inspector.frame.locator('#field-refusal').getByText(/\w/).waitFor();
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
    await input.fill('RENAMED');
    await input.press('Enter');
    await dirty(image);
    await inspector.says(/ext2 "RENAMED"/i);
    await undo();
    await clean(image);
    await inspector.says(/ext2 "SAMPLE-EXT2"/i);
    await redo();
    await inspector.says(/ext2 "RENAMED"/i);
  });

  it('are typed over, digit by digit, which can be undone', async () => {
    await structures.field('s_volume_name').click();
    await structures.selects(label, label + 15);
    await structures.byte(label).click();
    await window.vscode.page.keyboard.type('4d4f');
    await window.vscode.page.keyboard.press('Enter');
    await inspector.says(/ext2 "MONAMED"/i);
    await undo();
    await inspector.says(/ext2 "RENAMED"/i);
    await redo();
    await inspector.says(/ext2 "MONAMED"/i);
  });

  it('are saved, and are what they were once all is undone and saved', async () => {
    await save(image);
    expect(commandLine.json('info', path(image))).toMatchObject({
      volumes: [{ label: 'MONAMED' }],
    });
    expect(problemsOf(path(image), 'ext')).toBe('');
    await undo();
    await inspector.says(/ext2 "RENAMED"/i);
    await undo();
    await inspector.says(/ext2 "SAMPLE-EXT2"/i);
    await save(image);
    expect(hashOf(path(image))).toBe(original);
  });
});

describe('a volume that cannot be changed', () => {
  const image = 'sample-ext4.img';
  beforeAll(() => open(image));
  afterAll(closeAll);

  it('says why, and offers no change', async () => {
    await inspector.frame.locator('.read-only').getByText('Read-only').waitFor();
    const reason = await inspector.frame.locator('.read-only-why').innerText();
    expect(reason).toMatch(/^[A-Z].*\.$/);
    for (const command of ['newFolder', 'import']) {
      const button = inspector.frame.locator(`[data-command="fsimg.${command}"]`);
      expect(await button.getAttribute('disabled')).not.toBeNull();
    }
    await inspector.row('README.txt').click();
    await window.vscode.page.keyboard.press('F2');
    await inspector.frame.locator('.notice').getByText(reason).waitFor();
    await tab('Space').click();
    const preallocate = inspector.frame.locator('[data-command="fsimg.preallocate"]');
    expect(await preallocate.getAttribute('disabled')).not.toBeNull();
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
  });

  it('is trimmed all the same, and its file takes less room then', async () => {
    const expected = commandLine.json<Trim>('trim', path(image), '--plan');
    expect(expected.reclaimed).toBeGreaterThan(0);
    await inspector.frame.locator('[data-command="fsimg.trim"]').click();
    const planner = new PlannerPage(inspector.frame, 'Trim');
    await planner.type('minimum', '0');
    expect(await planner.fact('Bytes')).toContain(`${expected.bytes.toLocaleString('en-US')} (`);
    await planner.apply();
    await dirty(image);
    const before = statSync(path(image)).blocks;
    await save(image);
    // The host may need a block of its own for where the holes are.
    const fallen = (before - statSync(path(image)).blocks) * 512;
    expect(fallen).toBeGreaterThan(expected.reclaimed / 2);
    expect(fallen).toBeLessThanOrEqual(expected.reclaimed);
    expect(problemsOf(path(image), 'ext')).toBe('');
    expect(commandLine.json<Trim>('trim', path(image), '--plan').bytes).toBe(0);
  });
});

describe('two editors of one image', () => {
  const image = 'sample-fat32.img';
  beforeAll(() => open(image));
  afterAll(closeAll);

  it('show the same changes, and have one undo', async () => {
    await window.vscode.palette('View: Split Editor Right');
    const second = new InspectorPage(window.vscode.webview(1));
    await second.row('README.TXT').waitFor();
    await window.vscode.palette('Filesystem Image: New Folder…');
    await window.vscode.enter('shared');
    await second.row('shared').waitFor();
    await inspector.row('shared').waitFor();
    expect(await window.vscode.dirtyTab(image).count()).toBe(2);
    await undo();
    await clean(image);
    await second.row('shared').waitFor({ state: 'detached' });
    await inspector.row('shared').waitFor({ state: 'detached' });
    await window.vscode.palette('View: Close Editor');
  });
});

describe('what comes from outside', () => {
  const image = 'sample-fat32.img';
  const dialog = () => window.vscode.page.locator('.monaco-dialog-box');
  /** Drops a file of the browser or an address, as a page could pretend to. */
  const drop = (what: { file?: string; address?: string }) =>
    inspector.grid.evaluate((grid, { file, address }) => {
      const dataTransfer = new DataTransfer();
      if (file !== undefined) dataTransfer.items.add(new File(['x'], file));
      if (address !== undefined) dataTransfer.setData('text/uri-list', address);
      grid.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, composed: true }));
    }, what);

  beforeAll(() => open(image));
  afterAll(closeAll);

  it('is read only once the person has seen what it is', async () => {
    const address = `file://${path('letter.txt')}`;
    await drop({ address });
    await dialog().getByText(path('letter.txt')).waitFor();
    expect(await window.vscode.answer('Cancel')).toMatch(/Import 1 item into \/\?/);
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
    await drop({ address });
    await window.vscode.answer('Import');
    await inspector.row('letter.txt').waitFor();
    await undo();
    await clean(image);
  });

  it('cannot be of another machine, or called by a path', async () => {
    await drop({ address: 'ftp://elsewhere/letter.txt' });
    await inspector.frame
      .locator('.notice')
      .getByText(/machine/)
      .waitFor();
    await drop({ file: '../../outside.txt' });
    await inspector.frame.locator('.notice').getByText('A name cannot hold a slash.').waitFor();
    expect(await dialog().count()).toBe(0);
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
  });

  it('takes no name that leads out of its folder', async () => {
    await window.vscode.palette('Filesystem Image: New Folder…');
    const refusal = window.vscode.page.locator('.quick-input-message');
    for (const name of ['../outside', '..', 'a/b']) {
      await window.vscode.quickInput().fill(name);
      await refusal.getByText(/stands for a directory|cannot hold a slash/).waitFor();
      await window.vscode.quickInput().press('Enter');
      expect(await window.vscode.quickInput().isVisible()).toBe(true);
    }
    await window.vscode.page.keyboard.press('Escape');
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
  });
});

it('no error was hidden', () => {
  expect(window.vscode.externalRequests).toEqual([]);
  expect(window.vscode.consoleErrors).toEqual([]);
});
