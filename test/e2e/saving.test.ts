import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { CommandLine, hashOf, problemsOf } from './support/command-line';
import { InspectorPage } from './support/inspector';
import { withVSCode } from './support/with-vscode';

const image = 'sample-fat32.img';
/** A small file system in memory, where the system lets it be mounted. */
let small: string | undefined;

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
    writeFileSync(join(folder, 'letter.txt'), 'Dear reader,\n');
    writeFileSync(join(folder, 'big.bin'), Buffer.alloc(3 * 2 ** 20, 7));
    small = mountSmall(join(folder, 'small'));
    if (small)
      execFileSync('cp', ['--sparse=always', join(folder, image), join(small, 'full.img')]);
  },
});
const commandLine = new CommandLine();

function mountSmall(folder: string): string | undefined {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}
afterAll(() => {
  if (small) execFileSync('umount', ['-l', small]);
});

let inspector: InspectorPage;
const path = (name: string) => join(window.folder, name);
const follow = () => (inspector = new InspectorPage(window.vscode.webview()));
const open = async (name: string) => {
  await window.vscode.openCustom(name);
  await follow().grid.waitFor();
};
const dirty = (name: string) => window.vscode.dirtyTab(name).first().waitFor();
const clean = (name: string) => window.vscode.dirtyTab(name).waitFor({ state: 'detached' });
const makeFolder = async (image: string, name: string) => {
  await window.vscode.palette('Filesystem Image: New Folder…');
  await window.vscode.enter(name);
  await inspector.row(name).waitFor();
  await dirty(image);
};
const revert = async (image: string) => {
  await window.vscode.palette('File: Revert File');
  await clean(image);
};
const closeAll = () => window.vscode.palette('View: Close All Editors');
afterEach(closeAll);

describe('changes that are not saved', () => {
  it('outlive the window, and can be undone in the next one', async () => {
    const original = hashOf(path(image));
    await open(image);
    await makeFolder(image, 'kept');
    await window.vscode.reload();
    await dirty(image);
    await follow().row('kept').waitFor();
    expect(hashOf(path(image))).toBe(original);
    await window.vscode.palette('Undo');
    await clean(image);
    await inspector.row('kept').waitFor({ state: 'detached' });
    await window.vscode.palette('Redo');
    await dirty(image);
    await window.vscode.palette('File: Save');
    await clean(image);
    expect(commandLine.run('ls', path(image), '/')).toContain('kept/');
  });

  it('are given up by a revert', async () => {
    const original = hashOf(path(image));
    await open(image);
    await makeFolder(image, 'passing');
    await revert(image);
    await inspector.row('passing').waitFor({ state: 'detached' });
    expect(hashOf(path(image))).toBe(original);
  });
});

describe('an image that another program changes', () => {
  it('is shown anew with its selection, and says what has changed', async () => {
    await open(image);
    await inspector.row('README.TXT').click();
    // What the image held is remembered once it has been looked at for a moment.
    await window.vscode.page.waitForTimeout(2500);
    commandLine.run('put', path(image), path('letter.txt'), '/');
    await inspector.row('letter.txt').waitFor();
    const strip = inspector.frame.locator('.outside');
    await strip.getByText(/Another program has changed the image/).waitFor();
    await strip.getByText(/letter\.txt/).waitFor();
    expect(await inspector.row('README.TXT').getAttribute('aria-selected')).toBe('true');
    expect(await window.vscode.dirtyTab(image).count()).toBe(0);
    await strip.getByRole('button', { name: 'Dismiss' }).click();
    await strip.waitFor({ state: 'detached' });
  });

  it('is asked about where there are changes, and not written over when it is saved', async () => {
    await open(image);
    await makeFolder(image, 'mine');
    commandLine.run('rm', path(image), '/letter.txt');
    const theirs = hashOf(path(image));
    const question = window.vscode.notification('was changed by another program');
    await question.getByRole('button', { name: 'Keep Mine' }).click();
    await question.waitFor({ state: 'detached' });
    await window.vscode.palette('File: Save');
    expect(await window.vscode.answer('Cancel')).toMatch(/changed by another program/);
    await dirty(image);
    expect(hashOf(path(image))).toBe(theirs);
    await inspector.row('mine').waitFor();
    await window.vscode.palette('File: Save');
    await window.vscode.answer('Reload and Lose Changes');
    await clean(image);
    await inspector.row('mine').waitFor({ state: 'detached' });
    await inspector.row('letter.txt').waitFor({ state: 'detached' });
    expect(hashOf(path(image))).toBe(theirs);
  });
});

describe('a save', () => {
  it('to a full host leaves the image as it is, and the changes unsaved', async (context) => {
    if (!small) return context.skip('no file system can be mounted here');
    const full = join(small, 'full.img');
    const original = hashOf(full);
    await window.vscode.file('small').click();
    await open('full.img');
    await window.vscode.palette('Filesystem Image: Import…');
    await window.vscode.page.locator('.quick-input-list .monaco-list-row').first().click();
    await window.vscode.chooseFile(path('big.bin'), { accept: 'Import' });
    await inspector.row('big.bin').waitFor();
    await window.vscode.palette('File: Save');
    await window.vscode.notification(/Failed to save 'full\.img'.*no space is left/s).waitFor();
    await dirty('full.img');
    expect(hashOf(full)).toBe(original);
    await inspector.row('big.bin').waitFor();
    await revert('full.img');
    await inspector.row('big.bin').waitFor({ state: 'detached' });
  });

  it('under another name keeps the holes, and leaves the image as it is', async () => {
    const original = hashOf(path(image));
    await open(image);
    await makeFolder(image, 'elsewhere');
    await window.vscode.palette('File: Save As...');
    await window.vscode.chooseFile(path('other.img'));
    await window.vscode.activeTab('other.img').waitFor();
    await clean('other.img');
    expect(hashOf(path(image))).toBe(original);
    expect(statSync(path('other.img')).size).toBe(statSync(path(image)).size);
    expect(statSync(path('other.img')).blocks).toBeLessThan(statSync(path(image)).blocks + 64);
    expect(commandLine.run('ls', path('other.img'), '/')).toContain('elsewhere/');
    expect(problemsOf(path('other.img'), 'fat')).toBe('');
  });
});

it('no error was hidden', () => {
  expect(window.vscode.externalRequests).toEqual([]);
  const errors = window.vscode.consoleErrors.filter((text) => !/'full\.img'.*no space/.test(text));
  expect(errors).toEqual([]);
});
