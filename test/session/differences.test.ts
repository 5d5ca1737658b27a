import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { remember } from '../../src/session/differences';
import { ImageSession } from '../../src/session/image-session';
import type { HostOperation } from '../../src/session/operations';
import { DiskBuilder } from '../volume/support/partition-tables';

const sample = (name: string) =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, `../samples/sample-${name}.img.br`)));

const open = (name: string) => new ImageSession(new MemoryBytes(sample(name)));

const snapshotOf = (session: ImageSession) => remember(session, null).snapshot;
const differences = (session: ImageSession, before: string) =>
  remember(session, before).difference?.sentences;

/** What is told when an image is changed by some operations. */
function told(...operations: ((session: ImageSession) => HostOperation)[]) {
  const session = open('ext2');
  const before = snapshotOf(session);
  for (const operation of operations) session.edits.edit(operation(session));
  return differences(session, before);
}

const root = 2;
const create =
  (name: string, type: 'file' | 'directory' = 'file') =>
  (): HostOperation => ({
    ...{ kind: 'create', volume: 0, type, directory: root, name },
  });
const refAt = (session: ImageSession, path: string) => session.volume().refAt(path);
const move =
  (path: string, to: string) =>
  (session: ImageSession): HostOperation => ({
    ...{ kind: 'move', volume: 0, entry: refAt(session, path) },
    ...{ directory: root, name: to, replace: false },
  });

describe('what is told of a change', () => {
  it('is nothing when there is none', () => expect(told()).toEqual([]));

  it('names what was added', () => {
    expect(told(create('new.txt'))).toEqual(['One entry was added: /new.txt.']);
    const many = told(...['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => create(name)));
    expect(many).toEqual(['5 entries were added, among them /n1, /n2, /n3.']);
  });

  it('names what was removed, renamed and changed', () => {
    const session = open('ext2');
    for (const name of ['a', 'b', 'c']) session.edits.edit(create(name)());
    session.edits.edit(create('d', 'directory')());
    const [{ node: d }] = session.volume().resolve('/d').slice(-1);
    session.edits.edit({ kind: 'create', volume: 0, type: 'file', directory: d, name: 'inner' });
    const node = session.volume().file('/c');
    const before = snapshotOf(session);
    session.edits.edit({ kind: 'remove', volume: 0, entries: [refAt(session, '/a')] });
    session.edits.edit(move('/b', 'b2')(session));
    session.edits.edit(move('/d', 'd2')(session));
    session.edits.edit({ kind: 'content', volume: 0, node, bytes: Buffer.alloc(5000, 1) });
    session.edits.edit({ kind: 'label', volume: 0, label: 'NEW\nLABEL' });
    const { label } = open('ext2').summary().volumes[0];
    expect(differences(session, before)).toEqual([
      `The label changed from “${label}” to “NEW␊LABEL”.`,
      'One entry was removed: /a.',
      '2 entries were renamed: /d to /d2, /b to /b2.',
      'One entry was changed: /c.',
      expect.stringMatching(/^There is \d+ KiB of free space less\.$/),
    ]);
  });

  it('is what another engine remembered as well, and nothing where nobody did', () => {
    const before = snapshotOf(open('ext2'));
    const session = open('ext2');
    session.edits.edit(create('x')());
    expect(differences(session, before)).toEqual(['One entry was added: /x.']);
    for (const garbage of ['', '{}', 'null', '{"version":0}', before.slice(0, -1)]) {
      expect(remember(session, garbage).difference).toBeNull();
    }
  });

  it('says that another filesystem is there', () => {
    const before = snapshotOf(open('ext2'));
    const size = sample('ext2').length;
    const other = new Uint8Array(size);
    other.set(sample('ext4').subarray(0, size));
    const sentences = differences(new ImageSession(new MemoryBytes(other)), before);
    expect(sentences).toEqual(['The filesystem is another one now, of the type ext4.']);
  });

  it('says that the partitions are others, and how large the image is', () => {
    const disk = (sectors: number) =>
      new ImageSession(
        new MemoryBytes(new DiskBuilder(400).bootRecord(0, [[0x83, 100, sectors]]).bytes),
      );
    const before = snapshotOf(disk(100));
    expect(differences(disk(200), before)).toEqual([
      'The image is partitioned otherwise than before.',
    ]);
    expect(differences(open('ext2'), before)).toEqual([
      expect.stringMatching(/^The image is .* large now, and was 200 KiB\.$/),
      'The image is partitioned otherwise than before.',
    ]);
  });

  it('names the volume where there are several', () => {
    const session = open('card');
    const before = snapshotOf(session);
    session.edits.edit({ kind: 'label', volume: 0, label: 'CARD' });
    expect(differences(session, before)).toEqual([
      'Volume 0: The label changed from “BOOT” to “CARD”.',
    ]);
  });
});
