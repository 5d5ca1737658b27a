/** A FAT volume that is edited at random, beside a simple model of what it must hold then. */
import { createHash } from 'node:crypto';
import { openFat } from '../../../src/fat/fat-filesystem';
import type { EntryKey, VolumeEditor } from '../../../src/filesystem/editing';
import { noProgress } from '../../../src/filesystem/progress';
import { VolumeBytes, WritableVolume } from '../../../src/image/bytes';
import { EditedImage } from '../../../src/image/edited-image';
import { ImageError, type ImageErrorCode } from '../../../src/image/errors';
import { MemoryBytes } from '../../../src/image/memory-bytes';
import type { AllocationPolicy } from '../../../src/filesystem/allocation';
import type { Random } from '../../support/random';
import type { FoundNode } from './fat-tools';

export interface ModelFile {
  readonly type: 'file';
  id: number;
  name: string;
  /** Never changed in place: a copy of the model shares it. */
  content: Uint8Array;
  /** Clusters that it must have. */
  clusters: number;
  modified: number;
  attributes: Set<string>;
}

export interface ModelDirectory {
  readonly type: 'directory';
  id: number;
  name: string;
  entries: (ModelFile | ModelDirectory)[];
  modified: number;
  attributes: Set<string>;
}

type ModelNode = ModelFile | ModelDirectory;

const words = [
  'a',
  'file',
  'LONG',
  'Report',
  'data',
  'x1',
  '日本語',
  'Grüße',
  'õ',
  '🎈',
  'con',
  'ÄÖ',
];
const endings = ['', '', '.txt', '.TXT', '.c', '.Text', '.tar.gz', '.ÿ', '.1234', '.+x'];
const separators = ['', '', ' ', '.', '-', '[', ' = ', '~1'];

/** Names of every kind that a directory can hold, some of them often the same. */
function randomName(random: Random): string {
  if (random.below(40) === 0) {
    return `${String(random.below(100)).padEnd(250 + random.below(6), 'long ')}.`;
  }
  const prefix = random.below(12) === 0 ? '.' : '';
  const middle = random.below(3) === 0 ? `${random.one(separators)}${random.one(words)}` : '';
  const number = random.below(2) === 0 ? String(random.below(30)) : '';
  return `${prefix}${random.one(words)}${middle}${number}${random.one(endings)}`;
}

/** Drivers fold names unit by unit; the names above have no other letters than these do. */
const keyOf = (name: string) => name.replace(/\.+$/, '').toUpperCase();

const storedName = (name: string) => name.replace(/\.+$/, '');

function copyOf<T extends ModelNode>(node: T): T {
  const copy = { ...node, attributes: new Set(node.attributes) };
  if (copy.type === 'directory') copy.entries = copy.entries.map(copyOf);
  return copy;
}

const anytime = ['move', 'move', 'setSize', 'write', 'write', 'preallocate', 'change'] as const;
const growing = [
  ...anytime,
  ...(['createFile', 'createFile', 'createFile', 'createDirectory'] as const),
  ...(['write', 'preallocate', 'label', 'remove'] as const),
];
const shrinking = [...anytime, 'createFile', 'remove', 'remove', 'remove', 'remove'] as const;

/** No operation takes more. */
const mostClusters = 18;

const utf16 = (name: string) => new Uint8Array(Buffer.from(name, 'utf16le'));

export class EditedFat {
  readonly image: EditedImage;
  root: ModelDirectory = {
    type: 'directory',
    id: 0,
    name: '',
    entries: [],
    modified: 0,
    attributes: new Set(),
  };
  label = '';
  /** Those that stayed, and those that were refused. */
  operations = 0;
  /** Changes are numbered from 1 on. */
  lastEdit = 0;
  readonly refused = new Map<ImageErrorCode, number>();
  private shrinks = false;
  private seconds = Date.UTC(2024, 0, 1) / 1000;
  private readonly clusterSize: number;

  constructor(
    bytes: Uint8Array,
    private readonly random: Random,
    private readonly codePage: number,
    private readonly policy: AllocationPolicy,
  ) {
    this.image = new EditedImage(new MemoryBytes(bytes));
    this.clusterSize = this.open().unit.size;
  }

  /** The volume as it is now, read afresh. */
  open() {
    const volume = new VolumeBytes(this.image, 0, this.image.size);
    return openFat(volume, { codePage: this.codePage });
  }

