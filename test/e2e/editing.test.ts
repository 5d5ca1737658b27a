import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stretch } from '../../webview/space/space-grid';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { CommandLine, hashOf, problemsOf, stoppedClock } from './support/command-line';
import { InspectorPage } from './support/inspector';
import { PlannerPage, SpacePage } from './support/space';
import { withVSCode } from './support/with-vscode';

const window = withVSCode({
  prepare: async (folder) => {
    await unpackSamples(join(repository, 'test/samples'), folder);
    // With the same holes: a plain copy may have none.
    await unpackSamples(join(repository, 'test/samples'), join(folder, 'copies'));
    writeFileSync(join(folder, 'letter.txt'), 'Dear reader,\n'.repeat(400));
  },
  environment: { NODE_OPTIONS: stoppedClock },
});
const commandLine = new CommandLine();

let inspector: InspectorPage;
let space: SpacePage;
const path = (name: string) => join(window.folder, name);
const open = async (image: string) => {
  await window.vscode.openCustom(image);
  inspector = new InspectorPage(window.vscode.webview());
  space = new SpacePage(inspector.frame);
  await inspector.grid.waitFor();
};
const closeAll = () => window.vscode.palette('View: Close All Editors');
const showFiles = () => inspector.frame.getByRole('tab', { name: 'Files' }).click();
const dirty = (image: string) => window.vscode.dirtyTab(image).waitFor();
const clean = (image: string) => window.vscode.dirtyTab(image).waitFor({ state: 'detached' });
const save = async (image: string) => {
  await window.vscode.palette('File: Save');
  await clean(image);
};

interface Plan {
  readonly extents: readonly { physical: number; length: number }[];
  readonly fragments: number;
  readonly allocatedUnits: number;
  readonly metadataWrites: number;
}

interface Trim {
  readonly extents: number;
  readonly bytes: number;
}

interface Family {
  readonly image: string;
  readonly type: 'fat' | 'ext';
  readonly unit: 'cluster' | 'block';
  readonly whole: Stretch;
  readonly readme: string;
  /** A folder with all it holds, and what else leaves much room when it is deleted. */
  readonly deleted: readonly string[];
}

const families: Family[] = [
  {
    image: 'sample-fat32.img',
    type: 'fat',
    unit: 'cluster',
    whole: { first: 2, units: 68_528 },
    readme: 'README.TXT',
    deleted: ['pieces', 'scattered.log'],
  },
  {
    image: 'sample-ext2.img',
    type: 'ext',
    unit: 'block',
    whole: { first: 1, units: 8191 },
    readme: 'README.txt',
    deleted: ['many', 'fragments'],
  },
  {
    image: 'sample-ext4.img',
    type: 'ext',
    unit: 'block',
    whole: { first: 0, units: 6144 },
    readme: 'README.txt',
    deleted: ['many', 'preallocated.db'],
  },
];

