import { describe, expect, it } from 'vitest';
import { RemoteError } from '../../../src/protocol/rpc';
import { canDrop, importDrop, readDrop } from '../../../webview/files/drop';
import { FakeTree, row, rootNode } from '../fake-host';

interface FakeItem {
  readonly name: string;
  readonly size?: number;
  readonly isDirectory?: boolean;
}

/** What the browser hands over in a drop. */
function dropOf(texts: Record<string, string>, items: readonly FakeItem[] = []) {
  const transferred = items.map(({ name, size = 3, isDirectory = false }) => {
    const file = new File([Uint8Array.of(1, 2, 3)], name);
    Object.defineProperty(file, 'size', { value: size });
    return {
      kind: 'file',
      getAsFile: () => file,
      webkitGetAsEntry: () => ({ isDirectory }),
    };
  });
  const getData = (type: string) => texts[type] ?? '';
  return readDrop({ getData, items: transferred });
}

describe('what is dragged', () => {
  it('may be taken if it is files, by whatever name they come', () => {
    const accepted = ['Files', 'text/uri-list', 'resourceurls', 'application/vnd.code.uri-list'];
    for (const type of accepted) expect(canDrop({ types: ['text/plain', type] })).toBe(true);
    expect(canDrop({ types: ['text/plain', 'text/html'] })).toBe(false);
  });
});

describe('what is dropped', () => {
  it('is the list of VS Code, if there is one', () => {
    const lists = {
      'application/vnd.code.uri-list': 'file:///a/b%20c\r\nvscode-remote://host/d',
      resourceurls: '["file:///other"]',
    };
    const uris = ['file:///a/b%20c', 'vscode-remote://host/d'];
    expect(dropOf(lists, [{ name: 'x' }])).toEqual({ kind: 'uris', uris });
    expect(dropOf({ resourceurls: '["file:///a", 7]' })).toEqual({
      kind: 'uris',
      uris: ['file:///a'],
    });
  });

  it('is no address of the web, no comment, and nothing that is no address', () => {
    const list = '# from elsewhere\nhttps://example.org/x\njavascript\nfile:///a\n';
    expect(dropOf({ 'text/uri-list': list })).toEqual({ kind: 'uris', uris: ['file:///a'] });
    expect(dropOf({ 'text/uri-list': 'https://example.org/x' })).toBeNull();
    expect(dropOf({ resourceurls: '{"no": "list"}' })).toBeNull();
    expect(dropOf({ resourceurls: '[not JSON' })).toBeNull();
  });

  it('are the files of the browser, but no folders and none that are too large', () => {
    const dropped = dropOf({}, [
      { name: 'small' },
      { name: 'folder', isDirectory: true },
      { name: 'largest', size: 64 * 2 ** 20 },
      { name: 'large', size: 64 * 2 ** 20 + 1 },
    ]);
    expect(dropped?.kind === 'files' && dropped.files.map(({ name }) => name)).toEqual([
      'small',
      'largest',
    ]);
    expect(dropped?.kind === 'files' && dropped.refusals).toEqual([
      'folder is a folder: import it with “Import…” instead.',
      'large is larger than 64 MiB: import it with “Import…” instead.',
    ]);
  });
});

describe('importing it', () => {
  it('asks the extension host with the addresses', async () => {
    const tree = new FakeTree();
    const inspection = tree.open();
    await importDrop(inspection, 0, rootNode, { kind: 'uris', uris: ['file:///a'] });
    expect(tree.host.importDropped).toHaveBeenCalledExactlyOnceWith(0, rootNode, ['file:///a']);
  });

  it('hands the content of files over, and goes no further once one is refused', async () => {
    const tree = new FakeTree();
    const inspection = tree.open();
    const files = ['a', 'b', 'c'].map((name) => new File([name], name));
    tree.host.importBytes.mockResolvedValueOnce(undefined);
    tree.host.importBytes.mockRejectedValueOnce(new RemoteError('full', 'There is no room.'));
    await importDrop(inspection, 0, rootNode, { kind: 'files', files, refusals: [] });
    expect(tree.host.importBytes.mock.calls).toEqual([
      [0, rootNode, 'a', Uint8Array.of(0x61)],
      [0, rootNode, 'b', Uint8Array.of(0x62)],
    ]);
    expect(inspection.notice).toBe('There is no room.');
  });

  it('chooses what has come into the directory that is shown', async () => {
    const tree = new FakeTree();
    const inspection = tree.open();
    await inspection.load();
    tree.host.importDropped.mockImplementation(async () => {
      tree.add(rootNode, row(7, { name: 'b c' }));
    });
    const uris = ['file:///x/a', 'file:///x/b%20c/'];
    await importDrop(inspection, 0, rootNode, { kind: 'uris', uris });
    expect(inspection.place?.chosen).toMatchObject({ name: 'b c', node: 1007 });
    const files = [new File(['x'], 'other')];
    tree.add(rootNode, row(8, { name: 'other' }));
    await importDrop(inspection, 0, 999, { kind: 'files', files, refusals: [] });
    expect(inspection.place?.chosen).toMatchObject({ name: 'b c' });
  });

  it('tells what was left out', async () => {
    const inspection = new FakeTree().open();
    await importDrop(inspection, 0, rootNode, { kind: 'files', files: [], refusals: ['No x.'] });
    expect(inspection.notice).toBe('No x.');
  });
});
