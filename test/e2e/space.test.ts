import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from '../vscode/browser.mjs';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { InspectorPage } from './support/inspector';
import { SpacePage } from './support/space';
import { withVSCode } from './support/with-vscode';

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
  },
});

const image = 'sample-fat32.img';
const chosenFile = '/scattered.log';

interface Extent {
  readonly logical: number;
  readonly physical: number;
  readonly length: number;
}

interface FreeAnswer {
  readonly total: number;
  readonly free: number;
  readonly list: readonly (readonly [number, number])[];
}

/** What the command line answers about the image. */
function ask(verb: string, ...rest: string[]): unknown {
  const program = join(repository, 'dist/cli.js');
  const args = [program, verb, '--json', join(window.folder, image), ...rest];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

let inspector: InspectorPage;
let space: SpacePage;
let map: Locator;
let free: FreeAnswer;
let extents: readonly Extent[];

beforeAll(async () => {
  free = ask('free', '--list') as FreeAnswer;
  ({ extents } = ask('stat', chosenFile) as { extents: Extent[] });
  await window.vscode.openCustom(image);
  inspector = new InspectorPage(window.vscode.webview());
  space = new SpacePage(inspector.frame);
  ({ map } = space);
  await inspector.grid.waitFor();
});

const showTab = (name: string) => inspector.frame.getByRole('tab', { name, exact: true }).click();
const readout = () => inspector.frame.locator('.readout').innerText();

/** Where a cluster lies on the map while the whole volume is shown, in pixels. */
const placeOf = (cluster: number) => space.placeOf(cluster, { first: 2, units: free.total });

describe('the map', () => {
  it('shows what the clusters hold, and how many are free', async () => {
    await showTab('Space');
    await map.waitFor();
    const legend = inspector.frame.locator('fsimg-space-legend');
    await legend.getByRole('row', { name: /Directories/ }).waitFor();
    const count = await legend
      .getByRole('row', { name: /^Free/ })
      .locator('td')
      .first()
      .innerText();
    expect(count).toBe(free.free.toLocaleString('en-US'));
  });

  it('lists the free extents as the command line does', async () => {
    const rows = inspector.frame.locator('fsimg-free-list .row');
    await expect.poll(() => rows.count()).toBe(free.list.length);
    const shown = await rows.evaluateAll((elements) =>
      elements.map((row) =>
        [...row.querySelectorAll('.cell')]
          .slice(0, 2)
          .map((cell) => Number(cell.textContent?.trim().replaceAll(',', ''))),
      ),
    );
    expect(shown).toEqual(free.list);
  });

  it('sorts them by length, and leaves out the short ones', async () => {
    const list = inspector.frame.locator('fsimg-free-list');
    const largest = Math.max(...free.list.map(([, length]) => length));
    await list.getByRole('columnheader', { name: 'Length' }).getByRole('button').click();
    await expect
      .poll(() => list.locator('[data-index="0"] .cell.length').innerText())
      .toBe(largest.toLocaleString('en-US'));
    await list.locator('.minimum input').fill('5');
    const longer = free.list.filter(([, length]) => length >= 5).length;
    await expect.poll(() => list.locator('.row').count()).toBe(longer);
    await list.locator('.minimum input').fill('1');
    await expect.poll(() => list.locator('.row').count()).toBe(free.list.length);
  });

  it('tells the owner of what the pointer rests on', async () => {
    const { physical } = extents[extents.length - 1];
    await map.hover({ position: await placeOf(physical + 100) });
    await expect
      .poll(readout, { timeout: 20_000 })
      .toMatch(/Clusters [\d,–]+ at 0x.*scattered\.log/);
  });

  it('is walked with the arrow keys, and zoomed around the cursor', async () => {
    await map.focus();
    await window.vscode.page.keyboard.press('Home');
    await expect.poll(readout).toMatch(/^Clusters 2–/);
    for (let times = 0; times < 12; times++) await window.vscode.page.keyboard.press('+');
    await expect.poll(readout).toMatch(/^Cluster 2 at/);
    await window.vscode.page.keyboard.press('ArrowRight');
    await expect.poll(readout).toMatch(/^Cluster 3 at/);
    await window.vscode.page.keyboard.press('0');
    await expect.poll(readout).toMatch(/^Clusters 2–/);
  });
});

describe('the selection', () => {
  it('goes from a cluster on the map to the file in Files', async () => {
    const { physical } = extents[extents.length - 1];
    await map.click({ position: await placeOf(physical + 60) });
    const chosen = inspector.frame.locator('.chosen-unit');
    await chosen.getByText(chosenFile).waitFor();
    await chosen.getByRole('button', { name: 'Files' }).click();
    await expect
      .poll(() => inspector.row('scattered.log').getAttribute('aria-selected'))
      .toBe('true');
  });

  it('goes from a file in Files to its clusters on the map', async () => {
    await showTab('Space');
    const legend = inspector.frame.locator('fsimg-space-legend');
    await legend.getByText('Selected: scattered.log').waitFor();
    const swatch = await space.swatch('selected');
    const inside = await placeOf(extents[extents.length - 1].physical + 100);
    await expect.poll(() => space.colourAt(inside)).toBe(swatch);
    const outside = await placeOf(free.total - 100);
    expect(await space.colourAt(outside)).not.toBe(swatch);
  });

  it('zooms to the file that is chosen', async () => {
    await inspector.frame.locator('.zoom-to-node').click();
    await inspector.says(/cell = 1 cluster/);
    await inspector.frame.getByRole('button', { name: /Show the whole volume/ }).click();
    await inspector.says(/Whole volume/);
  });

  it('goes to a cluster that is asked for', async () => {
    const { physical, length } = extents[1];
    await window.vscode.palette('Filesystem Image: Go to…');
    await window.vscode.enter(`cluster ${physical + length - 1}`);
    const chosen = inspector.frame.locator('.chosen-unit');
    await chosen.getByText(chosenFile).waitFor();
    await chosen.getByText(`Cluster ${physical + length - 1}`).waitFor();
  });
});

it('no error was hidden', () => {
  expect(window.vscode.consoleErrors).toEqual([]);
});
