import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AllocationReport, EditReport, Operation } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import type { Inspection } from '../../../webview/inspection/inspection';
import type { PlannerState } from '../../../webview/inspection/state';
import { Planner } from '../../../webview/space/planner';
import { fatVolume, FakeTree, row, rootNode } from '../fake-host';

const report = (change: Partial<EditReport>): EditReport => ({
  label: 'Preallocate file-7',
  changed: [],
  changedRanges: 0,
  changedBytes: 0,
  notes: [],
  ...change,
});

const allocation = (extents: [number, number][]): AllocationReport => ({
  extents: extents.map(([physical, length]) => ({ logical: 0, physical, length })),
  extentCount: extents.length,
  fragments: extents.length + 1,
  allocatedUnits: extents.reduce((sum, [, length]) => sum + length, 0),
  metadataWrites: 4,
  bytesZeroed: 0,
  notes: [],
});

/** Contiguous finds one extent, the others find two. */
function answer(operation: Operation): EditReport {
  if (operation.kind !== 'preallocate') return report({});
  const extents: [number, number][] =
    operation.policy === 'contiguous'
      ? [[500, 32]]
      : [
          [10, 16],
          [40, 16],
        ];
  return report({ allocation: allocation(extents) });
}

let tree: FakeTree;
let inspection: Inspection;
let planner: Planner;

const asked = () => tree.host.plan.mock.calls.map(([operation]) => operation);

/** As a view does, and lets the pause after typing pass. */
async function look() {
  planner.follow();
  await vi.advanceTimersByTimeAsync(1000);
}

async function open(change: Partial<PlannerState>) {
  planner.change(change);
  await look();
}

beforeEach(async () => {
  vi.useFakeTimers();
  tree = new FakeTree();
  tree.add(rootNode, row(7));
  tree.add(rootNode, row(8, { type: 'directory' }));
  tree.host.plan.mockImplementation(async (operation) => answer(operation));
  inspection = tree.open({ view: 'space' });
  await inspection.load();
  inspection.choose({ node: 1007, name: 'file-7', type: 'file', offset: null });
  planner = new Planner(inspection, () => undefined);
});

afterEach(() => vi.useRealTimers());

