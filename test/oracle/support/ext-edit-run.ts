import { openExt } from '../../../src/ext/ext-filesystem';
import type { AllocationPolicy } from '../../../src/filesystem/allocation';
import type { EntryKey, NewNode, VolumeEditor } from '../../../src/filesystem/editing';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import { noProgress } from '../../../src/filesystem/progress';
import type { Timestamp } from '../../../src/filesystem/timestamp';
import { VolumeBytes, WritableVolume } from '../../../src/image/bytes';
import { EditedImage } from '../../../src/image/edited-image';
import { ImageError, type ImageErrorCode } from '../../../src/image/errors';
import { MemoryBytes } from '../../../src/image/memory-bytes';
import { knownAttributes, modelOf, newNode, pathsOf, Random, type ModelNode } from './edit-model';

/** A change that is made to both, the volume and the model; or is refused for a reason. */
interface Step {
  readonly edit: (editor: VolumeEditor) => unknown;
  /** Gets what `edit` returned; makes the same of the model. */
  readonly apply?: (result: never) => void;
  /** Why it has to be refused; it may always be refused because the volume is full. */
  readonly refused?: ImageErrorCode;
}

export interface RunOptions {
  readonly seed: number;
  readonly policy: AllocationPolicy;
  /** Bytes of content, at most. */
  readonly largest: number;
  /** Whether files lie in extents, in which blocks can be unwritten. */
  readonly hasExtents?: boolean;
}

/** Makes changes at random, to a volume in memory and to a model of it. */
export class EditRun {
  readonly image: EditedImage;
  readonly root: ModelNode;
  readonly random: Random;
  readonly notes: string[] = [];
  /** Operations that were made, and those that were refused as they had to be. */
  done = 0;
  refused = 0;
  /** How often the volume was full. */
  full = 0;
  private readonly edits: number[] = [];
  private label = '';
  private clock = 1_800_000_000;
  private readonly directories: ModelNode[];
  private readonly nodes: Set<ModelNode>;

  constructor(
    original: Uint8Array,
    private readonly options: RunOptions,
  ) {
    this.image = new EditedImage(new MemoryBytes(original));
    this.random = new Random(options.seed);
    this.root = modelOf(this.open());
    const all = [...pathsOf(this.root).values()];
    this.nodes = new Set(all);
    this.directories = [this.root, ...all.filter(({ type }) => type === 'directory')];
  }

  open(): FileSystem {
    return openExt(new VolumeBytes(this.image, 0, this.image.size));
  }

  get expectedLabel(): string {
    return this.label;
  }

  /** @param operations each in an edit of its own */
  run(operations: number): void {
    for (let i = 0; i < operations; i++) this.make(this.anyStep());
  }

  /** Makes one step. @throws Error where the volume does not do what the model does */
  make(step: Step): void {
    const transaction = this.image.begin();
    let result: unknown;
    try {
      const editor = this.editor(new WritableVolume(transaction, 0, this.image.size));
      result = step.edit(editor);
      editor.finish();
      this.notes.push(...editor.notes);
    } catch (error) {
      this.image.rollback(transaction);
      if (!(error instanceof ImageError)) throw error;
      if (error.code === 'full') this.full += 1;
      else if (error.code === step.refused) this.refused += 1;
      else throw new Error(`refused as ${error.code}: ${error.message}`, { cause: error });
      return;
    }
    const edit = this.image.commit(transaction);
    if (edit !== null) this.edits.push(edit);
    if (step.refused) throw new Error(`it should have been refused as ${step.refused}`);
    (step.apply as ((result: unknown) => void) | undefined)?.(result);
    this.done += 1;
  }

  undoAll(): void {
    for (const edit of this.edits.splice(0).reverse()) this.image.undo(edit);
  }

  private editor(volume: WritableVolume): VolumeEditor {
    const { editing } = this.open();
    if (editing?.whyNot !== null) throw new Error(editing?.whyNot ?? 'no editing');
    this.clock += 1 + this.random.below(5);
    return editing.open(volume, {
      now: this.now,
      policy: this.options.policy,
      progress: noProgress,
    });
  }

  private get now(): Timestamp {
    return { seconds: this.clock, nanoseconds: (this.clock * 7919) % 1_000_000_000 };
  }

  /** Makes a directory with many names, hundreds in each edit. */
  fillDirectory(names: number): void {
    this.make(this.createStep('directory', this.root, 'large'));
    const large = this.root.entries.get('large');
    if (!large) throw new Error('there is no directory');
    for (let first = 0; first < names; first += 500) {
      const steps = Array.from({ length: 500 }, (_, i) =>
        this.createStep('file', large, `file ${first + i} ${'é'.repeat(i % 30)}`),
      );
      this.makeTogether(steps);
    }
  }

