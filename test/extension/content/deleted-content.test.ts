import { expect, it, vi } from 'vitest';
import { remainsOf } from '../../../src/extension/content/deleted-content';
import type { Extent, Finding, NodeDetails, SpaceMapQuery } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import { fatVolume } from '../../webview/fake-host';

const extVolume = {
  ...fatVolume,
  unit: { name: 'block', size: 1024, first: 1, count: 8191, offset: 1024 },
} as const;
const roles = ['free', 'file'] as const;

const file: NodeDetails = {
  ...{ node: 12, number: 12, type: 'file', size: 3000, modified: null, attributes: [] },
  ...{ offset: 0, fragments: 1, allocated: 0, extents: [], extentCount: 0, structures: [] },
  problems: [],
};
const extents: Extent[] = [
  { logical: 0, physical: 100, length: 3 },
  { logical: 3, physical: 5000, length: 2000 },
];
const deletedContent: Finding = {
  ...{ code: 'deleted-content', severity: 'note', message: '', offset: 0, length: 32 },
  fixable: false,
};

/** An engine with one node, on a volume of which some units are in use. */
function engineWith(details: Partial<NodeDetails>, options: Options = {}) {
  const { volume = extVolume, used = [], row = 0 } = options;
  const answers: Record<string, (...args: never[]) => unknown> = {
    summary: () => ({ volumes: [volume] }),
    details: () => ({ ...file, ...details }),
    spaceMap: ({ first, cells }: SpaceMapQuery) => ({
      roles,
      cells,
      shares: Uint8Array.from({ length: 2 * cells }, (_, i) => {
        const isUsed = used.includes(first + Math.floor(i / 2));
        return isUsed === (i % 2 === 1) ? 255 : 0;
      }),
    }),
    resolve: (_volume: number, path: string) => {
      if (path !== '/' && path !== '/docs') throw new RemoteError('not-found', 'There is none.');
      return [{ name: '', node: 2, type: 'directory' }];
    },
    locateNode: () => row,
  };
  const request = vi.fn(async (name: string, args: never[]) => answers[name](...args));
  return { request } as unknown as Parameters<typeof remainsOf>[0];
}
interface Options {
  readonly volume?: typeof extVolume | typeof fatVolume;
  readonly used?: readonly number[];
  readonly row?: number;
}

it('says nothing of a file that is there', async () => {
  expect(await remainsOf(engineWith({ links: 1 }), 0, 12, '/docs/a')).toBeNull();
  expect(await remainsOf(engineWith({}, { volume: fatVolume }), 0, 12, '/A.TXT')).toBeNull();
});

it('counts the blocks of a deleted file that are in use again', async () => {
  const used = [101, 5000, 6999, 7000];
  const engine = engineWith({ links: 0, extents }, { used });
  expect(await remainsOf(engine, 0, 12, '/docs/a')).toEqual({
    isReplaced: false,
    unitName: 'block',
    units: 2003,
    inUse: 3,
  });
});

it('counts none where all of them are free', async () => {
  const remains = await remainsOf(engineWith({ links: 0, extents }), 0, 12, '/docs/a');
  expect(remains).toMatchObject({ units: 2003, inUse: 0 });
});

it('knows an inode that has been given to another file', async () => {
  const engine = engineWith({ links: 1 }, { row: -1 });
  expect(await remainsOf(engine, 0, 12, '/docs/a')).toMatchObject({ isReplaced: true });
  expect(await remainsOf(engine, 0, 12, '/a')).toMatchObject({ isReplaced: true });
  expect(await remainsOf(engine, 0, 12, '/gone/a')).toBeNull();
});

it('counts the clusters that a deleted file of FAT has lost', async () => {
  const lost = { size: 3000, problems: [deletedContent], extents: [{ ...extents[0], length: 2 }] };
  const remains = await remainsOf(engineWith(lost, { volume: fatVolume }), 0, 12, '/_A.TXT');
  expect(remains).toEqual({ isReplaced: false, unitName: 'cluster', units: 6, inUse: 4 });
});
