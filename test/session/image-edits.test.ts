import { createHash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { noProgress } from '../../src/filesystem/progress';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { ImageSession } from '../../src/session/image-session';
import type { HostOperation } from '../../src/session/operations';
import { temporaryFolder } from '../bundle';
import { addFeatures } from '../ext/support/superblock';

const folder = temporaryFolder();

// A plan and the edit after it are stamped with the same time.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2024, 1, 29, 12) }));
afterAll(() => vi.useRealTimers());

const sample = (name: string) =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, `../samples/sample-${name}.img.br`)));

const open = (name: string) => new ImageSession(new MemoryBytes(sample(name)));

const hashOf = (session: ImageSession) =>
  createHash('sha256').update(session.edits.wholeImage()).digest('hex');

/** The paths of everything, in the order of a walk. */
function pathsIn(session: ImageSession, path = '/'): string[] {
  const found = session.volume().entriesAt(path, () => undefined, { recursive: true });
  return [...found].map((entry) => entry.path);
}

const rootOf = (session: ImageSession) => session.volume().fileSystem.root;

function contentAt(session: ImageSession, path: string): string {
  const volume = session.volume();
  return Buffer.from(volume.read(volume.file(path), 0, 1e6)).toString();
}

const refusal = (code: string, message: string | RegExp = /\S/) =>
  expect.objectContaining({
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

/** A folder `work` with files in it, made by operations. */
function withTree(name: string): ImageSession {
  const session = open(name);
  const { edits } = session;
  const root = rootOf(session);
  edits.edit({ kind: 'create', volume: 0, type: 'directory', directory: root, name: 'work' });
  const work = session.volume().resolve('/work')[1].node;
  for (const file of ['a.txt', 'b.txt']) {
    edits.edit({ kind: 'create', volume: 0, type: 'file', directory: work, name: file });
    const node = session.volume().file(`/work/${file}`);
    edits.edit({ kind: 'content', volume: 0, node, bytes: Buffer.from(`I am ${file}`) });
  }
  edits.edit({ kind: 'create', volume: 0, type: 'directory', directory: work, name: 'deep' });
  return session;
}

/** What is asked for an entry by its path. */
const at = (session: ImageSession, path: string) => session.volume().refAt(path);

describe.each(['fat32', 'ext2'])('changes of %s', (name) => {
  it('come and go by undo and redo, to the bit', () => {
    const session = open(name);
    const { edits } = session;
    const hashes = [hashOf(session)];
    const ids: number[] = [];
    const make = (operation: HostOperation, label: string) => {
      const plan = edits.plan(operation);
      expect(hashOf(session)).toBe(hashes.at(-1));
      const edit = edits.edit(operation);
      expect(edit.label).toBe(label);
      expect(plan).toMatchObject({ label, changedRanges: edit.changedRanges });
      expect(edit.changedRanges).toBe(edit.changed.length);
      expect(edit.id).not.toBeNull();
      ids.push(Number(edit.id));
      hashes.push(hashOf(session));
    };
    const volume = 0;
    const directory = rootOf(session);
    make({ kind: 'create', volume, type: 'file', directory, name: 'new.bin' }, 'New file new.bin');
    make({ kind: 'create', volume, type: 'directory', directory, name: 'box' }, 'New folder box');
    const node = () => session.volume().file('/new.bin');
    make(
      { kind: 'writeAt', volume, node: node(), offset: 5000, bytes: Buffer.from('tail') },
      'Write into new.bin',
    );
    const request = { offset: 0, length: 65536, keepSize: false, zero: false };
    make(
      { kind: 'preallocate', volume, node: node(), request, policy: 'contiguous' },
      'Preallocate 64 KiB for new.bin',
    );
    make({ kind: 'truncate', volume, node: node(), size: 6000 }, 'Resize new.bin to 5.86 KiB');
    make({ kind: 'label', volume, label: 'NEW NAME' }, 'Set label NEW NAME');
    const changes = { modified: '2001-02-03T04:05:06Z' };
    make({ kind: 'attributes', volume, node: node(), changes }, 'Change attributes of new.bin');
    const box = session.volume().resolve('/box')[1].node;
    make(
      {
        ...{ kind: 'move', volume, entry: at(session, '/new.bin') },
        ...{ directory: box, name: 'old.bin', replace: false },
      },
      'Move new.bin',
    );
    expect(session.volume().entry('/box/old.bin')).toMatchObject({
      ...{ size: 6000, modified: '2001-02-03T04:05:06Z' },
    });
    expect(session.summary().volumes[0].label).toBe('NEW NAME');
    make({ kind: 'remove', volume, entries: [at(session, '/box')] }, 'Delete box');
    expect(edits.state.isDirty).toBe(true);

    for (let i = ids.length - 1; i >= 0; i--) {
      edits.undo(ids[i]);
      expect(hashOf(session)).toBe(hashes[i]);
    }
    expect(edits.state.isDirty).toBe(false);
    expect(() => session.volume().entry('/box')).toThrow(refusal('not-found'));
    for (const [i, id] of ids.entries()) {
      edits.redo(id);
      expect(hashOf(session)).toBe(hashes[i + 1]);
    }
    expect(() => edits.undo(ids[0])).toThrow(refusal('conflict'));
    edits.revert();
    expect(hashOf(session)).toBe(hashes[0]);
    expect(pathsIn(session)).not.toContain('/box');
  });

  it('that are refused leave nothing behind', () => {
    const session = withTree(name);
    const before = hashOf(session);
    const entry = at(session, '/work/a.txt');
    const work = entry.directory;
    const refused: [HostOperation, string][] = [
      [{ kind: 'remove', volume: 0, entries: [{ ...entry, name: 'c.txt' }] }, 'not-found'],
      [{ kind: 'remove', volume: 0, entries: [entry, { ...entry, node: 1e6 }] }, 'not-found'],
      [{ kind: 'create', volume: 0, type: 'file', directory: work, name: 'b.txt' }, 'exists'],
      [
        { kind: 'move', volume: 0, entry, directory: work, name: 'b.txt', replace: false },
        'exists',
      ],
      [{ kind: 'move', volume: 0, entry, directory: work, name: 'deep', replace: true }, 'exists'],
      [{ kind: 'truncate', volume: 0, node: entry.node, size: 2 ** 45 }, 'full'],
      [{ kind: 'truncate', volume: 3, node: entry.node, size: 1 }, 'usage'],
      [{ kind: 'attributes', volume: 0, node: entry.node, changes: { modified: 'soon' } }, 'usage'],
      [{ kind: 'attributes', volume: 0, node: entry.node, changes: { mode: 0o10000 } }, 'usage'],
      [{ kind: 'bytes', offset: 2 ** 50, bytes: Uint8Array.of(1) }, 'usage'],
      [{ kind: 'bytes', offset: -1, bytes: Uint8Array.of(1) }, 'usage'],
      [
        { kind: 'field', structure: 0, structureKind: 'poem', field: 'rhyme', value: '1' },
        'not-found',
      ],
    ];
    for (const [operation, code] of refused) {
      const failure =
        code === 'full' ? expect.objectContaining({ name: 'ImageError' }) : refusal(code);
      expect(() => session.edits.edit(operation), JSON.stringify(operation)).toThrow(failure);
      expect(() => session.edits.plan(operation)).toThrow(failure);
    }
    expect(hashOf(session)).toBe(before);
  });

  it('remove a directory with all that it holds, and what was chosen in it beside it', () => {
    const session = withTree(name);
    const entries = ['/work/deep', '/work/a.txt', '/work'].map((path) => at(session, path));
    const { label } = session.edits.edit({ kind: 'remove', volume: 0, entries });
    expect(label).toBe('Delete 3 entries');
    expect(pathsIn(session).filter((path) => path.startsWith('/work'))).toEqual([]);
  });

  it('move a file over another, and give a name a new spelling', () => {
    const session = withTree(name);
    const entry = at(session, '/work/a.txt');
    const { directory } = entry;
    session.edits.edit({ kind: 'move', volume: 0, entry, directory, name: 'b.txt', replace: true });
    expect(contentAt(session, '/work/b.txt')).toBe('I am a.txt');
    expect(pathsIn(session, '/work')).toEqual(['/work/deep', '/work/b.txt']);
    const again = at(session, '/work/b.txt');
    const { label } = session.edits.edit({
      ...{ kind: 'move', volume: 0, entry: again, directory, name: 'B.TXT', replace: false },
    });
    expect(label).toBe('Rename b.txt to B.TXT');
    expect(pathsIn(session, '/work')).toEqual(['/work/deep', '/work/B.TXT']);
  });

  it('write a field as a person does, and its bytes', () => {
    const session = open(name);
    const structureOf = (kind: string) =>
      session.layout
        .structuresAt(name === 'fat32' ? 0 : 1024, 512)
        .find((one) => one.kind === kind);
    const [kind, field] =
      name === 'fat32' ? ['boot sector', 'BS_VolID'] : ['superblock', 's_max_mnt_count'];
    const structure = structureOf(kind)?.offset ?? -1;
    const value = name === 'fat32' ? '0xdeadbeef' : '-2';
    const { label, changedBytes } = session.edits.edit({
      ...{ kind: 'field', structure, structureKind: kind, field, value },
    });
    expect(label).toBe(`Set ${field} to ${value}`);
    expect(changedBytes).toBeGreaterThan(0);
    const shown = structureOf(kind)?.fields.find((one) => one.name === field);
    expect(shown?.value).toBe(Number(value));
    session.edits.edit({ kind: 'bytes', offset: shown?.offset ?? 0, bytes: Uint8Array.of(5, 0) });
    expect(structureOf(kind)?.fields.find((one) => one.name === field)?.value).not.toBe(
      Number(value),
    );
    expect(() =>
      session.edits.edit({ kind: 'field', structure, structureKind: kind, field, value: 'many' }),
    ).toThrow(refusal('usage', new RegExp(`^${field} takes`)));
  });

  it('bring in a folder of the host, and again over itself', () => {
    const session = open(name);
    const source = join(folder, `tree-${name}`);
    mkdirSync(join(source, 'inner/empty'), { recursive: true });
    writeFileSync(join(source, 'one.txt'), 'one');
    writeFileSync(join(source, 'inner/two.bin'), Buffer.alloc(300_000, 7));
    writeFileSync(join(source, 'inner/holes.bin'), 'start');
    truncateSync(join(source, 'inner/holes.bin'), 200_000);
    symlinkSync('one.txt', join(source, 'link'));
    const ask: HostOperation = {
      ...{ kind: 'import', volume: 0, directory: rootOf(session), replace: true },
      sources: [{ path: source, name: 'tree' }],
    };
    const first = session.edits.edit(ask);
    expect(first.label).toBe('Import tree');
    const volume = session.volume();
    const expected = ['/tree/inner', '/tree/inner/empty', '/tree/inner/holes.bin'];
    expected.push('/tree/inner/two.bin', '/tree/link', '/tree/one.txt');
    expect(pathsIn(session, '/tree')).toEqual(expected);
    expect(Buffer.from(volume.read(volume.file('/tree/inner/two.bin'), 0, 1e6))).toEqual(
      Buffer.alloc(300_000, 7),
    );
    const holes = volume.details(volume.file('/tree/inner/holes.bin'), 100);
    expect(holes.size).toBe(200_000);
    const details = volume.details(volume.file('/tree/inner/two.bin'), 100);
    expect(details.fragments).toBeLessThanOrEqual(3); // ext has blocks of pointers in between
    if (name === 'ext2') {
      expect(volume.entry('/tree/link')).toMatchObject({ type: 'symlink', target: 'one.txt' });
      expect(holes.allocated).toBeLessThan(10_000);
      expect(first.notes).toEqual([]);
    } else {
      expect(contentAt(session, '/tree/link')).toBe('one');
      expect(first.notes).toEqual([
        expect.stringMatching(/link is a link: the file that it leads/),
      ]);
    }
    writeFileSync(join(source, 'one.txt'), 'more than one');
    expect(() => session.edits.edit({ ...ask, replace: false })).toThrow(refusal('exists'));
    session.edits.edit(ask);
    expect(contentAt(session, '/tree/one.txt')).toBe('more than one');
    expect(pathsIn(session, '/tree')).toEqual(expected);
  });
});

describe('an image that is a file of the host', () => {
  it('is never brought into itself', () => {
    const path = join(folder, 'self.img');
    const source = join(folder, 'with-self');
    writeFileSync(path, sample('ext2'));
    mkdirSync(source);
    linkSync(path, join(source, 'other-name'));
    const session = ImageSession.open(path, { stateFolder: join(folder, 'state') });
    const ask = { kind: 'import', volume: 0, directory: 2, replace: false } as const;
    expect(() => session.edits.edit({ ...ask, sources: [{ path }] })).toThrow(
      refusal('usage', /is the image itself/),
    );
    const { notes, leftOut } = session.edits.edit({ ...ask, sources: [{ path: source }] });
    expect(leftOut).toBe(1);
    expect(notes).toEqual([expect.stringMatching(/other-name is the image itself/)]);
    session.close();
  });

  it('is changed on disk only when it is saved', () => {
    const path = join(folder, 'saved.img');
    const before = sample('fat32');
    writeFileSync(path, before);
    const folders = { stateFolder: join(folder, 'state'), undoFolder: join(folder, 'undo') };
    const session = ImageSession.open(path, folders);
    const { id } = session.edits.edit({ kind: 'label', volume: 0, label: 'OTHER' });
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
    const options = { overwrite: false, undoLimit: 1e6, dropUndo: false };
    expect(session.edits.save(options, noProgress).bytesWritten).toBeGreaterThan(0);
    expect(Buffer.compare(readFileSync(path), session.edits.wholeImage())).toBe(0);
    expect(session.edits.state.isDirty).toBe(false);
    session.edits.undo(Number(id));
    expect(session.edits.state.isDirty).toBe(true);
    session.edits.save(options, noProgress);
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
    session.close();
  });
});

describe('a volume that cannot be changed', () => {
  const openQuota = () => {
    const bytes = sample('ext4');
    addFeatures(bytes, 's_feature_ro_compat', 0x100);
    return new ImageSession(new MemoryBytes(bytes));
  };

  it('says why, and is not', () => {
    const session = openQuota();
    const [{ whyReadOnly }] = session.summary().volumes;
    expect(whyReadOnly).toMatch(/^This volume cannot be changed: /);
    const operation = { kind: 'label', volume: 0, label: 'X' } as const;
    expect(() => session.edits.edit(operation)).toThrow(refusal('read-only', String(whyReadOnly)));
    expect(session.edits.state.isDirty).toBe(false);
  });

  it('can yet be trimmed, and its bytes can be changed', () => {
    const session = openQuota();
    const { trim } = session.edits.edit({ kind: 'trim', volume: 0, minimum: 1 });
    expect(trim?.extents).toBeGreaterThan(0);
    session.edits.edit({ kind: 'bytes', offset: 1024 + 120, bytes: Buffer.from('HEX') });
    expect(session.summary().volumes[0].label).toMatch(/^HEX/);
  });
});

describe('a change of one volume', () => {
  it('leaves what is known of the others', () => {
    const session = open('card');
    const [fat, ext] = [session.volume(0), session.volume(1)];
    session.edits.edit({ kind: 'label', volume: 0, label: 'CARD' });
    expect(session.volume(0)).not.toBe(fat);
    expect(session.volume(1)).toBe(ext);
    expect(session.summary().volumes[0].label).toBe('CARD');
  });
});
