import { openExt } from '../ext/ext-filesystem';
import { recogniseBackupExt, recogniseExt } from '../ext/recognise';
import { codePages } from '../fat/code-pages';
import { openFat } from '../fat/fat-filesystem';
import { recogniseBackupFat, recogniseFat } from '../fat/recognise';
import type { FileSystem, FileSystemType, ReadOptions } from '../filesystem/filesystem';
import type { VolumeBytes } from '../image/bytes';
import type { Recognisers } from '../volume/find-volumes';

/** A family of filesystems that can be read. */
interface Family {
  /** By the boot sector or superblock where it belongs. */
  readonly recognise: (volume: VolumeBytes) => FileSystemType | undefined;
  /** By a backup of it. */
  readonly recogniseBackup: (volume: VolumeBytes) => FileSystemType | undefined;
  readonly open: (volume: VolumeBytes, options: ReadOptions) => FileSystem;
}

const families: readonly Family[] = [
  { recognise: recogniseFat, recogniseBackup: recogniseBackupFat, open: openFat },
  { recognise: recogniseExt, recogniseBackup: recogniseBackupExt, open: openExt },
];

/** Numbers of the code pages that names can be read in; which one is up to whoever opens. */
export const knownCodePages: readonly number[] = codePages;

const first = <Item, Result>(items: readonly Item[], ask: (item: Item) => Result | undefined) => {
  for (const item of items) {
    const result = ask(item);
    if (result !== undefined) return result;
  }
  return undefined;
};

/** How volumes are told apart, by what the families say. */
export const recognisers: Recognisers = {
  primary: (volume) => first(families, (family) => family.recognise(volume)),
  backup: (volume) => first(families, (family) => family.recogniseBackup(volume)),
};

/**
 * Opens the filesystem of a volume that `recognisers` know.
 * @throws ImageError when its structures make no sense
 */
export function openFileSystem(volume: VolumeBytes, options: ReadOptions): FileSystem | undefined {
  const family =
    families.find(({ recognise }) => recognise(volume) !== undefined) ??
    families.find(({ recogniseBackup }) => recogniseBackup(volume) !== undefined);
  return family?.open(volume, options);
}