describe.each(families)('$image', ({ image, type, unit, whole, readme, deleted }) => {
  const length = '300K';
  /** What the command line has made of its copy. */
  let copy: string;
  let original: string;
  /** What is in the root after each step, and before the first. */
  const states: string[][] = [];

  /** The names and sizes in the root. */
  const root = () =>
    inspector.rows.evaluateAll((rows) =>
      rows.map(
        (row) =>
          `${row.querySelector('.cell.name')?.textContent?.trim()} ` +
          `${row.querySelector('.cell.size')?.textContent?.trim()}`,
      ),
    );
  const showRoot = () => inspector.breadcrumb.getByRole('button', { name: 'Root' }).click();
  /** Takes down what the root holds once something has come into it, or gone. */
  const note = async (change: { come?: RegExp; gone?: RegExp }) => {
    const isThere = (rows: string[], what: RegExp) => rows.some((row) => what.test(row));
    const isDone = (rows: string[]) =>
      isThere(rows, new RegExp(`^${readme} `)) &&
      (!change.come || isThere(rows, change.come)) &&
      (!change.gone || !isThere(rows, change.gone));
    await expect.poll(root).toSatisfy(isDone);
    states.push(await root());
  };
  const step = async (way: 'Undo' | 'Redo', to: number) => {
    await window.vscode.palette(way);
    const isThere = () => root().then((rows) => rows.join() === states[to].join());
    // VS Code drops a step that is asked for while it is busy with the one before.
    await expect
      .poll(isThere, { timeout: 15_000 })
      .toBe(true)
      .catch(() => window.vscode.palette(way));
    await expect.poll(root, { timeout: 20_000 }).toEqual(states[to]);
  };
  /** Takes all steps back, or makes them again. */
  const undoAll = async () => {
    await window.vscode.palette('Undo'); // of the trim
    for (let to = states.length - 2; to >= 0; to--) await step('Undo', to);
  };
  const redoAll = async () => {
    for (let to = 1; to < states.length; to++) await step('Redo', to);
    await window.vscode.palette('Redo'); // of the trim
  };
  const trimmable = async () => {
    await window.vscode.palette('Filesystem Image: Trim…');
    const planner = new PlannerPage(inspector.frame, 'Trim');
    await planner.type('minimum', '0');
    return { planner, extents: await planner.fact('Free extents') };
  };

  beforeAll(async () => {
    original = hashOf(path(image));
    copy = path(`copies/${image}`);
    await open(image);
  });
  afterAll(closeAll);

  it('plans a preallocation as the command line does, draws it, and makes it', async () => {
    const ask = [`/${readme}`, length];
    const planned = (policy: string) =>
      commandLine.json<Plan>('preallocate', copy, ...ask, '--plan', '--policy', policy);
    await note({});
    await inspector.row(readme).click();
    await window.vscode.contextMenu(inspector.row(readme), 'Preallocate…');
    const planner = new PlannerPage(inspector.frame, 'Preallocate');
    await planner.type('length', length);
    await planner.choose('first-fit');
    for (const policy of ['contiguous', 'first-fit', 'next-fit']) {
      const { extents, fragments } = planned(policy);
      await expect.poll(() => planner.policy(policy)).toEqual([extents.length, fragments]);
    }
    const { extents, allocatedUnits, fragments } = planned('first-fit');
    expect(await planner.fact('Takes')).toBe(
      `${allocatedUnits} ${unit}s in ${extents.length} extents`,
    );
    expect(await planner.fact('File then in')).toBe(`${fragments} fragments`);
    expect(await planner.extents()).toEqual(extents.map((run) => [run.physical, run.length]));

    const largest = extents.reduce((most, run) => (run.length > most.length ? run : most));
    const { x, y } = await space.placeOf(largest.physical + largest.length / 2, whole);
    const swatch = await space.swatch('planned', 2);
    expect(await space.colourAt({ x: x - 2, y: y - 2 })).toBe(swatch);
    const last = await space.placeOf(whole.units, whole);
    expect(await space.colourAt({ x: last.x - 2, y: last.y - 2 })).not.toBe(swatch);
    await planner.apply();
    await dirty(image);
    await showFiles();
    await note({ come: / 307,200$/ });
    commandLine.run('preallocate', copy, ...ask, '--policy', 'first-fit');
  });

  it('imports, makes a folder, renames, moves and deletes', async () => {
    await window.vscode.palette('Filesystem Image: Import…');
    await window.vscode.page.locator('.quick-input-list .monaco-list-row').first().click();
    await window.vscode.chooseFile(path('letter.txt'), { accept: 'Import' });
    await note({ come: /^letter/ });
    await window.vscode.palette('Filesystem Image: New Folder…');
    await window.vscode.enter('docs');
    await note({ come: /^docs/ });
    await window.vscode.contextMenu(inspector.row('letter.txt'), 'Rename…');
    await window.vscode.enter('to the reader.txt');
    await note({ come: /^to the reader/, gone: /^letter/ });
    await window.vscode.contextMenu(inspector.row('to the reader.txt'), 'Move…');
    await window.vscode.enter('/docs');
    await inspector.shows(['to the reader.txt']);
    await showRoot();
    await note({ come: /^docs /, gone: /^to the reader/ });
    for (const name of deleted) {
      await window.vscode.contextMenu(inspector.row(name), 'Delete');
      expect(await window.vscode.answer('Delete')).toContain(name);
      await note({ gone: new RegExp(`^${name} `) });
    }
    commandLine.run('put', copy, path('letter.txt'), '/');
    commandLine.run('mkdir', copy, '/docs');
    commandLine.run('mv', copy, '/letter.txt', '/to the reader.txt');
    commandLine.run('mv', copy, '/to the reader.txt', '/docs');
    for (const name of deleted) commandLine.run('rm', copy, '-r', `/${name}`);
  });

  it('plans a trim as the command line does, and makes it', async () => {
    const { extents: count, bytes } = commandLine.json<Trim>('trim', copy, '--plan');
    const { planner, extents } = await trimmable();
    expect(extents).toBe(`${count}`);
    expect(await planner.fact('Bytes')).toContain(`${bytes.toLocaleString('en-US')} (`);
    await planner.apply();
    await inspector.says(/will be holes of the image file once it is saved/);
    commandLine.run('trim', copy);
    await showFiles();
  });

  it('takes all steps back, and has not touched the file until it is saved', async () => {
    await undoAll();
    await clean(image);
    expect(hashOf(path(image))).toBe(original);
    const { planner } = await trimmable();
    await planner.cancel();
    await showFiles();
  });

  it('makes all steps again, and saves what the command line makes of them', async () => {
    await redoAll();
    await dirty(image);
    await save(image);
    expect(hashOf(path(image))).toBe(hashOf(copy));
    expect(problemsOf(path(image), type)).toBe('');
  });

  it('takes all steps back after it was saved, and saves what was there before', async () => {
    await undoAll();
    await dirty(image);
    await save(image);
    expect(hashOf(path(image))).toBe(original);
  });
});

it('no error was hidden', () => {
  expect(window.vscode.externalRequests).toEqual([]);
  expect(window.vscode.consoleErrors).toEqual([]);
});