describe('a preallocation', () => {
  it('is planned with the chosen policy first, then with the others', async () => {
    await open({ open: 'preallocate', length: '16K', policy: 'next-fit' });
    expect(asked()).toEqual(
      ['next-fit', 'contiguous', 'first-fit'].map((policy) => ({
        kind: 'preallocate',
        volume: 0,
        node: 1007,
        request: { offset: 0, length: 16_384, keepSize: false, zero: false },
        policy,
      })),
    );
    expect(planner.planned).toEqual([
      { first: 10, units: 16 },
      { first: 40, units: 16 },
    ]);
    expect(planner.outcomeOf('contiguous')?.report?.allocation?.fragments).toBe(2);
    await open({ policy: 'contiguous' });
    expect(planner.planned).toEqual([{ first: 500, units: 32 }]);
    expect(asked()).toHaveLength(3);
  });

  it('of very many extents is known in part, and compared all the same', async () => {
    await open({ open: 'preallocate' });
    expect(planner.known).toBeNull();
    const few = allocation([
      [10, 1],
      [12, 1],
    ]);
    const many = { ...few, extentCount: 10_001 };
    tree.host.plan.mockResolvedValue(report({ allocation: many }));
    await open({ length: '1G' });
    expect(planner.known).toBe(2);
    expect(planner.outcomeOf('next-fit')?.report?.allocation).toBe(many);
  });

  it('is asked for when typing pauses', async () => {
    for (const length of ['1', '16', '16 M']) {
      planner.change({ open: 'preallocate', length });
      planner.follow();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(asked()).toEqual([]);
    await look();
    expect(asked()[0]).toMatchObject({ request: { length: 16 * 2 ** 20 } });
    expect(asked()).toHaveLength(3);
  });

  it('is not asked for without a size or a file, and says what is wrong', async () => {
    await open({ open: 'preallocate', length: 'much' });
    expect(planner.wrongWith('length')).toMatch(/A size such as/);
    await open({ length: '0' });
    expect(planner.wrongWith('length')).toMatch(/at least one byte/);
    await open({ length: '1M', offset: '-1' });
    expect(planner.wrongWith('offset')).toMatch(/A size such as/);
    inspection.choose({ node: 1008, name: 'file-8', type: 'directory', offset: null });
    await open({ offset: '0' });
    expect(planner.file).toBeNull();
    expect(asked()).toEqual([]);
    expect(planner.waiting).toBe(false);
  });

  it('keeps the size, and zeroes beyond it, only where the volume can', async () => {
    await open({ open: 'preallocate', zero: true });
    expect(asked()[0]).toMatchObject({ request: { keepSize: false, zero: false } });
    await open({ keepSize: true });
    expect(asked()[3]).toMatchObject({ request: { keepSize: true, zero: true } });
    const { unit } = fatVolume;
    const blocks = { ...fatVolume, unit: unit && { ...unit, name: 'block' as const } };
    tree.volumes = [{ ...blocks, type: 'ext2' }];
    await inspection.load();
    await look();
    expect(asked().at(-1)).toMatchObject({ request: { keepSize: false, zero: false } });
    // In extents what is kept is marked as unwritten, which reads as zeros.
    tree.volumes = [{ ...blocks, type: 'ext4' }];
    await inspection.load();
    await look();
    expect(asked().at(-1)).toMatchObject({ request: { keepSize: true, zero: false } });
  });

  it('stays on the map until the next plan has come, but not for another file', async () => {
    await open({ open: 'preallocate' });
    planner.change({ length: '1M' });
    planner.follow();
    expect(planner.waiting).toBe(true);
    expect(planner.planned).toEqual([{ first: 500, units: 32 }]);
    tree.add(rootNode, row(9));
    inspection.choose({ node: 1009, name: 'file-9', type: 'file', offset: null });
    planner.follow();
    expect(planner.planned).toEqual([]);
  });

  it('says why it cannot be, and what the other policies would come to', async () => {
    tree.host.plan.mockRejectedValueOnce(new RemoteError('full', 'There is no room for it.'));
    await open({ open: 'preallocate' });
    expect(planner.outcome?.failure).toBe('There is no room for it.');
    expect(planner.planned).toEqual([]);
    expect(planner.outcomeOf('first-fit')?.failure).toBeNull();
  });

  it('can be given up while the engine plans, and asked for again', async () => {
    tree.host.plan.mockReturnValueOnce(new Promise(() => undefined));
    await open({ open: 'preallocate' });
    expect(planner.waiting).toBe(true);
    planner.stop();
    expect(tree.host.cancel).toHaveBeenCalledOnce();
    expect(planner.waiting).toBe(false);
    planner.resume();
    await look();
    expect(planner.outcome?.report).not.toBeNull();
  });

  it('gives up what was asked when something else is typed', async () => {
    tree.host.plan.mockReturnValueOnce(new Promise(() => undefined));
    await open({ open: 'preallocate' });
    await open({ length: '2M' });
    expect(tree.host.cancel).toHaveBeenCalledOnce();
    expect(planner.outcome?.report).not.toBeNull();
  });

  it('is applied as it is planned, and closes the planner', async () => {
    await open({ open: 'preallocate', policy: 'first-fit' });
    await planner.apply();
    expect(tree.host.edit).toHaveBeenCalledExactlyOnceWith(asked()[0]);
    expect(planner.kind).toBeNull();
    await look();
    expect(planner.planned).toEqual([]);
  });

  it('stays open when it is refused', async () => {
    await open({ open: 'preallocate' });
    tree.host.edit.mockRejectedValueOnce(new RemoteError('full', 'There is no room any more.'));
    await planner.apply();
    expect(inspection.notice).toBe('There is no room any more.');
    expect(planner.kind).toBe('preallocate');
    expect(planner.applying).toBe(false);
  });

  it('is planned anew for an image that has changed', async () => {
    await open({ open: 'preallocate' });
    await inspection.load();
    await look();
    expect(asked()).toHaveLength(6);
  });
});

describe('a trim', () => {
  const { offset = 0 } = fatVolume.unit ?? {};
  const changed = [
    // Before the first cluster there is nothing that the map shows.
    { offset: 512, length: 512 },
    { offset: offset + 512 * 8, length: 512 * 3 + 100 },
    { offset: offset + 512 * 11 + 100, length: 412 },
    { offset: offset + 512 * 20 + 100, length: 1000 },
  ];
  const trim = { extents: 2, bytes: 2560, skippedHoles: 7, reclaimed: 2048 };

  it('is planned once, and shows the clusters that it punches', async () => {
    tree.host.plan.mockResolvedValue(report({ trim, changed, changedRanges: 4 }));
    await open({ open: 'trim', minimum: '2 KiB' });
    expect(asked()).toEqual([{ kind: 'trim', volume: 0, minimum: 2048 }]);
    expect(planner.planned).toEqual([
      { first: 10, units: 4 },
      { first: 22, units: 3 },
    ]);
  });

  it('knows the first ranges alone where it has very many', async () => {
    tree.host.plan.mockResolvedValue(report({ trim, changed, changedRanges: 4 }));
    await open({ open: 'trim' });
    expect(planner.known).toBeNull();
    tree.host.plan.mockResolvedValue(report({ trim, changed, changedRanges: 5 }));
    await open({ minimum: '1' });
    expect(planner.known).toBe(4);
  });

  it('is not applied where there is nothing to punch', async () => {
    tree.host.plan.mockResolvedValue(report({ trim: { ...trim, extents: 0 } }));
    await open({ open: 'trim' });
    expect(planner.isReady).toBe(false);
    await planner.apply();
    expect(tree.host.edit).not.toHaveBeenCalled();
  });

  it('says once it is applied what comes of it', async () => {
    tree.host.plan.mockResolvedValue(report({ trim }));
    tree.host.edit.mockResolvedValueOnce({ ...report({ trim }), id: 1 });
    await open({ open: 'trim' });
    await planner.apply();
    expect(inspection.notice).toMatch(/^2 free extents, 2.5 KiB, will be holes/);
  });
});

describe('a volume that cannot be changed', () => {
  const volumes = [{ ...fatVolume, whyReadOnly: 'It has a feature that is not written.' }];
  beforeEach(async () => {
    tree.volumes = volumes;
    await inspection.load();
  });

  it('gets no file preallocated', async () => {
    await open({ open: 'preallocate' });
    await planner.apply();
    expect(asked()).toEqual([]);
    expect(tree.host.edit).not.toHaveBeenCalled();
  });

  it('is trimmed: that takes only what is free', async () => {
    await open({ open: 'trim' });
    await planner.apply();
    expect(tree.host.edit).toHaveBeenCalledOnce();
  });

  it('is not even trimmed in a file that cannot be written', async () => {
    const whyReadOnly = 'The file is write-protected.';
    tree.host.summary.mockResolvedValue({ ...tree.summary(), whyReadOnly });
    await inspection.load();
    await open({ open: 'trim' });
    await planner.apply();
    expect(asked()).toEqual([]);
    expect(tree.host.edit).not.toHaveBeenCalled();
  });
});