  /**
   * Some operations in one change; one that does not fit takes them all back.
   * @param shrinks whether more entries go than come
   */
  change(count: number, shrinks: boolean): void {
    this.shrinks = shrinks;
    const transaction = this.image.begin();
    const before = copyOf(this.root);
    const { label, operations } = this;
    const { editing } = this.open();
    if (editing?.whyNot !== null) throw new Error(editing?.whyNot);
    this.seconds += 2 * this.random.below(10_000);
    const editor = editing.open(new WritableVolume(transaction, 0, this.image.size), {
      now: { seconds: this.seconds, nanoseconds: 0 },
      policy: this.policy,
      progress: noProgress,
    });
    try {
      for (let i = 0; i < count; i++) this.operate(editor);
      editor.finish();
    } catch (error) {
      this.image.rollback(transaction);
      this.root = before;
      this.label = label;
      this.operations = operations;
      if (!(error instanceof ImageError) || error.code !== 'full') throw error;
      const free = this.open().freeSpace().total;
      const isRoot = error.message.includes('root');
      if (!isRoot && free > count * mostClusters) throw new Error(`Full with ${free} free.`);
      this.count(error.code);
      return;
    }
    this.lastEdit = this.image.commit(transaction) ?? this.lastEdit;
  }

  /** Gives back what files have beyond their sizes. @returns how many had something */
  cutToSize(): number {
    const long = this.files().filter(({ file }) => file.clusters > this.needed(file));
    const transaction = this.image.begin();
    const { editing } = this.open();
    if (editing?.whyNot !== null) throw new Error(editing?.whyNot);
    const editor = editing.open(new WritableVolume(transaction, 0, this.image.size), {
      now: { seconds: this.seconds, nanoseconds: 0 },
      policy: this.policy,
      progress: noProgress,
    });
    for (const { file } of long) {
      editor.setSize(file.id, file.content.length);
      file.clusters = this.needed(file);
      this.written(file);
    }
    editor.finish();
    this.lastEdit = this.image.commit(transaction) ?? this.lastEdit;
    return long.length;
  }

  /** What the volume must hold, by path. */
  tree(): Record<string, FoundNode> {
    const found: [string, FoundNode][] = [];
    this.visit((path, node) => {
      const { type, modified } = node;
      const sha256 =
        node.type === 'file' && createHash('sha256').update(node.content).digest('hex');
      found.push([
        path,
        {
          type,
          size: node.type === 'file' ? node.content.length : undefined,
          sha256: sha256 || undefined,
          modified,
        },
      ]);
    });
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  visit(visitor: (path: string, node: ModelNode) => void): void {
    const into = (directory: ModelDirectory, inside: string) => {
      for (const node of directory.entries) {
        visitor(`${inside}/${node.name}`, node);
        if (node.type === 'directory') into(node, `${inside}/${node.name}`);
      }
    };
    into(this.root, '');
  }

  private operate(editor: VolumeEditor): void {
    this.operations += 1;
    const kind = this.random.one(this.shrinks ? shrinking : growing);
    if (kind === 'createFile' || kind === 'createDirectory') this.create(editor, kind);
    else if (kind === 'remove') this.remove(editor);
    else if (kind === 'move') this.move(editor);
    else if (kind === 'change') this.changeTimes(editor);
    else if (kind === 'label') this.setLabel(editor);
    else this.changeContent(editor, kind);
  }

  private create(editor: VolumeEditor, kind: 'createFile' | 'createDirectory'): void {
    const parent = this.anyDirectory();
    const name = this.newName(parent);
    const node = this.attempt(this.holder(parent, name) ? 'exists' : null, () =>
      editor[kind](parent.id, name, {}),
    );
    if (node === undefined) return;
    const common = { id: node, name: storedName(name), modified: this.seconds };
    parent.entries.push(
      kind === 'createFile'
        ? {
            ...common,
            type: 'file',
            content: new Uint8Array(0),
            clusters: 0,
            attributes: new Set(['archive']),
          }
        : { ...common, type: 'directory', entries: [], attributes: new Set() },
    );
    parent.modified = this.seconds;
  }

  private remove(editor: VolumeEditor): void {
    const found = this.anyEntry();
    if (!found) return;
    const { parent, node } = found;
    const isFull = node.type === 'directory' && node.entries.length > 0;
    const done = this.attempt(isFull ? 'not-empty' : null, () => {
      editor.remove(key(parent, node));
      return true;
    });
    if (!done) return;
    parent.entries.splice(parent.entries.indexOf(node), 1);
    parent.modified = this.seconds;
    this.attempt('not-found', () => editor.remove(key(parent, node)));
  }

  private move(editor: VolumeEditor): void {
    const found = this.anyEntry();
    if (!found) return;
    const { parent, node } = found;
    const target = this.random.below(2) === 0 ? parent : this.anyDirectory();
    const name = this.random.below(3) === 0 ? swapCase(node.name) : this.newName(target);
    const holder = this.holder(target, name);
    const isInside = node.type === 'directory' && target !== parent && holds(node, target);
    const expected = isInside ? 'usage' : holder && holder !== node ? 'exists' : null;
    const moved = this.attempt(expected, () => editor.move(key(parent, node), target.id, name));
    if (moved === undefined) return;
    parent.entries.splice(parent.entries.indexOf(node), 1);
    target.entries.push(node);
    node.id = moved;
    node.name = storedName(name);
    parent.modified = target.modified = this.seconds;
  }

  private changeContent(editor: VolumeEditor, kind: 'setSize' | 'write' | 'preallocate'): void {
    const files = this.files();
    if (files.length === 0) return;
    const { file } = this.random.one(files);
    const { content } = file;
    const length = this.random.below(this.random.below(4) === 0 ? 12 * this.clusterSize : 700);
    const offset = this.random.below(content.length + this.random.below(2 * this.clusterSize) + 1);
    if (kind === 'write') {
      const bytes = this.random.bytes(length);
      editor.write(file.id, offset, bytes);
      if (length === 0) return;
      file.content = grown(content, offset + length);
      file.content.set(bytes, offset);
      file.clusters = Math.max(file.clusters, this.needed(file));
      this.written(file);
    } else if (kind === 'setSize') {
      editor.setSize(file.id, offset);
      file.content = grown(content, offset).slice(0, offset);
      file.clusters =
        offset > content.length ? Math.max(file.clusters, this.needed(file)) : this.needed(file);
      this.written(file);
    } else {
      this.preallocate(editor, file, offset, length);
    }
  }

  private preallocate(editor: VolumeEditor, file: ModelFile, offset: number, length: number) {
    const keepSize = this.random.below(2) === 0;
    const zero = this.random.below(2) === 0;
    const plan = editor.preallocate(file.id, { offset, length, keepSize, zero });
    const end = offset + length;
    const clusters = Math.max(file.clusters, Math.ceil(end / this.clusterSize));
    if (plan.allocatedUnits !== clusters - file.clusters) {
      throw new Error(`${plan.allocatedUnits} clusters, not ${clusters - file.clusters}`);
    }
    const isLonger = !keepSize && end > file.content.length;
    if (isLonger) file.content = grown(file.content, end);
    if (isLonger) this.written(file);
    file.clusters = clusters;
  }

  private changeTimes(editor: VolumeEditor): void {
    const found = this.anyEntry();
    if (!found) return;
    const { node } = found;
    const all = ['read-only', 'hidden', 'system', 'archive'];
    const set = all.filter(() => this.random.below(4) === 0);
    const clear = all.filter((name) => !set.includes(name) && this.random.below(4) === 0);
    const modified = this.seconds - 2 * this.random.below(1_000_000);
    editor.change(node.id, { modified: { seconds: modified, nanoseconds: 0 }, set, clear });
    node.modified = modified;
    set.forEach((name) => node.attributes.add(name));
    clear.forEach((name) => node.attributes.delete(name));
    this.attempt('unsupported', () => editor.change(node.id, { mode: 0o644 }));
  }

  private setLabel(editor: VolumeEditor): void {
    const label = this.random.one(['', 'LABEL', 'A Longer 1', 'Five']);
    editor.setLabel(label);
    this.label = label.toUpperCase();
  }

  /** Linux sets the archive attribute whenever it writes. */
  private written(file: ModelFile): void {
    file.modified = this.seconds;
    file.attributes.add('archive');
  }

  /** @returns undefined where it is refused as expected */
  private attempt<T>(expected: ImageErrorCode | null, action: () => T): T | undefined {
    try {
      const done = action();
      if (expected === null) return done;
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== expected) throw error;
      this.count(error.code);
      return undefined;
    }
    throw new Error(`It was not refused as ${expected}.`);
  }