  /** Adds, removes and moves names of that directory, some in each edit. */
  churn(edits: number, inEach: number): void {
    const large = this.root.entries.get('large');
    if (!large) throw new Error('there is no directory');
    for (let edit = 0; edit < edits; edit++) {
      const entries = [...large.entries];
      const first = this.random.below(entries.length - inEach);
      const steps = entries.slice(first, first + inEach).map(([name, node], i) => {
        const found = { directory: large, name, node };
        if (i % 3 === 0) return this.removalOf(found);
        if (i % 3 === 1) return this.moveOf(found, large, `moved ${name}`.slice(0, 120));
        const added = `another ${edit}, ${i}`.padEnd(8 + this.random.below(200), 'y');
        return this.createStep('file', large, added);
      });
      this.makeTogether(steps);
    }
  }

  /** Makes steps in one edit. None of them may be refused, nor depend on another one. */
  private makeTogether(steps: readonly Step[]): void {
    this.make({
      edit: (editor) => steps.map((step) => step.edit(editor)),
      apply: (results: readonly never[]) => {
        results.forEach((result, i) => steps[i].apply?.(result));
      },
    });
    this.done += steps.length - 1;
  }

  anyStep(): Step {
    const { random } = this;
    const dice = random.below(100);
    if (dice < 16) return this.createStep('file');
    if (dice < 24) return this.createStep('directory');
    if (dice < 29) return this.symlinkStep();
    if (dice < 34) return this.linkStep();
    if (dice < 50) return this.writeStep();
    if (dice < 60) return this.sizeStep();
    if (dice < 66) return this.preallocateStep();
    if (dice < 80) return this.moveStep();
    if (dice < 92) return this.removeStep();
    if (dice < 99) return this.changeStep();
    return this.labelStep();
  }

  createStep(
    type: 'file' | 'directory',
    directory = this.anyDirectory(),
    name = this.anyName(),
  ): Step {
    const details = this.anyDetails();
    return {
      edit: (editor) =>
        type === 'file'
          ? editor.createFile(directory.id, name, details)
          : editor.createDirectory(directory.id, name, details),
      apply: (id: number) => {
        const node = this.addNew(directory, name, id, type, details);
        if (type === 'file') return;
        node.parent = directory;
        directory.links += 1;
        this.directories.push(node);
      },
      ...this.refusalOf(directory, name),
    };
  }

  private symlinkStep(): Step {
    const directory = this.anyDirectory();
    const name = this.anyName();
    const details = this.anyDetails();
    const target = 'to/é'.repeat(1 + this.random.below(this.random.below(4) === 0 ? 180 : 14));
    return {
      edit: (editor) => editor.createSymlink(directory.id, name, target, details),
      apply: (id: number) => {
        this.addNew(directory, name, id, 'symlink', details, target);
      },
      ...this.refusalOf(directory, name),
    };
  }

  private linkStep(): Step {
    const directory = this.anyDirectory();
    const name = this.anyName();
    const node = this.anyNode();
    const refusal = this.refusalOf(directory, name);
    return {
      edit: (editor) => editor.createLink(directory.id, name, node.id),
      apply: () => {
        directory.entries.set(name, node);
        node.links += 1;
        node.changed = this.now;
        this.touch(directory);
      },
      ...(node.type === 'directory' && { refused: 'not-a-file' }),
      ...refusal,
    };
  }

  private writeStep(): Step {
    const node = this.anyNode('file');
    const { largest } = this.options;
    const offset = this.random.below(3) === 0 ? node.content.length : this.random.below(largest);
    const room = Math.max(
      1,
      Math.min(largest - offset, this.random.below(5) === 0 ? largest : 9000),
    );
    const bytes = this.random.bytes(1 + this.random.below(room));
    return {
      edit: (editor) => editor.write(node.id, offset, bytes),
      apply: () => {
        const content = Buffer.alloc(Math.max(node.content.length, offset + bytes.length));
        node.content.copy(content);
        bytes.copy(content, offset);
        this.setContent(node, content);
      },
      ...(node.type !== 'file' && { refused: 'not-a-file' }),
    };
  }

  private sizeStep(): Step {
    const node = this.anyNode('file');
    const size = this.random.below(4) === 0 ? 0 : this.random.below(this.options.largest);
    return {
      edit: (editor) => editor.setSize(node.id, size),
      apply: () => {
        const content = Buffer.alloc(size);
        node.content.copy(content);
        this.setContent(node, content);
      },
      ...(node.type !== 'file' && { refused: 'not-a-file' }),
    };
  }

