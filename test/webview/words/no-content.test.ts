import { expect, it } from 'vitest';
import { canExport, whyNoContent } from '../../../webview/words/no-content';

it('pipes, devices and sockets have no content', () => {
  expect(whyNoContent('/dev/pipe', 'fifo')).toBe('/dev/pipe is a named pipe: it has no content.');
  expect(whyNoContent('/dev/sda', 'blockdev')).toContain('/dev/sda is a block device');
  expect(whyNoContent('/dev/tty', 'chardev')).toContain('/dev/tty is a character device');
  expect(whyNoContent('/run/bus', 'socket')).toContain('/run/bus is a socket');
  for (const type of ['file', 'directory', 'symlink', 'unknown'] as const) {
    expect(whyNoContent('/a', type)).toBeNull();
  }
});

it('files and directories can be exported by themselves', () => {
  const types = ['file', 'directory', 'symlink', 'fifo', 'socket', 'chardev', 'unknown'] as const;
  expect(types.filter(canExport)).toEqual(['file', 'directory']);
});
