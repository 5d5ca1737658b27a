import * as vscode from 'vscode';
import type { EntryRef, NodeId } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { OpenImage } from '../image/open-image';
import { withHostFile } from '../shared/host-files';
import { displayed } from '../shared/messages';
import type { ContentAddress } from './content-address';
import type { Contents } from './contents';

/** A name in a directory that is there, and the node behind it if there is one. */
interface Place {
  readonly directory: NodeId;
  readonly name: string;
  readonly node: NodeId | undefined;
  readonly isDirectory: boolean;
}

/** Changes of the files inside images, by the URIs that name them. */
export class ContentEdits {
  /** @param storage a folder of the host for what has to be a file on its way */
  constructor(
    private readonly contents: Contents,
    private readonly storage: vscode.Uri,
  ) {}

  /**
   * Gives a file another content, or makes it.
   * @throws RemoteError `read-only` where nothing can be changed, `exists`, `not-found`, `full`
   */
  async write(uri: vscode.Uri, bytes: Uint8Array, options: WriteOptions): Promise<void> {
    await this.contents.use(uri, async (image, address) => {
      const { volume } = address;
      const { directory, name, node, isDirectory } = await placeOf(image, address);
      if (isDirectory) throw new RemoteError('not-a-file', `${name} is a directory.`);
      if (node === undefined) {
        if (!options.create) throw new RemoteError('not-found', `There is no ${name}.`);
        // One step of undo, where making it and filling it would be two.
        await withHostFile(this.storage, bytes, (path) =>
          image.edit({
            ...{ kind: 'import', volume, directory, replace: false },
            sources: [{ path, name }],
          }),
        );
        return;
      }
      if (options.create && !options.overwrite) {
        throw new RemoteError('exists', `${name} is there already.`);
      }
      await image.edit({ kind: 'content', volume, node, bytes });
    });
  }

  async createDirectory(uri: vscode.Uri): Promise<void> {
    await this.contents.use(uri, async (image, address) => {
      const { volume } = address;
      const { directory, name } = await placeOf(image, address);
      await image.edit({ kind: 'create', type: 'directory', volume, directory, name });
    });
  }

  /** @param recursive whether a directory goes with what it holds */
  async remove(uri: vscode.Uri, recursive: boolean): Promise<void> {
    await this.contents.use(uri, async (image, address) => {
      const { volume, path } = address;
      const place = await placeOf(image, address);
      if (place.isDirectory && !recursive && (await this.contents.entries(uri)).length > 0) {
        throw new RemoteError('not-empty', `${displayed(path)} is not empty.`);
      }
      await image.edit({ kind: 'remove', volume, entries: [entryAt(place, path)] });
    });
  }

  /**
   * Moves a file or directory within its volume.
   * @throws RemoteError `unsupported` for another volume or image
   */
  async rename(from: vscode.Uri, to: vscode.Uri, overwrite: boolean): Promise<void> {
    await this.contents.use(from, async (image, address) => {
      const { volume, path } = address;
      const target = this.contents.addressOf(to);
      if (target.image !== address.image || target.volume !== volume) {
        throw new RemoteError('unsupported', 'Files are moved within one volume only.');
      }
      const entry = entryAt(await placeOf(image, address), path);
      const { directory, name } = await placeOf(image, target);
      await image.edit({ kind: 'move', volume, entry, directory, name, replace: overwrite });
    });
  }
}

interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
}

/** @throws RemoteError `not-found` where the directory above is not there */
async function placeOf(image: OpenImage, address: ContentAddress): Promise<Place> {
  const { volume, path, node } = address;
  if (node !== undefined || path === '/') {
    const message = vscode.l10n.t('No path leads to this file, so it can only be read.');
    throw new RemoteError('read-only', message);
  }
  const end = path.lastIndexOf('/');
  const { engine } = image;
  const above = (await engine.request('resolve', [volume, path.slice(0, end) || '/'])).at(-1);
  if (!above) throw new RemoteError('not-found', `There is no ${displayed(path)}.`);
  const found = await engine.request('resolve', [volume, path]).catch((error: unknown) => {
    if (error instanceof RemoteError && error.code === 'not-found') return [];
    throw error;
  });
  const last = found.at(-1);
  return {
    directory: above.node,
    // On FAT the name may be written otherwise than it is.
    name: last?.name ?? path.slice(end + 1),
    node: last?.node,
    isDirectory: last?.type === 'directory',
  };
}

function entryAt({ directory, name, node }: Place, path: string): EntryRef {
  if (node === undefined) throw new RemoteError('not-found', `There is no ${displayed(path)}.`);
  return { directory, node, name };
}