  private preallocateStep(): Step {
    const node = this.anyNode('file');
    const offset = this.random.below(this.options.largest / 2);
    const length = 1 + this.random.below(this.options.largest / 2);
    const keepSize = this.random.below(8) === 0;
    const zero = this.random.below(4) === 0;
    const before = { modified: node.modified, changed: node.changed };
    return {
      edit: (editor) => {
        editor.preallocate(node.id, { offset, length, keepSize, zero });
        return null;
      },
      apply: () => {
        const end = offset + length;
        if (end > node.content.length && !keepSize) {
          const content = Buffer.alloc(end);
          node.content.copy(content);
          this.setContent(node, content);
          return;
        }
        // Without a hole to fill nothing has changed; else only the inode has.
        const { changed } = this.open().node(node.id);
        node.changed = changed?.seconds === this.clock ? this.now : before.changed;
      },
      ...(keepSize && !this.options.hasExtents && { refused: 'unsupported' }),
      ...(node.type !== 'file' && { refused: 'not-a-file' }),
    };
  }

  private moveStep(): Step {
    const found = this.anyEntry();
    if (!found) return this.createStep('file');
    const { directory, name } = found;
    const stays = this.random.below(2) === 0;
    const target = stays ? directory : this.anyDirectory();
    const newName = this.random.below(10) === 0 ? name : this.anyName();
    return this.moveOf(found, target, newName);
  }

  private moveOf(found: FoundEntry, target: ModelNode, newName: string): Step {
    const { directory, name, node } = found;
    const isSame = target === directory && newName === name;
    const refusal = isSame ? {} : this.refusalOf(target, newName);
    const isInside = node.type === 'directory' && isWithin(target, node);
    return {
      edit: (editor) => editor.move(keyOf(found), target.id, newName),
      apply: () => {
        if (isSame) return;
        directory.entries.delete(name);
        target.entries.set(newName, node);
        node.changed = this.now;
        this.touch(directory);
        this.touch(target);
        if (node.type !== 'directory' || target === directory) return;
        node.parent = target;
        directory.links -= 1;
        target.links += 1;
      },
      ...(isInside && { refused: 'usage' }),
      ...refusal,
    };
  }

  private removeStep(): Step {
    const found = this.anyEntry();
    return found ? this.removalOf(found) : this.createStep('directory');
  }

  removalOf(found: FoundEntry): Step {
    const { directory, name, node } = found;
    return {
      edit: (editor) => editor.remove(keyOf(found)),
      apply: () => {
        directory.entries.delete(name);
        this.touch(directory);
        if (node.type === 'directory') {
          directory.links -= 1;
          this.directories.splice(this.directories.indexOf(node), 1);
          this.nodes.delete(node);
        } else {
          node.links -= 1;
          node.changed = this.now;
          if (node.links === 0) this.nodes.delete(node);
        }
      },
      ...(node.entries.size > 0 && { refused: 'not-empty' }),
    };
  }

  private changeStep(): Step {
    const node = this.anyNode();
    const { random } = this;
    const isPlain = node.type === 'symlink';
    const possible = knownAttributes.filter((name) =>
      isPlain
        ? name === 'no-dump' || name === 'no-atime'
        : node.type === 'directory' || name !== 'synchronous-directory-updates',
    );
    const set = possible.filter(() => random.below(4) === 0);
    const clear = possible.filter((name) => !set.includes(name) && random.below(3) === 0);
    const changes = {
      ...(random.below(2) === 0 && { mode: random.below(0o10000) }),
      ...(random.below(3) === 0 && { uid: random.one([0, 1000, 65_535, 65_536, 3_000_000_000]) }),
      ...(random.below(3) === 0 && { gid: random.one([0, 100, 70_000]) }),
      ...(random.below(3) === 0 && { modified: this.anyTime() }),
      ...(random.below(3) === 0 && { accessed: this.anyTime() }),
    };
    const wrong =
      random.below(12) === 0 ? random.one(['indexed-directory', 'extents', 'what']) : null;
    return {
      edit: (editor) =>
        editor.change(node.id, { ...changes, set: wrong ? [...set, wrong] : set, clear }),
      apply: () => {
        if (changes.mode !== undefined) node.mode = (node.mode & 0o170000) | changes.mode;
        node.uid = changes.uid ?? node.uid;
        node.gid = changes.gid ?? node.gid;
        node.modified = changes.modified ?? node.modified;
        node.accessed = changes.accessed ?? node.accessed;
        node.changed = this.now;
        for (const name of set) node.attributes.add(name);
        for (const name of clear) node.attributes.delete(name);
      },
      ...(wrong && { refused: 'unsupported' }),
    };
  }

