import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { InspectorPage } from './support/inspector';
import { RecordsPage } from './support/records';
import { withVSCode } from './support/with-vscode';

const letter = (number: number) => `letter ${number} to the editor.txt`;

/** Where the record of a name starts: the name stands behind eight bytes. */
function recordOf(image: Buffer, name: string): number {
  const at = image.indexOf(name, 0, 'latin1');
  if (at < 8) throw new Error(`There is no record of ${name}.`);
  return at - 8;
}

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
    const image = readFileSync(join(folder, 'sample-ext2.img'));
    image.writeUInt16LE(6, recordOf(image, letter(6)) + 4);
    writeFileSync(join(folder, 'broken-ext2.img'), image);
  },
});

let inspector: InspectorPage;
let records: RecordsPage;
const openRecords = async (image: string, ...path: string[]) => {
  await window.vscode.openCustom(image);
  inspector = new InspectorPage(window.vscode.webview());
  await inspector.grid.waitFor();
  await inspector.enter(...path);
  await inspector.breadcrumb.getByText(path[path.length - 1], { exact: true }).waitFor();
  records = new RecordsPage(window.vscode.webview());
  await records.open();
};
const closeAll = () => window.vscode.palette('View: Close All Editors');
const closed = async () => {
  await window.vscode.page.keyboard.press('Escape');
  await closeAll();
};

describe('a directory of ext2', () => {
  beforeAll(() => openRecords('sample-ext2.img', 'mail'));
  afterAll(closed);

  it('is drawn as its block lies on disk, with the names that survive in slack', async () => {
    await records.segments(`"${letter(12)}"`).waitFor();
    expect(await records.segments().count()).toBe(14);
    expect(await records.segments(/ live$/).count()).toBe(10);
    expect(await records.segments(/ deleted$/).count()).toBe(4);
    expect(await records.heads.first().innerText()).toMatch(/10 live, 4 deleted/);
    const label = await records.segments(`"${letter(6)}"`).getAttribute('aria-label');
    expect(label).toMatch(/^inode \d+, "letter 6 to the editor.txt", rec_len 36, .*, live$/);
  });

  it('is drawn to scale', async () => {
    const scale = (await records.width(`"${letter(3)}"`)) / 36;
    // Edges lie on whole pixels.
    expect(Math.abs((await records.width(/"\.\."/)) - 12 * scale)).toBeLessThan(2);
    expect(Math.abs((await records.width(`"${letter(1)}"`)) - 72 * scale)).toBeLessThan(3);
  });

  it('marks a chosen record in the table, and its entry in Files, and the other way round', async () => {
    await records.choose(`"${letter(4)}"`);
    await expect.poll(() => records.chosenRow.innerText()).toContain(letter(4));
    await inspector.frame.getByRole('tab', { name: 'Files' }).click();
    await expect.poll(() => inspector.row(letter(4)).getAttribute('aria-selected')).toBe('true');
    await inspector.row(letter(9)).click();
    await records.open();
    await expect.poll(() => records.chosenRow.innerText()).toContain(letter(9));
    const segment = records.segments(`"${letter(9)}"`);
    await expect.poll(() => segment.getAttribute('aria-selected')).toBe('true');
  });

  it('is walked through with the keyboard', async () => {
    await records.choose(`"${letter(1)}"`);
    await window.vscode.page.keyboard.press('ArrowRight');
    await expect.poll(() => records.chosenRow.innerText()).toMatch(/letter 2 .*[\s\S]*36/);
    await window.vscode.page.keyboard.press('ArrowRight');
    await expect.poll(() => records.chosenRow.innerText()).toContain(letter(3));
    const active = await records.strips.getAttribute('aria-activedescendant');
    const label = await inspector.frame.locator(`[id="${active}"]`).getAttribute('aria-label');
    expect(label).toContain(letter(3));
    await window.vscode.page.keyboard.press('End');
    await expect.poll(() => records.chosenRow.innerText()).toContain(letter(12));
  });

  it('is zoomed, and filtered by state and by name', async () => {
    const before = await records.zoom.innerText();
    await records.strips.focus();
    await window.vscode.page.keyboard.press('+');
    await expect.poll(() => records.zoom.innerText()).not.toBe(before);
    await records.show('Deleted');
    await expect.poll(() => records.rows.count()).toBe(4);
    expect(await records.count.innerText()).toMatch(/^4 of 14 records/);
    await inspector.filter.fill('letter 1');
    await expect.poll(() => records.rows.count()).toBe(1);
    await inspector.filter.fill('');
    await records.show('All records');
    await expect.poll(() => records.rows.count()).toBe(14);
  });

  it('is as it was when it was hidden and comes back', async () => {
    await records.choose(`"${letter(7)}"`);
    const zoom = await records.zoom.innerText();
    await window.vscode.openCustom('sample-fat32.img');
    await window.vscode.tab('sample-ext2.img').click();
    records = new RecordsPage(window.vscode.webview());
    await expect.poll(() => records.chosenRow.innerText()).toContain(letter(7));
    expect(await records.zoom.innerText()).toBe(zoom);
  });
});

