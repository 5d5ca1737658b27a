import { beforeEach, describe, expect, it } from 'vitest';
import { Directory } from '../../../webview/files/directory';
import type { Inspection } from '../../../webview/inspection/inspection';
import { placeAt } from '../../../webview/inspection/selection';
import { FakeTree, rootNode, row, settle } from '../fake-host';

let tree: FakeTree;
let inspection: Inspection;
let directory: Directory;
let sights: (number | null)[];

/** As a view does: looks at the place whenever something has changed. */
async function look() {
  directory.follow();
  await settle();
  await settle();
}

const chosenName = () => (directory.chosen ? directory.row(directory.active)?.name : undefined);

const choose = async (name: string) => {
  const index = tree.directories.get(rootNode)?.findIndex((one) => one.name === name) ?? -1;
  directory.show(index, index + 1);
  await look();
  directory.choose(index);
  await look();
};

beforeEach(async () => {
  tree = new FakeTree();
  for (let i = 0; i < 1000; i++) tree.add(rootNode, row(i));
  tree.add(rootNode, row(1000, { name: 'sub', type: 'directory' }));
  inspection = tree.open();
  await inspection.load();
  sights = [];
  directory = new Directory(
    inspection,
    () => undefined,
    (top) => sights.push(top),
  );
  await look();
});

describe('following the place', () => {
  it('lists the directory from its top', () => {
    expect(directory.count).toBe(1001);
    expect(directory.row(0)?.name).toBe('file-0');
    expect(directory.chosen).toBe(false);
    expect(sights).toEqual([0]);
  });

  it('keeps the old rows until the new ones have come', async () => {
    inspection.enter({ name: 'sub', node: 2000 });
    directory.follow();
    expect(directory.waiting).toBe(true);
    expect(directory.count).toBe(1001);
    directory.choose(3);
    expect(inspection.place?.chosen).toBeNull();
    await look();
    expect(directory.waiting).toBe(false);
    expect(directory.count).toBe(0);
  });

  it('discards the rows of a directory that was left before they came', async () => {
    inspection.enter({ name: 'sub', node: 2000 });
    directory.follow();
    inspection.back();
    await look();
    expect(directory.count).toBe(1001);
    expect(directory.row(0)?.name).toBe('file-0');
  });

  it('asks for nothing when nothing else is to be listed', async () => {
    tree.host.list.mockClear();
    inspection.remember({ panelWidth: 400 });
    inspection.choose({ node: 1003, name: 'file-3', type: 'file', offset: row(3).offset });
    await look();
    expect(tree.host.list).not.toHaveBeenCalled();
  });

  it('says why there is no listing', async () => {
    tree.directories.delete(2000);
    inspection.enter({ name: 'sub', node: 2000 });
    await look();
    expect(directory.shown?.ready).toBe(false);
    expect(directory.shown?.failure).toBe('2000 is not a directory.');
  });
});

