import { describe, expect, it } from 'vitest';
import { readPlace, type PlaceContext } from '../../../../src/extension/commands/input/places';
import type { VolumeSummary } from '../../../../src/protocol/requests';
import { fatVolume, xfsVolume } from '../../../webview/fake-host';

const extVolume: VolumeSummary = {
  ...fatVolume,
  type: 'ext4',
  inodes: 1024,
  unit: { name: 'block', size: 1024, first: 1, count: 8191, offset: 1024 },
};

const on = (volume?: VolumeSummary, view: PlaceContext['view'] = 'files'): PlaceContext => ({
  imageSize: 2 ** 44 + 1,
  volume,
  view,
});

const ext = on(extVolume);
const fat = on(fatVolume);

describe('readPlace', () => {
  it.each([
    ['/boot/grub', { kind: 'path', path: '/boot/grub' }],
    [' boot ', { kind: 'path', path: '/boot' }],
    ['/inode 12', { kind: 'path', path: '/inode 12' }],
    ['blocks', { kind: 'path', path: '/blocks' }],
    ['s', { kind: 'path', path: '/s' }],
    ['12', { kind: 'path', path: '/12' }],
    ['inode 12', { kind: 'inode', number: 12 }],
    ['Inode 1,024', { kind: 'inode', number: 1024 }],
    ['#12', { kind: 'inode', number: 12 }],
    ['block 0x10', { kind: 'unit', number: 16 }],
    ['cluster 5', { kind: 'unit', number: 5 }],
    ['0x1F400', { kind: 'byte', offset: 0x1f400 }],
    ['@131072', { kind: 'byte', offset: 131_072 }],
    ['@ 0x10', { kind: 'byte', offset: 16 }],
    ['byte 17,592,186,044,416', { kind: 'byte', offset: 2 ** 44 }],
    ['s64', { kind: 'byte', offset: 64 * 512 }],
    ['sector 64', { kind: 'byte', offset: 64 * 512 }],
  ])('takes %j', (typed, place) => {
    expect(readPlace(typed, ext)).toMatchObject({ kind: 'place', place });
  });

  it('shows a place where one is, if it can be seen there', () => {
    const viewOf = (typed: string, view: PlaceContext['view']) => {
      const read = readPlace(typed, on(extVolume, view));
      return read.kind === 'place' ? read.view : undefined;
    };
    expect(viewOf('/a', 'records')).toBe('records');
    expect(viewOf('#2', 'structures')).toBe('structures');
    expect(viewOf('block 5', 'files')).toBe('space');
    expect(viewOf('block 5', 'structures')).toBe('structures');
    expect(viewOf('0x0', 'space')).toBe('structures');
  });

  it.each(['', '  ', '#', 'inode', 'block ', '@', '0x', '@0x', 'sector'])(
    'waits for more after %j',
    (typed) => {
      expect(readPlace(typed, ext)).toEqual({ kind: 'unfinished' });
    },
  );

  it('knows the ranges', () => {
    const range = (typed: string, context = ext) => {
      const read = readPlace(typed, context);
      if (read.kind !== 'wrong' || read.why.problem !== 'out-of-range') return read;
      return [read.why.what, read.why.first, read.why.last];
    };
    expect(range('#0')).toEqual(['inode', 1, 1024]);
    expect(range('#1025')).toEqual(['inode', 1, 1024]);
    expect(range('block 0')).toEqual(['block', 1, 8191]);
    expect(range('block 8192')).toEqual(['block', 1, 8191]);
    expect(range('block 1', fat)).toEqual(['cluster', 2, 129_001]);
    expect(range(`@${2 ** 44 + 1}`)).toEqual(['byte', 0, 2 ** 44]);
    expect(range('s34359738369')).toEqual(['sector', 0, 2 ** 35]);
    expect(range('@0', { ...ext, imageSize: 0 })).toEqual(['byte', 0, -1]);
  });

  it.each(['#12x', 'block /', 'block 5 6', '@-1', '@1.5', '@9007199254740993'])(
    'finds no number in %j',
    (typed) => {
      expect(readPlace(typed, ext)).toMatchObject({ kind: 'wrong', why: { problem: 'no-number' } });
    },
  );

  it('asks for no inodes on FAT, and for bytes alone without a filesystem', () => {
    expect(readPlace('inode 5', fat)).toMatchObject({ why: { problem: 'no-inodes' } });
    for (const context of [on(xfsVolume), on()]) {
      for (const typed of ['/a', '#2', 'block 5']) {
        expect(readPlace(typed, context)).toMatchObject({ why: { problem: 'no-filesystem' } });
      }
      expect(readPlace('s1', context)).toMatchObject({ place: { kind: 'byte', offset: 512 } });
    }
  });
});
