import { dirname } from 'node:path';
import { diskHost } from './disk-host';
import { ImageError } from './errors';
import type { Overlay, Transaction } from './overlay';
import { readRangeFile, RangeFileWriter, type RangeFileOrigin } from './range-file';
import { writeReplaced } from './range-records';

/**
 * Writes what replaces parts of an image to a file of the host.
 * @throws ImageError `unwritable`, `no-room`; a file of that name is then as it was
 */
export function writeBackup(shown: Overlay, origin: RangeFileOrigin, target: string): void {
  const part = `${target}.part`;
  diskHost.ensureFolder(dirname(target));
  const file = diskHost.create(part);
  try {
    try {
      const writer = new RangeFileWriter(file, origin);
      writeReplaced(writer, shown);
      writer.finish();
      file.sync();
    } finally {
      file.close();
    }
    diskHost.rename(part, target);
  } catch (error) {
    diskHost.remove(part);
    throw error;
  }
}

/**
 * Makes the changes of a backup.
 * @param origin the image that they are made to
 * @throws ImageError `conflict` when the image is not as it was; `corrupt` when it is no whole
 *   backup. The transaction is then to be rolled back
 */
export function readBackup(
  source: string,
  origin: RangeFileOrigin,
  transaction: Transaction,
): void {
  const file = diskHost.open(source, 'read');
  try {
    readRangeFile(
      file,
      ({ kind, size, modified }) => {
        if (kind !== origin.kind) throw new ImageError('corrupt', `${source} is no backup.`);
        if (size === origin.size && modified === origin.modified) return;
        throw new ImageError(
          'conflict',
          'The image has changed since the backup of its changes was made.',
        );
      },
      ({ offset, length, content }) => {
        if (content === 'zeros') transaction.zero(offset, length);
        else if (content === 'hole') transaction.punch(offset, length);
        else transaction.write(offset, content);
      },
    );
  } finally {
    file.close();
  }
}