describe('the chosen entry', () => {
  it('is told to all views with its type and the place of its record', async () => {
    await choose('file-7');
    expect(inspection.place?.chosen).toEqual({
      node: 1007,
      name: 'file-7',
      type: 'file',
      offset: row(7).offset,
    });
  });

  it('is told once its row has come', async () => {
    directory.choose(950);
    expect(inspection.place?.chosen).toBeNull();
    directory.show(930, 970);
    await look();
    expect(inspection.place?.chosen?.name).toBe('file-950');
  });

  it('is found where it stands after the rows have changed', async () => {
    await choose('file-500');
    inspection.rememberScroll(490);
    tree.remove(rootNode, 'file-3');
    await inspection.load();
    await look();
    expect(directory.active).toBe(499);
    expect(chosenName()).toBe('file-500');
    expect(sights.at(-1)).toBe(490);
  });

  it('is brought in sight when the order changes', async () => {
    directory.choose(950);
    directory.show(930, 970);
    await look();
    inspection.arrange({ sort: 'size' });
    await look();
    expect(chosenName()).toBe('file-950');
    expect(sights.at(-1)).toBeNull();
  });

  it('asks for no page but the one around it', async () => {
    directory.choose(950);
    directory.show(930, 970);
    await look();
    tree.host.list.mockClear();
    inspection.arrange({ sort: 'size' });
    await look();
    const pages = tree.host.list.mock.calls.filter(([query]) => query.count > 0);
    expect(pages.map(([query]) => query.start)).toEqual([900]);
  });

  it('gives way to its neighbour when it has gone', async () => {
    await choose('file-5');
    tree.remove(rootNode, 'file-5');
    await inspection.load();
    await look();
    expect(chosenName()).toBe('file-6');
    expect(inspection.place?.chosen?.name).toBe('file-6');
  });

  it('gives way to the last one when it was that, and to none in an empty directory', async () => {
    inspection.enter({ name: 'sub', node: 2000 });
    for (const number of [1, 2]) tree.add(2000, row(2000 + number));
    await look();
    directory.choose(1);
    tree.remove(2000, 'file-2002');
    await inspection.load();
    await look();
    expect(chosenName()).toBe('file-2001');
    tree.remove(2000, 'file-2001');
    await inspection.load();
    await look();
    expect(directory.chosen).toBe(false);
    expect(inspection.place?.chosen).toBeNull();
  });

  it('brings deleted entries in sight when one comes to one, and not where it has gone', async () => {
    const gone = { node: row(2001).node, name: 'file-2001', type: 'file', offset: null } as const;
    tree.add(2000, row(2001, { deleted: true }));
    const sub = { name: 'sub', node: 2000 };
    const { place } = inspection;
    const trail = [...(place?.trail ?? []), sub];
    inspection.go({ place: placeAt(0, trail, gone) });
    await look();
    expect(inspection.state.deleted).toBe(false);
    expect(inspection.place?.chosen).toBeNull();
    inspection.go({ place });
    await look();
    inspection.go({ place: placeAt(0, trail, { ...gone, deleted: true }) });
    await look();
    expect(inspection.state.deleted).toBe(true);
    await look();
    expect(chosenName()).toBe('file-2001');
  });

  it('is forgotten when it is not listed any more', async () => {
    tree.add(rootNode, row(2001, { deleted: true }));
    inspection.arrange({ deleted: true });
    await look();
    await choose('file-2001');
    inspection.arrange({ deleted: false });
    await look();
    expect(directory.chosen).toBe(false);
    expect(inspection.place?.chosen).toBeNull();
  });

  it('is found by its name where it has become another node', async () => {
    tree.add(rootNode, row(3000, { name: 'kernel' }));
    await inspection.load();
    await look();
    directory.choose(1001);
    directory.show(1000, 1002);
    await look();
    tree.remove(rootNode, 'kernel');
    // In its slot lies another file now.
    tree.add(rootNode, row(3001, { name: 'kernel.old', offset: row(3000).offset }));
    tree.add(rootNode, row(3002, { name: 'kernel' }));
    tree.host.locatePrefix.mockResolvedValueOnce(1002);
    inspection.rememberScroll(990);
    await inspection.load();
    await look();
    expect(inspection.place?.chosen).toMatchObject({ name: 'kernel', node: row(3002).node });
    expect(tree.host.locatePrefix).toHaveBeenCalledWith(expect.anything(), 'kernel', 0);
  });

  it('survives a filter that hides it', async () => {
    await choose('file-5');
    inspection.arrange({ filter: 'sub' });
    await look();
    expect(directory.chosen).toBe(false);
    inspection.arrange({ filter: '' });
    await look();
    expect(chosenName()).toBe('file-5');
  });

  it('is the same name among the names of one node', async () => {
    tree.add(rootNode, row(5, { name: 'other-name', offset: 77 }));
    await inspection.load();
    await look();
    directory.show(1000, 1002);
    await look();
    directory.choose(1001);
    expect(inspection.place?.chosen?.name).toBe('other-name');
    tree.remove(rootNode, 'file-0');
    inspection.rememberScroll(990);
    await inspection.load();
    await look();
    expect(chosenName()).toBe('other-name');
  });

  it('can be chosen from elsewhere', async () => {
    inspection.choose({ node: 1042, name: 'file-42', type: 'file', offset: null });
    await look();
    expect(chosenName()).toBe('file-42');
    expect(sights.at(-1)).toBeNull();
  });
});

describe('a listing that takes its time', () => {
  const never = new Promise<never>(() => undefined);

  it('tells how far it is', async () => {
    tree.host.list.mockReturnValueOnce(never);
    inspection.arrange({ sort: 'size' });
    await look();
    expect(directory.progress).toBeNull();
    inspection.tasks.progress(tree.host.list.mock.calls.length, 30, 120);
    expect(directory.progress).toBe(0.25);
  });

  it('can be given up for the rows in sight', async () => {
    await choose('file-5');
    tree.host.list.mockReturnValueOnce(never);
    inspection.arrange({ sort: 'size', descending: true });
    await look();
    expect(directory.canCancel).toBe(true);
    directory.cancel();
    await look();
    expect(tree.host.cancel).toHaveBeenCalledOnce();
    expect(directory.waiting).toBe(false);
    expect(inspection.state).toMatchObject({ sort: 'name', descending: false });
    expect(chosenName()).toBe('file-5');
  });

  it('can be given up for the directory before it', async () => {
    tree.host.list.mockReturnValueOnce(never);
    inspection.enter({ name: 'sub', node: 2000 });
    await look();
    directory.cancel();
    await look();
    expect(inspection.query?.directory).toBe(rootNode);
    expect(directory.count).toBe(1001);
  });
});

it('gives up what it has asked when it is closed', async () => {
  tree.host.list.mockReturnValueOnce(new Promise(() => undefined));
  inspection.enter({ name: 'sub', node: 2000 });
  directory.follow();
  await settle();
  directory.close();
  expect(tree.host.cancel).toHaveBeenCalledOnce();
});
