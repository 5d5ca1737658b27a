import { expect, it } from 'vitest';
import { URI } from 'vscode-uri';
import { fileUris } from '../../../../src/extension/commands/input/dropped';

const dropped = (isRemote: boolean, ...uris: string[]) => {
  const { files, others } = fileUris(
    uris.map((uri) => URI.parse(uri, true)),
    isRemote,
  );
  return [files.map(({ path }) => path), others];
};

it('takes files of this machine', () => {
  expect(dropped(false, 'file:///a/b%20c', 'file:///d')).toEqual([['/a/b c', '/d'], 0]);
});

it('takes what a window on another machine calls them', () => {
  expect(dropped(true, 'vscode-remote://host/a')).toEqual([['/a'], 0]);
  expect(dropped(false, 'vscode-remote://host/a')).toEqual([[], 1]);
});

it.each(['https://example.org/a', 'fsimg:/a?image=b', 'data:text/plain,a', 'file:///', 'mailto:a'])(
  'takes no %s',
  (uri) => {
    expect(dropped(true, uri, 'file:///a')).toEqual([['/a'], 1]);
  },
);
