import { readView } from '../image/bytes';
import type { DescribedStructure } from '../filesystem/structure';
import { firstCluster } from './boot-sector';
import type { FatVolume } from './fat-volume';

/** `first FAT`, `second FAT`, then `FAT 3` and so on. */
export function fatName(copy: number): string {
  return ['first FAT', 'second FAT'][copy] ?? `FAT ${copy + 1}`;
}

/** A whole copy of the FAT. */
export function describeFat(volume: FatVolume, copy: number): DescribedStructure {
  return {
    kind: 'FAT',
    name: fatName(copy),
    offset: volume.inImage(volume.table.entryOffset(0, copy)),
    length: volume.boot.fatSize,
    fields: [],
  };
}

/** The entry of a cluster, or one of the two before them. */
export function describeEntry(
  volume: FatVolume,
  copy: number,
  cluster: number,
): DescribedStructure {
  const { table } = volume;
  const place = table.entryOffset(cluster, copy);
  const offset = volume.inImage(place);
  const length = table.entryLength;
  const value = table.valueIn(readView(volume.bytes, place, length), cluster);
  const name = cluster < firstCluster ? `FAT[${cluster}]` : `entry of cluster ${cluster}`;
  const meaning = entryMeaning(volume, cluster, value);
  return {
    kind: 'FAT entry',
    name: `${name} in the ${fatName(copy)}`,
    offset,
    length,
    fields: [{ name: `FAT[${cluster}]`, offset, length, value, meaning }],
  };
}

function entryMeaning({ table }: FatVolume, cluster: number, value: number): string {
  if (cluster === 0) return 'the media type in its low byte';
  if (cluster === 1) return 'the state of the volume in its top two bits, except on FAT12';
  const meanings = {
    free: 'free',
    bad: 'marked bad',
    end: 'in use, the last of its chain',
    next: `in use, followed by cluster ${value}`,
    'out-of-range': 'in use, followed by a cluster that there is not',
  };
  return meanings[table.meaning(value)];
}
