import type { NodeId } from '../../filesystem/node';
import { SourceFile } from '../../image/host-source';
import { formatSize } from '../../text/sizes';
import type { HostOperation } from '../operations';
import { nodeChanges } from './attributes';
import { writeInto } from './host-files';
import { importSources } from './import';
import { labelName } from './labels';
import { moveEntry } from './move';
import { removeEntries } from './remove';
import type { Outcome, VolumeChange } from './volume-change';

/** Changes that an editor of a volume makes. */
export type EditorOperation = Exclude<HostOperation, { kind: 'bytes' | 'field' | 'trim' }>;

/**
 * Makes a change of a volume.
 * @throws ImageError whatever refuses it; what was done until then is to be rolled back
 */
export function applyOperation(change: VolumeChange, operation: EditorOperation): Outcome {
  const { editor, before } = change;
  const done = (label: string): Outcome => ({ label, notes: [] });
  const named = (node: NodeId) => labelName(before.nameOf(node));
  switch (operation.kind) {
    case 'preallocate': {
      const { node, request } = operation;
      const allocation = editor.preallocate(node, request);
      const label = `Preallocate ${formatSize(request.length)} for ${named(node)}`;
      return { label, allocation, notes: allocation.notes };
    }
    case 'create': {
      const { type, directory, name } = operation;
      if (type === 'file') editor.createFile(directory, name, {});
      else editor.createDirectory(directory, name, {});
      return done(`New ${type === 'file' ? 'file' : 'folder'} ${labelName(name)}`);
    }
    case 'folders': {
      const { directory, names } = operation;
      names.reduce((parent, name) => editor.createDirectory(parent, name, {}), directory);
      return done(`New folder ${labelName(names.join('/'))}`);
    }
    case 'symlink':
      editor.createSymlink(operation.directory, operation.name, operation.target, {});
      return done(`New symlink ${labelName(operation.name)}`);
    case 'link':
      editor.createLink(operation.directory, operation.name, operation.node);
      return done(`New link ${labelName(operation.name)}`);
    case 'remove':
      return removeEntries(change, operation.entries);
    case 'move':
      return moveEntry(change, operation);
    case 'truncate':
      editor.setSize(operation.node, operation.size);
      return done(`Resize ${named(operation.node)} to ${formatSize(operation.size)}`);
    case 'content':
      // Written over, and not emptied first: it keeps its place.
      if (operation.bytes.length > 0) editor.write(operation.node, 0, operation.bytes);
      editor.setSize(operation.node, operation.bytes.length);
      return done(`Write ${named(operation.node)}`);
    case 'attributes':
      editor.change(operation.node, nodeChanges(operation.changes));
      return done(`Change attributes of ${named(operation.node)}`);
    case 'label':
      editor.setLabel(operation.label);
      return done(
        operation.label === '' ? 'Remove label' : `Set label ${labelName(operation.label)}`,
      );
    case 'import':
      return importSources(change, operation);
    case 'writeFrom':
      return writeFrom(change, operation);
    case 'writeAt':
      editor.write(operation.node, operation.offset, operation.bytes);
      return done(`Write into ${named(operation.node)}`);
  }
}

function writeFrom(
  { editor, before, progress }: VolumeChange,
  { node, offset, path }: Extract<HostOperation, { kind: 'writeFrom' }>,
): Outcome {
  const source = SourceFile.open(path);
  try {
    let done = 0;
    writeInto(editor, node, offset, source, (bytes) =>
      progress.report((done += bytes), source.size),
    );
  } finally {
    source.close();
  }
  return { label: `Write into ${labelName(before.nameOf(node))}`, notes: [] };
}
