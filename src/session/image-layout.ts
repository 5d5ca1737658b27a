import type { StructureBranch } from '../filesystem/disk-layout';
import type { FileSystem } from '../filesystem/filesystem';
import type { Progress } from '../filesystem/progress';
import type { DescribedStructure } from '../filesystem/structure';
import { readBytes, type ImageBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import type { FoundVolumes } from '../volume/find-volumes';
import { PartitionStructures } from '../volume/partition-structures';
import { attempt } from './entry-facts';
import type { ImagePlace, SearchQuery } from './layout-answers';
import { search } from './search';

const readLimit = 16 * 1024 * 1024;

/** A volume, as far as its place in the image goes. */
interface LaidOutVolume {
  readonly fileSystem: FileSystem;
}

/** How an image lies on disk as a whole: its bytes, and the structures of it and of its volumes. */
export class ImageLayout {
  private knownTable: PartitionStructures | undefined;

  /**
   * @param image the bytes as they are shown
   * @param openVolume a volume by its index; throws an `ImageError` where it cannot be opened
   */
  constructor(
    private readonly image: ImageBytes,
    private readonly found: FoundVolumes,
    private readonly openVolume: (index: number) => LaidOutVolume,
  ) {}

  /**
   * A level of the tree of structures: of a volume, or with null of the partition table.
   * @throws ImageError for a volume that cannot be opened
   */
  structureBranches(volume: number | null, key: string | null): StructureBranch[] {
    if (volume === null) return this.table.branches(key ?? undefined);
    return this.openVolume(volume).fileSystem.structureBranches(key ?? undefined);
  }

  /** @throws ImageError `not-found` for a key that is not in the tree */
  structure(volume: number | null, key: string): DescribedStructure {
    return volume === null
      ? this.table.structure(key)
      : this.openVolume(volume).fileSystem.structure(key);
  }

  /** The structures that cover a range of the image, the outermost first. */
  structuresAt(offset: number, length: number): DescribedStructure[] {
    const end = offset + length;
    const structures = this.table.at(offset, length);
    for (const [index, volume] of this.found.volumes.entries()) {
      const from = Math.max(offset, volume.offset);
      const to = Math.min(end, volume.offset + volume.length);
      if (from >= to) continue;
      const opened = attempt(() => this.openVolume(index));
      if (typeof opened === 'string') continue;
      structures.push(...opened.fileSystem.structuresAt(from, to - from));
    }
    return structures;
  }

  /** The volume and unit that hold a byte of the image. */
  placeAt(offset: number): ImagePlace {
    const volume = this.found.volumes.findIndex(
      (found) => offset >= found.offset && offset < found.offset + found.length,
    );
    if (volume < 0) return { volume: null, unit: null };
    const opened = attempt(() => this.openVolume(volume));
    if (typeof opened === 'string') return { volume, unit: null };
    const { unit } = opened.fileSystem;
    const index = Math.floor((offset - opened.fileSystem.offsetOf(unit.first)) / unit.size);
    return { volume, unit: index >= 0 && index < unit.count ? unit.first + index : null };
  }

  /** The bytes from `offset` on; shorter than `length` at the end, and never above 16 MiB. */
  bytes(offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length >= 0)) {
      throw new ImageError('usage', `There are no ${length} bytes from byte ${offset} on.`);
    }
    const left = Math.max(0, this.image.size - offset);
    return readBytes(this.image, offset, Math.min(length, left, readLimit));
  }

  /** Where a pattern next stands in the image, in bytes; null where it does not. */
  search(query: SearchQuery, progress?: Progress): number | null {
    return search(this.image, query, progress);
  }

  private get table(): PartitionStructures {
    const { scheme, sectorSize } = this.found;
    return (this.knownTable ??= new PartitionStructures(this.image, scheme, sectorSize));
  }
}
