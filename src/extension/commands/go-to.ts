import * as vscode from 'vscode';
import type { Destination, EntryPlace, PathStep, Selection, ViewId } from '../../protocol/requests';
import { visibleText } from '../../protocol/visible-text';
import type { Inspector } from '../editor/inspector';
import { messageOf } from '../shared/messages';
import {
  readPlace,
  type PlaceContext,
  type ReadPlace,
  type TypedPlace,
  type WrongPlace,
} from './input/places';
import type { InspectorAction } from './inspector-command';

/** Asks for a place in the image, says what it means while it is typed, and shows it. */
export const goTo: InspectorAction = async (inspector) => {
  const { engine } = inspector.image;
  const { selection } = inspector;
  const { image, volumes } = await engine.request('summary', []);
  const context: PlaceContext = {
    imageSize: image.size,
    volume: volumes.find(({ index }) => index === selection?.volume),
    view: placeView(selection),
  };
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Go to…');
  input.placeholder = vscode.l10n.t('/path, inode 12, block 5, 0x1f400 or s64');
  input.value = startOf(selection, context);
  const describe = () => {
    const read = readPlace(input.value, context);
    input.prompt = hintFor(read, context);
    input.validationMessage = read.kind === 'wrong' ? sentenceFor(read.why) : undefined;
  };
  describe();
  input.onDidChangeValue(describe);
  input.onDidHide(() => input.dispose());
  input.onDidAccept(async () => {
    const read = readPlace(input.value, context);
    if (read.kind !== 'place') return;
    input.busy = true;
    try {
      const volume = context.volume?.index ?? 0;
      const destination = await destinationOf(inspector, volume, read.place);
      inspector.reveal(destination, read.view);
      input.hide();
    } catch (error) {
      input.validationMessage = messageOf(error);
    } finally {
      input.busy = false;
    }
  });
  input.show();
};

/** Where a path or a node is shown: findings are no places. */
function placeView(selection: Selection | undefined): ViewId {
  const view = selection?.view ?? 'files';
  return view === 'checks' ? 'files' : view;
}

/** What is chosen in the view that is shown. */
function startOf(selection: Selection | undefined, { volume, view }: PlaceContext): string {
  const { bytes, unit, entry } = selection ?? {};
  if (view === 'structures' && bytes) return `0x${bytes.offset.toString(16)}`;
  if (view === 'space' && unit !== undefined) return `${volume?.unit?.name ?? 'block'} ${unit}`;
  const path = entry?.path ?? entry?.directoryPath ?? '';
  // What is typed has to be the path itself, which a field would show reordered.
  return visibleText(path) === path ? path : '';
}

async function destinationOf(
  inspector: Inspector,
  volume: number,
  place: TypedPlace,
): Promise<Destination> {
  switch (place.kind) {
    case 'path': {
      const steps = await inspector.image.engine.request('resolve', [volume, place.path]);
      return { kind: 'entry', entry: entryAt(volume, steps) };
    }
    case 'inode':
      return { kind: 'node', volume, node: place.number };
    case 'unit':
      return { kind: 'unit', volume, unit: place.number };
    case 'byte':
      return { kind: 'bytes', bytes: { offset: place.offset, length: 1 } };
  }
}

const titles = (): Readonly<Record<ViewId, string>> => ({
  files: vscode.l10n.t('Files'),
  records: vscode.l10n.t('Records'),
  space: vscode.l10n.t('Space'),
  structures: vscode.l10n.t('Structures'),
  checks: vscode.l10n.t('Checks'),
});

function hintFor(read: ReadPlace, context: PlaceContext): string {
  if (read.kind !== 'place') return formsOf(context);
  const view = titles()[read.view];
  const { place } = read;
  switch (place.kind) {
    case 'path':
      return vscode.l10n.t('The path {0}, shown in {1}', visibleText(place.path), view);
    case 'inode':
      return vscode.l10n.t('Inode {0}, shown in {1}', format(place.number), view);
    case 'unit':
      return context.volume?.unit?.name === 'cluster'
        ? vscode.l10n.t('Cluster {0}, shown in {1}', format(place.number), view)
        : vscode.l10n.t('Block {0}, shown in {1}', format(place.number), view);
    case 'byte':
      return vscode.l10n.t(
        'Byte {0} (0x{1}) of the image, shown in {2}',
        format(place.offset),
        place.offset.toString(16),
        view,
      );
  }
}

function formsOf({ volume }: PlaceContext): string {
  if (!volume?.unit) return vscode.l10n.t('A byte offset (0x1f400, @131072) or a sector (s64)');
  return volume.inodes === null
    ? vscode.l10n.t('A path, cluster 5, a byte offset (0x1f400, @131072) or a sector (s64)')
    : vscode.l10n.t(
        'A path, inode 12 (#12), block 5, a byte offset (0x1f400, @131072) or a sector (s64)',
      );
}

function sentenceFor(why: WrongPlace): string {
  switch (why.problem) {
    case 'no-filesystem':
      return vscode.l10n.t('No filesystem is open here; a byte offset or a sector can be shown.');
    case 'no-inodes':
      return vscode.l10n.t('FAT has no inodes; a path or a cluster can be shown.');
    case 'no-number':
      return vscode.l10n.t('{0} is no number.', visibleText(why.typed));
    case 'out-of-range':
      if (why.last < why.first) return vscode.l10n.t('The image is empty.');
      return vscode.l10n.t(
        'There is no such {0}: they run from {1} to {2}.',
        nounFor(why.what),
        format(why.first),
        format(why.last),
      );
  }
}

function nounFor(what: Extract<WrongPlace, { problem: 'out-of-range' }>['what']): string {
  const nouns = {
    inode: vscode.l10n.t('inode'),
    block: vscode.l10n.t('block'),
    cluster: vscode.l10n.t('cluster'),
    byte: vscode.l10n.t('byte'),
    sector: vscode.l10n.t('sector'),
  };
  return nouns[what];
}

const format = (value: number) => value.toLocaleString('en-US');

/** A directory is shown from inside, anything else as chosen in its directory. */
function entryAt(volume: number, steps: readonly PathStep[]): EntryPlace {
  const last = steps[steps.length - 1];
  if (last.type === 'directory') {
    return { volume, directory: last.node, directoryPath: pathOf(steps) };
  }
  const above = steps.slice(0, -1);
  return {
    volume,
    directory: above[above.length - 1].node,
    directoryPath: pathOf(above),
    node: last.node,
    path: pathOf(steps),
    type: last.type,
  };
}

function pathOf(steps: readonly PathStep[]): string {
  const names = steps.slice(1).map((step) => step.name);
  return `/${names.join('/')}`;
}
