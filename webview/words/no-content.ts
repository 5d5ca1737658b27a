import type { NodeType } from '../../src/protocol/requests';

const kinds: Partial<Readonly<Record<NodeType, string>>> = {
  chardev: 'a character device',
  blockdev: 'a block device',
  fifo: 'a named pipe',
  socket: 'a socket',
};

/** Whether an entry of this type can be written to the host by itself. */
export function canExport(type: NodeType): boolean {
  return type === 'file' || type === 'directory';
}

/** Says why there is nothing to open; null for types that have a content. */
export function whyNoContent(path: string, type: NodeType): string | null {
  const kind = kinds[type];
  return kind === undefined ? null : `${path} is ${kind}: it has no content.`;
}
