import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../../src/protocol/rpc';
import { reveal, showIn } from '../../../webview/inspection/reveal';
import { pathOf } from '../../../webview/inspection/selection';
import { FakeTree, fatVolume, row, xfsVolume } from '../fake-host';

const boot = row(1, { name: 'boot', type: 'directory' });
const grub = row(2, { name: 'grub', type: 'directory' });
const link = row(3, { name: 'link', type: 'symlink', target: 'boot/grub' });

function makeTree(): FakeTree {
  const tree = new FakeTree();
  tree.add(2, boot);
  tree.add(boot.node, grub);
  tree.add(grub.node, row(4));
  tree.add(2, link);
  return tree;
}

async function opened(tree: FakeTree, state?: unknown) {
  const inspection = tree.open(state);
  await inspection.load();
  return inspection;
}

type Opened = Awaited<ReturnType<typeof opened>>;
const at = ({ place }: Opened) => place && pathOf(place.trail);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('opening an image', () => {
  it('shows the root of the first volume that can be opened', async () => {
    const tree = makeTree();
    tree.volumes = [
      { ...xfsVolume, index: 0 },
      { ...fatVolume, index: 1 },
    ];
    const inspection = await opened(tree);
    expect(inspection.place).toMatchObject({ volume: 1, chosen: null });
    expect(at(inspection)).toBe('/');
    expect(tree.host.selectionChanged).toHaveBeenCalledExactlyOnceWith({
      view: 'files',
      volume: 1,
      entry: { volume: 1, directory: 2, directoryPath: '/' },
    });
  });

  it('shows a volume that is only named, where there is no other', async () => {
    const tree = makeTree();
    tree.volumes = [{ ...xfsVolume, index: 0 }];
    const inspection = await opened(tree);
    expect(inspection.place).toMatchObject({ volume: 0, trail: [], chosen: null });
    expect(inspection.volume?.foreign).toBe('XFS');
    expect(inspection.query).toBeNull();
    expect(tree.host.selectionChanged).toHaveBeenCalledExactlyOnceWith({
      view: 'files',
      volume: 0,
    });
  });

  it('shows an image without volumes', async () => {
    const tree = makeTree();
    tree.volumes = [];
    const inspection = await opened(tree);
    expect(inspection.place).toBeNull();
    expect(inspection.failure).toBeNull();
  });

  it('says why it cannot', async () => {
    const tree = makeTree();
    tree.host.summary.mockRejectedValueOnce(new RemoteError('unreadable', 'It is empty.'));
    const inspection = await opened(tree);
    expect(inspection.failure).toBe('It is empty.');
    await inspection.load();
    expect(inspection.failure).toBeNull();
    expect(at(inspection)).toBe('/');
  });

  it('goes back to where an earlier webview was', async () => {
    const tree = makeTree();
    const before = await opened(tree);
    before.enter(boot);
    before.enter(grub);
    before.choose({ node: 1004, name: 'file-4', type: 'file', offset: row(4).offset });
    before.rememberScroll(3.5);
    before.arrange({ sort: 'size', descending: true });
    vi.advanceTimersByTime(100);
    const after = await opened(tree, tree.saved.at(-1));
    expect(at(after)).toBe('/boot/grub');
    expect(after.place?.chosen?.name).toBe('file-4');
    expect(after.state).toMatchObject({ sort: 'size', descending: true });
    expect(after.back()).toBe(true);
    expect(at(after)).toBe('/boot');
  });

  it('goes to the nearest directory that is still there', async () => {
    const tree = makeTree();
    const before = await opened(tree);
    before.enter(boot);
    before.enter(grub);
    tree.remove(boot.node, 'grub');
    await before.load();
    expect(at(before)).toBe('/boot');
    expect(before.notice).toContain('/boot/grub');
  });

  it('finds a directory whose inode is another now', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    inspection.enter(boot);
    tree.remove(2, 'boot');
    tree.add(2, row(77, { name: 'boot', type: 'directory' }));
    await inspection.load();
    expect(inspection.query?.directory).toBe(1077);
  });

  it('forgets what was told of the image before', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    inspection.tell('2 free extents will be holes.');
    inspection.setOutside({ sentences: [] });
    const load = inspection.load();
    expect(inspection).toMatchObject({ notice: null, outside: null });
    // What comes of the change that is loaded is told meanwhile, and stays.
    inspection.tell('3 free extents will be holes.');
    await load;
    expect(inspection.notice).toBe('3 free extents will be holes.');
    inspection.setGone(true);
    expect(inspection.notice).toBeNull();
  });

  it('chooses nothing where the chosen entry has gone while another view is shown', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    inspection.choose({ node: link.node, name: 'link', type: 'symlink', offset: link.offset });
    inspection.showView('space');
    await inspection.load();
    expect(inspection.place?.chosen?.name).toBe('link');
    tree.remove(2, 'link');
    await inspection.load();
    expect(inspection.place?.chosen).toBeNull();
    expect(at(inspection)).toBe('/');
  });

  it('stays in a deleted directory, to which no path leads', async () => {
    const tree = makeTree();
    const gone = tree.add(2, row(9, { name: 'gone', type: 'directory', deleted: true }));
    const inspection = await opened(tree);
    inspection.enter(gone);
    const resolve = tree.host.resolve.getMockImplementation();
    tree.host.resolve.mockImplementation(async (volume, path) => {
      if (path === '/gone') throw new RemoteError('not-found', 'There is no /gone.');
      return resolve ? resolve(volume, path) : [];
    });
    await inspection.load();
    expect(at(inspection)).toBe('/gone');
  });

  it('keeps its place while there is no engine', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    inspection.enter(boot);
    tree.host.resolve.mockRejectedValueOnce(new RemoteError('ended', 'The engine ended.'));
    await inspection.load();
    expect(inspection.failure).toBe('The engine ended.');
    await inspection.load();
    expect(inspection.failure).toBeNull();
    expect(at(inspection)).toBe('/boot');
  });

  it('does not take the person back from where they went meanwhile', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    const loading = inspection.load();
    inspection.enter(boot);
    await loading;
    expect(at(inspection)).toBe('/boot');
  });
});

