import * as vscode from 'vscode';
import type { ListQuery, NodeDetails, NodeId } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { formatSize } from '../../protocol/sizes';
import type { OpenImage } from '../image/open-image';
import type { ImageLease, OpenImages } from '../image/open-images';
import { displayed } from '../shared/messages';
import {
  canLead,
  contentScheme,
  fromUriParts,
  toUriParts,
  type ContentAddress,
} from './content-address';

/** What is asked of the engine at a time, in bytes. */
const chunkSize = 4 * 1024 * 1024;
/** Rows of a directory that are asked for at a time, and that a tree of files can use. */
const pageSize = 2000;
const entryLimit = 20_000;
/** How long an image stays open that was only asked for a file, in milliseconds. */
const linger = 10_000;

/** A directory's entry by its name. */
interface ContentEntry {
  readonly name: string;
  readonly type: NodeDetails['type'];
}

/** What is known of a file inside an image. */
interface ContentFacts {
  readonly details: NodeDetails;
  readonly isWritable: boolean;
  /** When the image was last read anew, in milliseconds since 1970. */
  readonly renewed: number;
}

/** The files inside images, by the URIs that name them. */
export class Contents {
  constructor(private readonly images: OpenImages) {}

  /** The image that holds a file, kept open until the lease ends. */
  acquireImage(uri: vscode.Uri): ImageLease {
    return this.images.acquire(vscode.Uri.parse(this.addressOf(uri).image, true));
  }

  /** @throws RemoteError `not-found` for a URI that names no file */
  addressOf(uri: vscode.Uri): ContentAddress {
    const address = fromUriParts(uri);
    if (!address) throw new RemoteError('not-found', `${uri.toString(true)} names no file.`);
    return address;
  }

  async facts(uri: vscode.Uri): Promise<ContentFacts> {
    return this.use(uri, async (image, address) => {
      const { volume } = address;
      const node = await nodeAt(image, address);
      const details = await image.engine.request('details', [volume, node, 0]);
      return { details, isWritable: await isWritable(image, address), renewed: image.renewed };
    });
  }

  /**
   * The whole content of a file.
   * @param limit in bytes
   * @throws RemoteError `unsupported` when it is longer than that, `not-a-file` for a directory
   */
  async read(uri: vscode.Uri, limit: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.use(uri, async (image, address) => {
      const { engine } = image;
      const { volume, path } = address;
      const node = await nodeAt(image, address);
      const { size, type } = await engine.request('details', [volume, node, 0]);
      if (type === 'directory') throw new RemoteError('not-a-file', `${path} is a directory.`);
      if (size > limit) throw tooLong(path, size, limit);
      const content = new Uint8Array(size);
      for (let offset = 0; offset < size; offset += chunkSize) {
        const length = Math.min(chunkSize, size - offset);
        content.set(await engine.request('read', [volume, node, offset, length]), offset);
      }
      return content;
    });
  }

  /** The entries of a directory, as many as a tree of files can use. */
  async entries(uri: vscode.Uri): Promise<ContentEntry[]> {
    return this.use(uri, async (image, address) => {
      const { engine } = image;
      const { volume } = address;
      const directory = await nodeAt(image, address);
      const entries: ContentEntry[] = [];
      for (let start = 0; start < entryLimit; start += pageSize) {
        const query: ListQuery = {
          volume,
          directory,
          deleted: false,
          filter: '',
          sort: 'name',
          descending: false,
          start,
          count: pageSize,
        };
        const { rows } = await engine.request('list', [query]);
        entries.push(...rows.map(({ name, type }) => ({ name, type })));
        if (rows.length < pageSize) break;
      }
      return entries;
    });
  }

  /** Works on the image that holds a file, which stays open for a while. */
  async use<Result>(
    uri: vscode.Uri,
    work: (image: OpenImage, address: ContentAddress) => Promise<Result>,
  ): Promise<Result> {
    const address = this.addressOf(uri);
    const { image, dispose } = this.acquireImage(uri);
    try {
      return await work(image, address);
    } finally {
      setTimeout(dispose, linger);
    }
  }
}

/**
 * The URI of a node. Where its path leads to it, the URI holds nothing else, and goes on to name
 * the same file when the image is written anew.
 */
export async function contentUri(
  image: OpenImage,
  volume: number,
  node: NodeId,
  path: string,
): Promise<vscode.Uri> {
  const address = { image: image.uri.toString(), volume, path };
  const found = await nodeAt(image, address).catch(() => undefined);
  const parts = toUriParts(found === node && canLead(path) ? address : { ...address, node });
  return vscode.Uri.from({ scheme: contentScheme, ...parts });
}

/** The refusal of a file that is longer than `limit` bytes. */
export function tooLong(path: string, size: number, limit: number): RemoteError {
  const message = vscode.l10n.t(
    '{0} is {1} long; files inside images are opened up to {2}. Export it to read it whole.',
    displayed(path),
    formatSize(size),
    formatSize(limit),
  );
  return new RemoteError('unsupported', message);
}

async function nodeAt(image: OpenImage, address: ContentAddress): Promise<NodeId> {
  if (address.node !== undefined) return address.node;
  const steps = await image.engine.request('resolve', [address.volume, address.path]);
  const last = steps.at(-1);
  if (!last) throw new RemoteError('not-found', `There is no ${address.path}.`);
  return last.node;
}

/** What no path leads to can only be read, and so can what lies in an image that cannot change. */
async function isWritable(image: OpenImage, { volume, node }: ContentAddress): Promise<boolean> {
  if (!image.isOwned || node !== undefined) return false;
  const { volumes } = await image.summary();
  return volumes.find(({ index }) => index === volume)?.whyReadOnly === null;
}
