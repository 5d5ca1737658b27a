/** Volumes in which the next change would destroy what other files hold: nothing is written. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImageSession } from '../../src/session/image-session';
import type { HostOperation } from '../../src/session/operations';
import { temporaryFolder } from '../bundle';
import { run } from './support/ext-tools';
import { mtools } from './support/fat-tools';

const folder = temporaryFolder();
const content = join(folder, 'content');
fs.writeFileSync(content, Buffer.alloc(5000, 'x'));

const create: HostOperation = {
  kind: 'create',
  volume: 0,
  type: 'file',
  directory: 0,
  name: 'new.txt',
};

function open(image: string): ImageSession {
  return ImageSession.open(image, { stateFolder: join(folder, 'state') });
}

/** Overwrites bytes of an image. */
function patch(image: string, offset: number, bytes: Uint8Array): void {
  const descriptor = fs.openSync(image, 'r+');
  fs.writeSync(descriptor, bytes, 0, bytes.length, offset);
  fs.closeSync(descriptor);
}

describe('a volume of ext2', () => {
  const make = (name: string): string => {
    const image = join(folder, name);
    fs.writeFileSync(image, '');
    fs.truncateSync(image, 4 * 1024 * 1024);
    run('mke2fs', ['-q', '-t', 'ext2', '-b', '1024', image]);
    run('debugfs', ['-w', '-R', `write ${content} victim`, image]);
    return image;
  };
  const inRoot = { ...create, directory: 2 };

  it('is changed while its bitmaps are right', () => {
    const session = open(make('sound.img'));
    expect(session.edits.edit(inRoot).id).toBe(1);
    session.close();
  });

  it('is not changed where a block of a file is marked free, but for its bytes', () => {
    const image = make('freed.img');
    const [block] = run('debugfs', ['-R', 'blocks victim', image]).trim().split(' ');
    run('debugfs', ['-w', '-R', `freeb ${block} 1`, image]);
    const session = open(image);
    expect(() => session.edits.edit(inRoot)).toThrow(/could destroy what other files hold.*repair/);
    expect(() => session.edits.plan(inRoot)).toThrow(/could destroy/);
    const bytes = Uint8Array.of(1);
    expect(session.edits.edit({ kind: 'bytes', offset: 0, bytes }).id).not.toBeNull();
    expect(() => session.edits.edit(inRoot)).toThrow(/could destroy/);
    session.close();
  });
});

describe('a volume of FAT16', () => {
  const make = (name: string): string => {
    const image = join(folder, name);
    fs.writeFileSync(image, '');
    fs.truncateSync(image, 8 * 1024 * 1024);
    run('mkfs.fat', ['-F', '16', '-s', '1', image]);
    mtools('mcopy', image, content, '::A.TXT');
    mtools('mcopy', image, content, '::B.TXT');
    return image;
  };

  it('is changed until a field edit makes two files share clusters, and again after its undo', () => {
    const image = make('shared.img');
    const session = open(image);
    const volume = session.volume(0);
    const { node } = volume.entry('/B.TXT');
    const first = volume.entry('/A.TXT').number;
    expect(session.edits.edit(create).id).not.toBeNull();
    const offset = node + 26; // DIR_FstClusLO
    const shared = session.edits.edit({
      kind: 'bytes',
      offset,
      bytes: Uint8Array.of(first & 0xff, first >> 8),
    });
    const other = { ...create, name: 'other.txt' };
    expect(() => session.edits.edit(other)).toThrow(/could destroy/);
    session.edits.undo(shared.id ?? 0);
    expect(session.edits.edit(other).id).not.toBeNull();
    session.close();
  });

  it('is not changed where its FATs differ', () => {
    const image = make('copies.img');
    const view = fs.readFileSync(image);
    const fat = view.readUInt16LE(14) * view.readUInt16LE(11);
    patch(image, fat + 20, Uint8Array.of(0x55));
    const session = open(image);
    expect(() => session.edits.edit(create)).toThrow(/could destroy/);
    session.close();
  });
});
