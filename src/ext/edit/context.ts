import type { AllocationPolicy } from '../../filesystem/allocation';
import type { EditOptions } from '../../filesystem/editing';
import type { Progress } from '../../filesystem/progress';
import type { Timestamp } from '../../filesystem/timestamp';
import { VolumeBytes, type WritableVolume } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { GroupTable } from '../groups';
import { MetadataTable } from '../metadata';
import { primaryOffset, readSuperblock } from '../superblock';
import type { ExtVolume } from '../volume';
import { VolumeWriter } from '../volume-writer';
import { BlockAllocator } from './block-allocator';
import { EditedBlocks } from './block-store';
import { InodeAllocator } from './inode-allocator';

/** What all parts of an editor share while it makes one change. */
export interface EditContext {
  /** Reads what was changed. */
  readonly volume: ExtVolume;
  /** Where changed blocks are until `store.flush()` writes them. */
  readonly store: EditedBlocks;
  readonly writer: VolumeWriter;
  /** What the volume keeps for itself. */
  readonly metadata: () => MetadataTable;
  readonly blocks: BlockAllocator;
  readonly inodes: InodeAllocator;
  readonly now: Timestamp;
  readonly policy: AllocationPolicy;
  /** Bytes that a write into unwritten blocks writes at a time. */
  readonly chunk?: number;
  readonly progress: Progress;
  /** Inodes whose blocks were found to be sound, or that were made by this editor. */
  readonly sound: Set<number>;
}

/** @throws ImageError `corrupt` where the primary superblock makes no sense */
export function openContext(target: WritableVolume, options: EditOptions): EditContext {
  const reading = readSuperblock(target, primaryOffset);
  if (!('geometry' in reading)) {
    throw new ImageError('corrupt', `The superblock cannot be used: ${reading.broken}.`);
  }
  const { geometry } = reading;
  const store = new EditedBlocks(target, geometry.blockSize);
  const bytes = new VolumeBytes(store, target.offset, target.size);
  const volume = { bytes, geometry, groups: new GroupTable(bytes, geometry) };
  const writer = new VolumeWriter(volume, store);
  // Read when it is asked for: most changes of names never do.
  let known: MetadataTable | undefined;
  const metadata = () => (known ??= new MetadataTable(volume));
  const sound = new Set<number>();
  return {
    volume,
    store,
    writer,
    metadata,
    blocks: new BlockAllocator(writer, store, metadata, options),
    inodes: new InodeAllocator(writer, options.now, sound),
    sound,
    ...options,
  };
}
