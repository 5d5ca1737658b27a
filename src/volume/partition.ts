import type { ImageBytes } from '../image/bytes';

export type PartitionScheme = 'none' | 'mbr' | 'gpt';

/** Sector sizes that a partition table can count in, in bytes; the most usual first. */
export const sectorSizes = [512, 4096, 2048, 1024] as const;

/** What Linux has numbers for (DISK_MAX_PARTS); bounds a hostile table. */
export const partitionLimit = 256;

/** One entry of a partition table that leads somewhere. */
export interface Partition {
  /** As the tools number it: from 1; logical partitions of an MBR from 5. */
  readonly number: number;
  /** Where it starts in the image and how long it is, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** Two hexadecimal digits on MBR, a GUID on GPT. */
  readonly type: string;
  /** The name GPT keeps; empty on MBR. */
  readonly name: string;
}

export interface PartitionTable {
  readonly scheme: 'mbr' | 'gpt';
  /** The unit that it counts in, in bytes. */
  readonly sectorSize: number;
  /** In the order of the table. */
  readonly partitions: readonly Partition[];
  /** Whole sentences on what is unusual about the table. */
  readonly notes: readonly string[];
}

/** What is wrong with the places of the partitions; undefined when they could all be true. */
export function misplacement(
  partitions: readonly Partition[],
  image: ImageBytes,
): string | undefined {
  const atStart = partitions.find((partition) => partition.offset === 0);
  if (atStart) return `partition ${atStart.number} starts at the very start of the image`;
  const beyond = partitions.find((partition) => missingBytes(partition, image) > 0);
  if (beyond) return `partition ${beyond.number} reaches past the end of the image`;
  return overlap(partitions);
}

/** Which partitions overlap; undefined when none do. */
export function overlap(partitions: readonly Partition[]): string | undefined {
  const byPlace = [...partitions].sort((a, b) => a.offset - b.offset);
  for (let i = 1; i < byPlace.length; i++) {
    const [before, after] = [byPlace[i - 1], byPlace[i]];
    if (before.offset + before.length > after.offset) {
      return `partitions ${before.number} and ${after.number} overlap`;
    }
  }
  return undefined;
}

/** How many bytes of the partition the image does not hold. */
export function missingBytes(
  partition: { readonly offset: number; readonly length: number },
  image: ImageBytes,
): number {
  const end = partition.offset + partition.length;
  return Math.max(0, Math.min(partition.length, end - image.size));
}