  private count(code: ImageErrorCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  /** Now and then one that is taken already. */
  private newName(directory: ModelDirectory): string {
    const { entries } = directory;
    if (entries.length === 0 || this.random.below(8) > 0) return randomName(this.random);
    return swapCase(this.random.one(entries).name);
  }

  private holder(directory: ModelDirectory, name: string): ModelNode | undefined {
    return directory.entries.find((node) => keyOf(node.name) === keyOf(name));
  }

  private needed(file: ModelFile): number {
    return Math.ceil(file.content.length / this.clusterSize);
  }

  private files() {
    const files: { path: string; file: ModelFile }[] = [];
    this.visit((path, node) => {
      if (node.type === 'file') files.push({ path, file: node });
    });
    return files;
  }

  private anyDirectory(): ModelDirectory {
    const directories = [this.root];
    this.visit((_, node) => {
      if (node.type === 'directory') directories.push(node);
    });
    return this.random.one(directories);
  }

  private anyEntry(): { parent: ModelDirectory; node: ModelNode } | undefined {
    const parent = this.anyDirectory();
    if (parent.entries.length === 0) return undefined;
    return { parent, node: this.random.one(parent.entries) };
  }
}

const key = (parent: ModelDirectory, node: ModelNode): EntryKey => ({
  directory: parent.id,
  node: node.id,
  name: utf16(node.name),
});

function holds(directory: ModelDirectory, wanted: ModelDirectory): boolean {
  if (directory === wanted) return true;
  return directory.entries.some((node) => node.type === 'directory' && holds(node, wanted));
}

function grown(content: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(Math.max(content.length, length));
  longer.set(content);
  return longer;
}

const swapCase = (name: string) =>
  name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