describe('walking', () => {
  it('chooses on the way up what it came from', async () => {
    const inspection = await opened(makeTree());
    inspection.enter(boot);
    inspection.enter(grub);
    inspection.up();
    expect(at(inspection)).toBe('/boot');
    expect(inspection.place?.chosen).toMatchObject({ node: grub.node, type: 'directory' });
    inspection.up();
    inspection.up();
    expect(at(inspection)).toBe('/');
    expect(inspection.place?.chosen?.node).toBe(boot.node);
  });

  it('leaves the filter behind, and comes back to the same rows', async () => {
    const inspection = await opened(makeTree());
    inspection.arrange({ filter: 'b' });
    inspection.rememberScroll(4);
    inspection.enter(boot);
    expect(inspection.state.filter).toBe('');
    expect(inspection.back()).toBe(true);
    expect(inspection.place?.scroll).toBe(4);
    expect(inspection.back()).toBe(false);
    expect(inspection.forward()).toBe(true);
    expect(at(inspection)).toBe('/boot');
    expect(inspection.forward()).toBe(false);
  });

  it('starts at the top when the order changes', async () => {
    const inspection = await opened(makeTree());
    inspection.rememberScroll(40);
    inspection.arrange({ sort: 'size' });
    expect(inspection.place?.scroll).toBeNull();
  });

  it('follows symlinks to directories and to files', async () => {
    const inspection = await opened(makeTree());
    await inspection.follow('boot/grub');
    expect(at(inspection)).toBe('/boot/grub');
    await inspection.follow('/boot/grub/file-4');
    expect(at(inspection)).toBe('/boot/grub');
    expect(inspection.place?.chosen?.name).toBe('file-4');
    await inspection.follow('nowhere');
    expect(inspection.notice).toBe('There is no /boot/grub/nowhere.');
    expect(at(inspection)).toBe('/boot/grub');
  });

  it('changes the volume, and comes back to it', async () => {
    const inspection = await opened(makeTree());
    inspection.enter(boot);
    await inspection.openVolume(1);
    expect(inspection.volume).toBe(xfsVolume);
    inspection.back();
    expect(inspection.volume).toBe(fatVolume);
    expect(at(inspection)).toBe('/boot');
  });

  it('reveals what the extension host asks for', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    const entry = {
      volume: 0,
      directory: grub.node,
      directoryPath: '/boot/grub',
      node: 1004,
      path: '/boot/grub/file-4',
      type: 'file',
    } as const;
    await reveal(inspection, { kind: 'entry', entry }, 'files');
    expect(at(inspection)).toBe('/boot/grub');
    expect(inspection.place?.chosen).toMatchObject({ node: 1004, name: 'file-4', type: 'file' });
    inspection.back();
    expect(at(inspection)).toBe('/');
  });
});

