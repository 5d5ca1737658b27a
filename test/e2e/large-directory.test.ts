import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { InspectorPage } from './support/inspector';
import { withVSCode } from './support/with-vscode';

const files = 50_000;
const nameOf = (i: number) =>
  `FILE${String(i).padStart(4, '0').slice(-4)}.${String(i).padStart(5, '0').slice(0, 1)}XT`;

/** A FAT32 image whose root directory has a 32-byte slot for each of so many empty files. */
function makeLarge(image: string): void {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  const sectorsPerCluster = 64;
  const options = ['-F', '32', '-s', String(sectorsPerCluster), '-f', '1', '-C', image];
  // Sparse on the host: 2.1 GiB hold the 65,525 clusters that make it FAT32.
  execFileSync('mkfs.fat', [...options, '2200000'], { env: { ...process.env, PATH: path } });
  const slots = Buffer.alloc(32 * files);
  for (let i = 0; i < files; i++) {
    slots.write(nameOf(i).replace('.', ''), 32 * i, 'latin1');
    slots[32 * i + 11] = 0x20; // archive
  }
  const file = openSync(image, 'r+');
  const boot = Buffer.alloc(512);
  readSync(file, boot, 0, 512, 0);
  const table = 512 * boot.readUInt16LE(14);
  const data = table + 512 * boot.readUInt32LE(36);
  const clusters = Math.ceil((slots.length + 32) / (512 * sectorsPerCluster));
  const chain = Buffer.alloc(4 * clusters);
  for (let i = 0; i < clusters; i++) {
    chain.writeUInt32LE(i < clusters - 1 ? 2 + i + 1 : 0x0fffffff, 4 * i);
  }
  writeSync(file, chain, 0, chain.length, table + 8); // from cluster 2 on, the root's first
  writeSync(file, slots, 0, slots.length, data);
  closeSync(file);
}

const window = withVSCode({ prepare: (folder) => makeLarge(join(folder, 'large.img')) });

let inspector: InspectorPage;
beforeAll(async () => {
  await window.vscode.openCustom('large.img');
  inspector = new InspectorPage(window.vscode.webview());
  await inspector.row(nameOf(0)).waitFor();
}, 120_000);

it('tells its number of rows, and makes only those in sight', async () => {
  await inspector.says('50,000 entries');
  expect(await inspector.grid.getAttribute('aria-rowcount')).toBe(String(files + 1));
  expect(await inspector.grid.locator('[role=row]').count()).toBeLessThan(150);
});

it('never shows a blank frame while it is scrolled from end to end', async () => {
  const frames = await inspector.grid.evaluate(async (grid) => {
    const rowHeight = 22;
    const coverage: number[] = [];
    const steps = 60;
    for (let step = 1; step <= steps; step++) {
      grid.scrollTop = ((grid.scrollHeight - grid.clientHeight) * step) / steps;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const sight = grid.getBoundingClientRect();
      const rows = [...grid.querySelectorAll('[data-index]')].filter((row) => {
        const place = row.getBoundingClientRect();
        return place.bottom > sight.top && place.top < sight.bottom;
      });
      coverage.push((rows.length * rowHeight) / grid.clientHeight);
    }
    return coverage;
  });
  // The header takes one row's height; all the rest of the sight is rows.
  expect(Math.min(...frames)).toBeGreaterThan(0.9);
  await inspector.row(nameOf(files - 1)).waitFor();
});

it('jumps to the end and back by keyboard, and to a name that is typed', async () => {
  await inspector.row(nameOf(files - 1)).click();
  await window.vscode.page.keyboard.press('Home');
  await inspector.row(nameOf(0)).waitFor();
  await window.vscode.page.keyboard.type('FILE1415.3');
  await expect.poll(() => inspector.row(nameOf(31415)).getAttribute('aria-selected')).toBe('true');
});

it('filters all of it', async () => {
  await inspector.filter.fill('FILE4999');
  await inspector.says('5 of 50,000 entries');
  await inspector.row(nameOf(44_999)).waitFor();
});