  private labelStep(): Step {
    const label = this.random.one(['', 'short', 'exactly16bytes!!', 'grün', 'seventeen bytes!!']);
    return {
      edit: (editor) => editor.setLabel(label),
      apply: () => {
        this.label = label;
      },
      ...(Buffer.byteLength(label) > 16 && { refused: 'usage' }),
    };
  }

  private addNew(
    directory: ModelNode,
    name: string,
    id: number,
    type: ModelNode['type'],
    details: NewNode,
    target = '',
  ): ModelNode {
    const bits = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };
    const usual = { file: 0o644, directory: 0o755, symlink: 0o777 };
    const handsDown = (directory.mode & 0o2000) !== 0;
    const inherited = handsDown && type === 'directory' ? 0o2000 : 0;
    const node = newNode({
      id,
      type,
      mode: bits[type] | (details.mode ?? usual[type] | inherited),
      uid: details.uid ?? 0,
      gid: details.gid ?? (handsDown ? directory.gid : 0),
      modified: details.modified ?? this.now,
      accessed: this.now,
      changed: this.now,
      target,
      attributes: new Set([...directory.attributes].filter((flag) => inheritedBy(type, flag))),
    });
    directory.entries.set(name, node);
    this.nodes.add(node);
    this.touch(directory);
    return node;
  }

  private touch(directory: ModelNode): void {
    directory.modified = this.now;
    directory.changed = this.now;
  }

  private setContent(node: ModelNode, content: Buffer): void {
    node.content = content;
    this.touch(node);
  }

  private refusalOf(directory: ModelNode, name: string): { refused?: ImageErrorCode } {
    if (name === '' || name === '.' || name === '..' || name.includes('/'))
      return { refused: 'usage' };
    if (name.includes('\0') || Buffer.byteLength(name) > 255) return { refused: 'usage' };
    return directory.entries.has(name) ? { refused: 'exists' } : {};
  }

  private anyDirectory(): ModelNode {
    return this.random.one(this.directories);
  }

  private anyNode(type?: 'file'): ModelNode {
    const all = [this.root, ...this.nodes].slice(-80);
    const fitting =
      type && this.random.below(20) > 0 ? all.filter((node) => node.type === type) : all;
    return this.random.one(fitting.length > 0 ? fitting : all);
  }

  private anyEntry(): FoundEntry | null {
    const directory = this.anyDirectory();
    const names = [...directory.entries.keys()];
    if (names.length === 0) return null;
    const name = this.random.one(names);
    const node = directory.entries.get(name);
    return node ? { directory, name, node } : null;
  }

  private anyName(): string {
    const { random } = this;
    const number = random.below(60);
    const dice = random.below(40);
    if (dice === 0) return random.one(['', '.', '..', 'a/b', 'nul\0', 'ü'.repeat(128)]);
    if (dice < 4) return `${number}`.padEnd(255, 'long name ');
    if (dice < 8) return `日本語 ${number}`;
    return `name ${number}${'x'.repeat(random.below(20))}`;
  }

  private anyDetails(): NewNode {
    const { random } = this;
    if (random.below(3) === 0) return {};
    return {
      mode: random.below(0o10000),
      uid: random.below(2) === 0 ? 0 : 1000 + random.below(100_000),
      gid: random.below(100_000),
      ...(random.below(2) === 0 && { modified: this.anyTime() }),
    };
  }

  private anyTime(): Timestamp {
    return { seconds: this.random.below(2 ** 31), nanoseconds: this.random.below(1_000_000_000) };
  }
}

export interface FoundEntry {
  readonly directory: ModelNode;
  readonly name: string;
  readonly node: ModelNode;
}

function keyOf({ directory, name, node }: FoundEntry): EntryKey {
  return { directory: directory.id, node: node.id, name: new TextEncoder().encode(name) };
}

function isWithin(directory: ModelNode, node: ModelNode): boolean {
  for (let at: ModelNode | null = directory; at; at = at.parent) if (at === node) return true;
  return false;
}

/** `EXT2_FL_INHERITED` of Linux, as far as the model knows the flags. */
function inheritedBy(type: ModelNode['type'], attribute: string): boolean {
  if (attribute === 'no-dump' || attribute === 'no-atime') return true;
  if (type === 'symlink') return false;
  if (attribute === 'synchronous-directory-updates') return type === 'directory';
  return ['secure-deletion', 'synchronous-updates', 'no-tail-merging'].includes(attribute);
}
