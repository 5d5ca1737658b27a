import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LastCheck, Problem } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import {
  chooseEntryOf,
  chooseFinding,
  chosenFinding,
  chosenIndex,
} from '../../../webview/checks/chosen-finding';
import type { Inspection } from '../../../webview/inspection/inspection';
import { revealFinding, showIn } from '../../../webview/inspection/reveal';
import { FakeTree, fatVolume, rootNode, row, settle } from '../fake-host';
import { finding, reportOf } from './findings';

const problem: Problem = {
  code: 'inode-size',
  severity: 'error',
  title: 'Wrong size',
  explanation: 'It is to be right.',
  fixable: true,
};
const about = finding({ path: '/file-1', node: 1001, cluster: 9, offset: 0x8000, length: 32 });
const other = finding({ offset: 0x8400, length: 0 });

let tree: FakeTree;
let inspection: Inspection;
/** What the extension host knows of the first volume. */
let last: LastCheck | null;

beforeEach(async () => {
  tree = new FakeTree();
  tree.add(rootNode, row(1));
  last = null;
  tree.host.lastCheck.mockImplementation(async (volume, known) =>
    volume !== 0 || !last ? null : { ...last, report: last.id === known ? null : last.report },
  );
  tree.host.problemTable.mockResolvedValue([problem]);
  tree.host.runCheck.mockImplementation(async () => {
    last = { id: (last?.id ?? 0) + 1, isOutdated: false, report: reportOf([about, other]) };
  });
  inspection = tree.open();
  await inspection.load();
  await settle();
});

const check = async () => {
  await inspection.checks.run();
  await settle();
};

describe('the check of the volume that is shown', () => {
  it('is not known at first, and known once it was made', async () => {
    expect(inspection.checks.shown).toBeNull();
    await check();
    expect(inspection.checks.shown).toMatchObject({ id: 1, isOutdated: false });
    expect(inspection.checks.shown?.report.counts.error).toBe(2);
    expect(inspection.checks.problems.get('inode-size')).toBe(problem);
    expect(inspection.checks.running).toBeNull();
  });

  it('is known already where another editor has made it', async () => {
    last = { id: 5, isOutdated: true, report: reportOf([about]) };
    await inspection.checks.ended(1);
    expect(inspection.checks.shown).toBeNull();
    await inspection.checks.ended(0);
    expect(inspection.checks.shown).toMatchObject({ id: 5, isOutdated: true });
  });

  it('stays, out of date, when the image changes, and is not sent again', async () => {
    await check();
    const { report } = inspection.checks.shown ?? {};
    last = last && { ...last, isOutdated: true };
    await inspection.load();
    await settle();
    expect(inspection.checks.shown).toEqual({ id: 1, isOutdated: true, report });
    expect(tree.host.lastCheck).toHaveBeenLastCalledWith(0, 1);
  });

  it('goes with its volume', async () => {
    await check();
    await inspection.openVolume(1);
    expect(inspection.checks.shown).toBeNull();
    await inspection.checks.run();
    expect(tree.host.runCheck).toHaveBeenCalledOnce();
    await inspection.openVolume(0);
    await settle();
    expect(inspection.checks.shown?.id).toBe(1);
  });

  it('goes with the kind of its filesystem', async () => {
    await check();
    last = null;
    tree.volumes = [{ ...fatVolume, type: 'ext4' }];
    await inspection.load();
    await settle();
    expect(inspection.checks.shown).toBeNull();
    expect(inspection.checks.problems.size).toBe(0);
  });

  it('tells how far it is, and can be given up', async () => {
    tree.host.runCheck.mockImplementation(() => new Promise(() => undefined));
    void inspection.checks.run();
    const [[, task]] = tree.host.runCheck.mock.calls;
    inspection.tasks.progress(task, 3, 4);
    expect(inspection.checks.running).toEqual({ done: 3, total: 4 });
    void inspection.checks.run();
    expect(tree.host.runCheck).toHaveBeenCalledOnce();
    inspection.checks.cancel();
    expect(inspection.checks.running).toBeNull();
    expect(tree.host.cancel).toHaveBeenCalledWith(task);
  });

  it('says why it failed, but not that it was given up', async () => {
    tree.host.runCheck.mockRejectedValueOnce(new RemoteError('unsupported', 'It cannot be.'));
    await check();
    expect(inspection.checks.failure).toBe('It cannot be.');
    tree.host.runCheck.mockRejectedValueOnce(new RemoteError('cancelled', 'It was cancelled.'));
    await check();
    expect(inspection.checks.failure).toBeNull();
  });
});

