import * as vscode from 'vscode';
import { RemoteError } from '../protocol/rpc';
import { formatSize } from '../protocol/sizes';
import type { ImageSource } from '../worker/client';
import { contentScheme } from './content-address';
import { messageOf } from './messages';

/** What an image may have that is held in memory because its host has no file for it. */
const memoryImageLimit = 256 * 1024 * 1024;

/** Reads a file inside an image. */
export type ReadContent = (uri: vscode.Uri, limit: number) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Where the engine reads an image: its file, or its bytes where it lies in a virtual workspace or
 * inside another image.
 * @throws RemoteError `unreadable`, or `unsupported` where it is too large for memory
 */
export async function openSource(uri: vscode.Uri, readContent: ReadContent): Promise<ImageSource> {
  const codePage = vscode.workspace.getConfiguration('fsimg', uri).get<number>('codePage');
  if (uri.scheme === 'file') return { path: uri.fsPath, codePage };
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > memoryImageLimit) throw tooLarge(size);
    if (uri.scheme === contentScheme) {
      return { bytes: await readContent(uri, memoryImageLimit), codePage };
    }
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { bytes: new Uint8Array(bytes), codePage }; // a copy: the engine takes the whole buffer
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    throw new RemoteError('unreadable', messageOf(error));
  }
}

function tooLarge(size: number): RemoteError {
  const message = vscode.l10n.t(
    'This image is not a file of this machine and would have to be read into memory: {0} is more than the {1} that can be.',
    formatSize(size),
    formatSize(memoryImageLimit),
  );
  return new RemoteError('unsupported', message);
}
