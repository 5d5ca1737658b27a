import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EntryDrag, entryType, type DropTarget } from '../../../webview/files/entry-drag';
import type { Inspection } from '../../../webview/inspection/inspection';
import { fatVolume, FakeTree, row, rootNode } from '../fake-host';

const sub: DropTarget = { node: 1008, name: 'sub', as: 'row' };
const here: DropTarget = { node: rootNode, name: '/', as: 'table' };
const file = row(7);
const directory = row(8, { name: 'sub', type: 'directory' });

let tree: FakeTree;
let inspection: Inspection;
let drag: EntryDrag;

/** What the browser tells of a drag. */
function event(types: readonly string[], texts: Record<string, string> = {}) {
  const dataTransfer = {
    types,
    items: [],
    dropEffect: 'none',
    effectAllowed: 'all',
    setData: vi.fn(),
    getData: (type: string) => texts[type] ?? '',
  };
  return { dataTransfer, preventDefault: vi.fn(), stopPropagation: vi.fn() };
}

beforeEach(async () => {
  tree = new FakeTree();
  tree.add(rootNode, file);
  tree.add(rootNode, directory);
  inspection = tree.open();
  await inspection.load();
  drag = new EntryDrag(inspection, () => undefined);
});

describe('an entry', () => {
  it('is moved to the directory that it is dropped on', async () => {
    drag.start(event([]), file);
    const over = event([entryType]);
    drag.over(over, sub);
    expect(over.preventDefault).toHaveBeenCalled();
    expect(over.dataTransfer.dropEffect).toBe('move');
    expect(drag.hint).toBe('Move file-7 to sub');
    await drag.drop(event([entryType]), sub);
    expect(tree.host.edit).toHaveBeenCalledExactlyOnceWith({
      kind: 'move',
      volume: 0,
      entry: { directory: rootNode, node: 1007, name: 'file-7' },
      directory: 1008,
      name: 'file-7',
      replace: false,
    });
    expect(drag.hint).toBeNull();
  });

  it('is not moved to where it is, nor into itself', () => {
    drag.start(event([]), directory);
    for (const target of [here, sub, null]) {
      const over = event([entryType]);
      drag.over(over, target);
      expect(over.preventDefault).not.toHaveBeenCalled();
      expect(drag.target).toBeNull();
    }
  });

  it('of another inspector is nothing that is known', () => {
    const over = event([entryType, 'Files']);
    drag.over(over, sub);
    expect(over.preventDefault).not.toHaveBeenCalled();
  });

  it('that is deleted cannot be dragged', () => {
    const start = event([]);
    drag.start(start, row(9, { deleted: true }));
    expect(start.preventDefault).toHaveBeenCalled();
    expect(start.dataTransfer.setData).not.toHaveBeenCalled();
  });
});

describe('what comes from outside', () => {
  it('is imported into the directory that it is dropped on', async () => {
    const over = event(['resourceurls']);
    drag.over(over, here);
    expect(over.dataTransfer.dropEffect).toBe('copy');
    expect(drag.hint).toBe('Import into /');
    await drag.drop(event(['resourceurls'], { resourceurls: '["file:///a"]' }), here);
    expect(tree.host.importDropped).toHaveBeenCalledExactlyOnceWith(0, rootNode, ['file:///a']);
  });

  it('is told to be nothing that could be, where it is not', async () => {
    await drag.drop(event(['text/uri-list'], { 'text/uri-list': 'https://example.org' }), here);
    expect(inspection.notice).toBe('Only files and folders can be imported.');
  });

  it('is left to VS Code where it is no file, or leaves the directories', () => {
    const over = event(['text/plain']);
    drag.over(over, here);
    expect(over.preventDefault).not.toHaveBeenCalled();
    drag.over(event(['Files']), sub);
    expect(drag.target).toBe(sub);
    drag.leave();
    expect(drag.target).toBeNull();
  });
});

it('takes nothing on a volume that cannot be changed', async () => {
  tree.volumes = [{ ...fatVolume, whyReadOnly: 'The file is write-protected.' }];
  await inspection.load();
  const start = event([]);
  drag.start(start, file);
  expect(start.preventDefault).toHaveBeenCalled();
  const over = event(['Files']);
  drag.over(over, here);
  expect(over.preventDefault).not.toHaveBeenCalled();
});