describe('the chosen finding', () => {
  beforeEach(check);

  it('is shown by its bytes and its cluster in all views', () => {
    chooseFinding(inspection, 0);
    expect(inspection.bytes).toEqual({ offset: 0x8000, length: 32 });
    expect(inspection.place?.unit).toBe(9);
    chooseFinding(inspection, 1);
    expect(inspection.bytes).toEqual({ offset: 0x8400, length: 1 });
    expect(inspection.place?.unit).toBe(4);
    chooseFinding(inspection, 2);
    expect(chosenIndex(inspection)).toBe(1);
  });

  it('chooses its entry beside them', async () => {
    chooseFinding(inspection, 0);
    await chooseEntryOf(inspection, about);
    expect(inspection.place?.chosen).toMatchObject({ name: 'file-1', node: 1001 });
    expect(inspection.place?.unit).toBe(9);
    expect(inspection.bytes).toEqual({ offset: 0x8000, length: 32 });
    expect(tree.host.selectionChanged.mock.lastCall?.[0].entry?.path).toBe('/file-1');
  });

  it('chooses no entry that is another one by now, or where another finding is chosen', async () => {
    chooseFinding(inspection, 1);
    await chooseEntryOf(inspection, about);
    expect(inspection.place?.chosen).toBeNull();
    tree.remove(rootNode, 'file-1');
    chooseFinding(inspection, 0);
    await chooseEntryOf(inspection, about);
    expect(inspection.place?.chosen).toBeNull();
    tree.add(rootNode, row(1, { node: 77 }));
    await chooseEntryOf(inspection, about);
    expect(inspection.place?.chosen).toBeNull();
  });

  it('is known again in a later check, wherever it stands there', async () => {
    chooseFinding(inspection, 0);
    last = { id: 9, isOutdated: false, report: reportOf([other, { ...about, message: 'Again.' }]) };
    await inspection.checks.ended(0);
    expect(chosenFinding(inspection)?.message).toBe('Again.');
    last = { id: 10, isOutdated: false, report: reportOf([other]) };
    await inspection.checks.ended(0);
    expect(chosenFinding(inspection)).toBeNull();
    expect(chosenIndex(inspection)).toBe(-1);
  });

  it('survives the webview', async () => {
    chooseFinding(inspection, 0);
    const next = tree.open(structuredClone(inspection.state));
    await next.load();
    await settle();
    expect(chosenFinding(next)).toEqual(about);
  });

  it('leads to its file, its cluster and its bytes', async () => {
    inspection.showView('checks');
    chooseFinding(inspection, 0);
    await chooseEntryOf(inspection, about);
    await showIn(inspection, 'space', null);
    expect(inspection.state).toMatchObject({ view: 'space', place: { unit: 9 } });
    inspection.back();
    await showIn(inspection, 'files', null);
    expect(inspection.state).toMatchObject({ view: 'files', place: { chosen: { node: 1001 } } });
    inspection.back();
    await showIn(inspection, 'structures', null);
    expect(inspection.state).toMatchObject({ view: 'structures', bytes: { offset: 0x8000 } });
  });
});

it('shows a finding of another volume once the image is open', async () => {
  last = { id: 1, isOutdated: false, report: reportOf([other, about]) };
  tree.host.lastCheck.mockImplementation(async () => last);
  const next = tree.open({ ...inspection.state, place: null });
  tree.volumes = [
    { ...fatVolume, index: 3 },
    { ...fatVolume, index: 4 },
  ];
  const shown = vi.fn();
  void revealFinding(next, 4, 1).then(shown);
  await settle();
  expect(shown).not.toHaveBeenCalled();
  await next.load();
  await settle();
  expect(shown).toHaveBeenCalled();
  expect(next.state.view).toBe('checks');
  expect(next.place?.volume).toBe(4);
  expect(chosenIndex(next)).toBe(1);
});