describe('free space', () => {
  it('is counted after the rows had their turn', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    expect(tree.host.freeSpace).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(tree.host.freeSpace).toHaveBeenCalledOnce();
    expect(inspection.space).toMatchObject({ state: 'counted', summary: { free: 61 } });
  });

  it('shows progress, and is given up with its volume', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    tree.host.freeSpace.mockReturnValueOnce(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1000);
    inspection.tasks.progress(1, 30, 120);
    expect(inspection.space).toEqual({ state: 'counting', done: 30, total: 120 });
    await inspection.openVolume(1);
    expect(tree.host.cancel).toHaveBeenCalledExactlyOnceWith(1);
    expect(inspection.space).toBeNull();
  });

  it('can be given up by the person, and taken up again', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    tree.host.freeSpace.mockReturnValueOnce(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1000);
    inspection.stopCountingSpace();
    expect(tree.host.cancel).toHaveBeenCalledExactlyOnceWith(1);
    expect(inspection.space).toEqual({ state: 'stopped' });
    inspection.countSpace();
    await vi.advanceTimersByTimeAsync(1);
    expect(inspection.space?.state).toBe('counted');
  });

  it('can be unknown', async () => {
    const tree = makeTree();
    const inspection = await opened(tree);
    tree.host.freeSpace.mockRejectedValueOnce(new RemoteError('corrupt', 'No bitmap is left.'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(inspection.space).toEqual({ state: 'failed', message: 'No bitmap is left.' });
  });
});