describe('a directory with a hash tree', () => {
  beforeAll(() => openRecords('sample-ext4.img', 'many'));
  afterAll(closed);

  it('shows the tree with the hashes of each leaf', async () => {
    const leaves = records.tree.getByRole('treeitem', { name: /leaf, hashes/ });
    await expect.poll(() => leaves.count()).toBeGreaterThan(3);
    expect(await leaves.first().getAttribute('aria-label')).toMatch(/hashes 00000000–[0-9a-f]{8}$/);
    expect(await leaves.last().getAttribute('aria-label')).toMatch(/–ffffffff$/);
    expect(await records.heads.first().innerText()).toContain('root of the hash tree');
    expect(await records.segments(/ index$/).count()).toBe(1);
  });

  it('leads from a leaf to its block', async () => {
    const leaf = records.tree.getByRole('treeitem', { name: /leaf/ }).nth(2);
    const range = /hashes (\S+)/.exec((await leaf.getAttribute('aria-label')) ?? '')?.[1] ?? '?';
    await leaf.click();
    await records.heads.filter({ hasText: range }).waitFor();
    await records
      .segments(/"entry-\d+.txt"/)
      .first()
      .waitFor();
  });

  it('lists every record, and finds one in its block', async () => {
    await expect.poll(() => records.count.innerText()).toMatch(/^60\d records in \d blocks/);
    await inspector.filter.fill('entry-577.txt');
    await expect.poll(() => records.rows.count()).toBe(1);
    await records.rows.first().click();
    await expect
      .poll(() => records.segments('"entry-577.txt"').getAttribute('aria-selected'))
      .toBe('true');
    await inspector.filter.fill('');
  });
});

describe('a directory of FAT', () => {
  beforeAll(() => openRecords('sample-fat32.img', 'mail'));
  afterAll(closed);

  it('is drawn slot by slot, the parts of a long name joined to the short one', async () => {
    await records.segments(/ end$/).waitFor();
    const short = records.segments(/"LETTER~1.TXT".*letter 1 to the editor.txt/);
    expect(await short.count()).toBe(1);
    expect(await short.locator('.join.whole.last').count()).toBe(1);
    expect(await short.locator('.codicon-check').count()).toBe(1);
    const parts = records.segments(/, checksum 0x[0-9a-f]{2}, long$/);
    expect(await parts.count()).toBe(18);
    expect(await parts.locator('.join.whole').count()).toBe(18);
  });

  it('shows deleted names with what is left of their long ones', async () => {
    expect(
      await records.segments(/"_ETTER~2.TXT".*letter 2 to the editor.txt.*deleted$/).count(),
    ).toBe(1);
    await records.show('Deleted');
    await expect.poll(() => records.rows.count()).toBe(13);
    await records.show('All records');
  });
});

describe('a directory whose chain of records is broken', () => {
  beforeAll(() => openRecords('broken-ext2.img', 'mail'));
  afterAll(closed);

  it('marks the break at its place with the rule that is violated', async () => {
    const broken = records.segments(/broken/);
    await broken.waitFor();
    expect(await broken.getAttribute('aria-label')).toMatch(
      /letter 6 to the editor.txt", rec_len 6, .*, broken, rec_len 6 is below 12$/,
    );
    expect(await broken.getAttribute('class')).toContain('breaks');
    expect(await records.heads.first().innerText()).toContain(
      'the chain breaks at +cc: rec_len 6 is below 12',
    );
    await records.show('Broken');
    await records.rows.getByText('rec_len 6 is below 12').waitFor();
  });

  it('draws what follows as unreachable', async () => {
    await records.segments(new RegExp(`"${letter(7)}".*unreachable$`)).waitFor();
    expect(await records.segments(new RegExp(`"${letter(5)}".*deleted$`)).count()).toBe(1);
    expect(await records.segments(new RegExp(`"${letter(7)}".*live$`)).count()).toBe(0);
  });
});

it('no error was hidden', () => {
  expect(window.vscode.consoleErrors).toEqual([]);
});