describe('one selection', () => {
  const chosen = { node: 1004, name: 'file-4', type: 'file', offset: row(4).offset } as const;
  const directory = { offset: 0x10020, length: 32 };

  const unitOffset = (unit: number) => 0x8000 + (unit - 2) * 512;

  /** A tree whose nodes can be found by their paths, and whose units by their place. */
  function layoutTree() {
    const tree = makeTree();
    const paths: Record<number, string[]> = {
      2: ['/'],
      [grub.node]: ['/boot/grub'],
      1004: ['/boot/grub/file-4', '/link-to-it'],
    };
    const layout = {
      pathsOf: vi.fn(async (_volume: number, node: number) => paths[node] ?? []),
      findOwners: vi.fn(async () => undefined),
      structuresAt: vi.fn(async (offset: number) =>
        offset === unitOffset(11)
          ? [{ kind: 'slot', name: 'slot', offset, length: 32, node: 1004, fields: [] }]
          : [],
      ),
      placeAt: vi.fn(async (offset: number) => ({
        volume: offset < fatVolume.length ? 0 : null,
        unit: offset < 0x8000 ? null : 2 + Math.floor((offset - 0x8000) / 512),
      })),
      owner: vi.fn(async (_volume: number, unit: number) => ({
        start: unit,
        length: 1,
        offset: 0,
        ...(unit === 9
          ? { role: 'directory' as const, name: '/boot/grub', node: grub.node }
          : unit === 10
            ? { role: 'file' as const, name: '/boot/grub/file-4', node: 1004 }
            : { role: 'free' as const, name: 'free' }),
      })),
    };
    Object.assign(tree.host, layout);
    return { layout, tree };
  }
  const nodeOf = ({ place }: Opened) => place?.chosen?.node;
  const viewOf = ({ state }: Opened) => state.view;

  it('has a record with the entry that is chosen', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.chooseBytes(0, 512);
    inspection.choose(chosen);
    expect(inspection.place).toMatchObject({ chosen, record: chosen.offset, unit: null });
    expect(inspection.bytes).toBeNull();
    inspection.chooseRecord(directory, null);
    expect(inspection.place).toMatchObject({ chosen: null, record: directory.offset });
    expect(inspection.bytes).toEqual(directory);
  });

  it('keeps unit and bytes when it learns where the chosen entry lies', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.choose({ ...chosen, offset: null });
    inspection.chooseUnit(10);
    inspection.choose(chosen);
    expect(inspection.place).toMatchObject({ unit: 10, record: chosen.offset });
    expect(inspection.bytes).toEqual({ offset: unitOffset(10), length: 512 });
  });

  it('has the bytes of a unit, and the unit of bytes', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.choose(chosen);
    inspection.chooseUnit(10);
    expect(inspection.bytes).toEqual({ offset: unitOffset(10), length: 512 });
    inspection.chooseBytes(unitOffset(12) + 5, 3);
    expect(inspection.place).toMatchObject({ chosen, record: null, unit: 12 });
    inspection.chooseBytes(0, 3);
    expect(inspection.place?.unit).toBeNull();
    inspection.chooseUnit(1);
    expect(inspection.bytes).toEqual({ offset: 0, length: 3 });
  });

  it('tells the extension host where moving through bytes has stopped', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    tree.host.selectionChanged.mockClear();
    for (let offset = 0; offset < 50; offset++) inspection.chooseBytes(offset, 1);
    expect(tree.host.selectionChanged).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(tree.host.selectionChanged).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ bytes: { offset: 49, length: 1 } }),
    );
  });

  it('goes to nodes, units, records and bytes, and all the way back', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    await inspection.showNode(1004);
    expect([viewOf(inspection), at(inspection), nodeOf(inspection)]).toEqual([
      'files',
      '/boot/grub',
      1004,
    ]);
    await inspection.showUnit(10);
    expect([viewOf(inspection), inspection.place?.unit]).toEqual(['space', 10]);
    await inspection.showRecords(grub.node, 0x5000);
    expect([viewOf(inspection), inspection.place?.record]).toEqual(['records', 0x5000]);
    inspection.showBytes(2 ** 40, 16);
    expect(viewOf(inspection)).toBe('structures');
    const views: string[] = [];
    while (inspection.back()) views.push(viewOf(inspection));
    expect(views).toEqual(['records', 'space', 'files', 'files']);
    expect([at(inspection), inspection.bytes]).toEqual(['/', null]);
    while (inspection.forward());
    expect([viewOf(inspection), inspection.bytes?.offset]).toEqual(['structures', 2 ** 40]);
  });

  it('looks for no way where one is there already', async () => {
    const { layout, tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.enter(boot);
    inspection.enter(grub);
    await inspection.showRecords(boot.node);
    expect(at(inspection)).toBe('/boot');
    expect(layout.pathsOf).not.toHaveBeenCalled();
  });

  it('shows a directory that nothing leads to, and of other nodes what they are on disk', async () => {
    const { tree } = layoutTree();
    const lost = tree.add(grub.node, row(30, { name: 'lost', type: 'directory' }));
    const inspection = await opened(tree);
    await inspection.showNode(lost.node, 'records');
    expect([viewOf(inspection), at(inspection)]).toEqual(['records', `/#${lost.number}`]);
    const orphan = tree.add(grub.node, row(31));
    await inspection.showNode(orphan.node);
    expect([viewOf(inspection), inspection.bytes?.offset]).toEqual(['structures', orphan.offset]);
    expect(inspection.notice).toMatch(/No path/);
  });

  it('shows what is chosen in a view in the other ones', async () => {
    const { layout, tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.choose(chosen);
    await showIn(inspection, 'space', null);
    expect([viewOf(inspection), nodeOf(inspection), inspection.place?.unit]).toEqual([
      'space',
      1004,
      null,
    ]);
    inspection.chooseUnit(9);
    await showIn(inspection, 'structures', null);
    expect(inspection.bytes).toEqual({ offset: unitOffset(9), length: 512 });
    await showIn(inspection, 'records', null);
    expect(layout.findOwners).toHaveBeenCalledOnce();
    expect([viewOf(inspection), at(inspection), inspection.place?.record]).toEqual([
      'records',
      '/boot/grub',
      unitOffset(9),
    ]);
    inspection.showBytes(unitOffset(10) + 7, 1);
    await showIn(inspection, 'files', null);
    expect([viewOf(inspection), nodeOf(inspection)]).toEqual(['files', 1004]);
  });

  it('shows the entry whose inode, record or slot lies at the chosen bytes', async () => {
    const { layout, tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.showBytes(unitOffset(11), 32);
    await showIn(inspection, 'files', null);
    expect([viewOf(inspection), nodeOf(inspection)]).toEqual(['files', 1004]);
    expect(layout.owner).not.toHaveBeenCalled();
  });

  it('says where no entry lies', async () => {
    const { tree } = layoutTree();
    const inspection = await opened(tree);
    inspection.showBytes(unitOffset(20), 1);
    await showIn(inspection, 'files', null);
    expect(inspection.notice).toBe('No entry owns it: free.');
    inspection.showBytes(16, 1);
    await showIn(inspection, 'space', null);
    expect(inspection.notice).toBe('No file and no directory lies there.');
    expect(viewOf(inspection)).toBe('structures');
  });

  it('shows progress while it looks for the way, which can be given up', async () => {
    const { layout, tree } = layoutTree();
    const inspection = await opened(tree);
    let giveUp: (error: Error) => void = () => undefined;
    layout.pathsOf.mockReturnValueOnce(new Promise((_, reject) => (giveUp = reject)));
    const showing = inspection.showNode(1004);
    expect(inspection.inquiry).toBeNull();
    await vi.advanceTimersByTimeAsync(300);
    inspection.tasks.progress(1, 1, 4);
    expect(inspection.inquiry).toMatchObject({ share: 0.25 });
    inspection.inquiry?.cancel();
    giveUp(new RemoteError('cancelled', 'It was cancelled.'));
    await showing;
    expect([inspection.inquiry, inspection.notice, at(inspection)]).toEqual([null, null, '/']);
  });
});
