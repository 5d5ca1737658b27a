import { readBytes } from '../image/bytes';
import type { Finding } from '../filesystem/finding';
import { bootSector32, slotSize } from './boot-sector';
import { ClusterRuns, followChain } from './chain';
import { chainProblems, firstClusterProblem, missingProblems, type ChainOwner } from './content';
import type { FatVolume } from './fat-volume';
import { firstClusterOf, isDotSlot, shortSlot, slotKind } from './slots';

/** The driver lets no directory grow past this: 65,536 slots. */
export const largestDirectory = 2 * 1024 * 1024;

/** The slots of a directory, in one piece of memory, with the place of each. */
export class DirectorySlots {
  private loaded: Uint8Array | undefined;

  constructor(
    private readonly volume: FatVolume,
    /** The clusters that hold it; undefined for the fixed root. */
    readonly runs: ClusterRuns | undefined,
    readonly problems: readonly Finding[],
    /** True where the directory is deleted and its chain was guessed. */
    readonly isDeleted = false,
  ) {}

  /** In bytes. */
  get size(): number {
    const { rootSize, clusterSize } = this.volume.boot;
    return this.runs ? this.runs.count * clusterSize : rootSize;
  }

  get count(): number {
    return Math.floor(this.size / slotSize);
  }

  get bytes(): Uint8Array {
    return (this.loaded ??= this.load());
  }

  /** Where a slot lies in the volume, in bytes. */
  offsetOf(index: number): number {
    const { rootStart, clusterSize } = this.volume.boot;
    const at = index * slotSize;
    if (!this.runs) return rootStart + at;
    const cluster = this.runs.cluster(Math.floor(at / clusterSize));
    return this.volume.clusterStart(cluster) + (at % clusterSize);
  }

  private load(): Uint8Array {
    const { rootStart, clusterSize } = this.volume.boot;
    const { runs } = this;
    if (!runs) return readBytes(this.volume.bytes, rootStart, this.size);
    const bytes = new Uint8Array(this.size);
    for (let run = 0; run < runs.runs; run++) {
      const from = runs.logical(run) * clusterSize;
      const part = bytes.subarray(from, from + runs.length(run) * clusterSize);
      this.volume.bytes.read(this.volume.clusterStart(runs.start(run)), part);
    }
    return bytes;
  }
}

export function readRoot(volume: FatVolume): DirectorySlots {
  const { bits, rootCluster, sector, sectorSize } = volume.boot;
  if (bits !== 32) return new DirectorySlots(volume, undefined, rootProblems(volume));
  const { offset, length } = bootSector32.fields.BPB_RootClus;
  const place = { offset: sector * sectorSize + offset, length };
  return readDirectory(volume, { ...place, firstCluster: rootCluster, size: 0 });
}

/** The fixed root of FAT12 and FAT16 has no clusters; a truncated image may still lack it. */
function rootProblems(volume: FatVolume): Finding[] {
  const { rootStart, rootSize } = volume.boot;
  const missing = rootStart + rootSize - volume.bytes.present;
  if (missing <= 0) return [];
  return [
    {
      code: 'content-beyond-image',
      severity: 'error',
      message: 'The image ends before the root directory does: what is missing reads as zeros.',
      offset: volume.inImage(rootStart),
      length: rootSize,
      fixable: false,
    },
  ];
}

/** The directory whose slot says where it starts. */
export function readDirectory(volume: FatVolume, owner: ChainOwner): DirectorySlots {
  const startProblem = firstClusterProblem(volume, owner);
  if (startProblem) return new DirectorySlots(volume, new ClusterRuns(), [startProblem]);
  const limit = Math.ceil(largestDirectory / volume.boot.clusterSize);
  const chain = followChain(volume.table, owner.firstCluster, limit);
  const problems = [...chainProblems(volume, chain), ...missingProblems(volume, chain.runs)];
  return new DirectorySlots(volume, chain.runs, problems);
}

/**
 * A deleted directory has no chain left. It is believed where its first cluster is free and still
 * starts with its own `.` slot; what follows is taken as far as it is free, up to the end mark.
 */
export function readDeletedDirectory(volume: FatVolume, owner: ChainOwner): DirectorySlots {
  const { clusterSize } = volume.boot;
  const runs = new ClusterRuns();
  const read = volume.table.reader();
  let cluster = owner.firstCluster;
  while (runs.count * clusterSize < largestDirectory) {
    if (!volume.table.has(cluster) || read(cluster) !== 0) break;
    const bytes = readBytes(volume.bytes, volume.clusterStart(cluster), clusterSize);
    if (runs.count === 0 && !startsDirectory(volume, bytes, cluster)) break;
    runs.add(cluster);
    if (hasEndMark(bytes)) break;
    cluster += 1;
  }
  const problem: Finding = {
    code: 'deleted-directory',
    severity: 'note',
    message:
      runs.count > 0
        ? `The directory is deleted and its chain is gone; taken to lie in one piece of ${runs.count} clusters.`
        : 'The directory is deleted and its first cluster is no longer its own.',
    offset: volume.inImage(owner.offset),
    length: owner.length,
    cluster: owner.firstCluster,
    fixable: false,
  };
  return new DirectorySlots(volume, runs, [problem], true);
}

function startsDirectory(volume: FatVolume, bytes: Uint8Array, cluster: number): boolean {
  if (!isDotSlot(bytes, 0) || bytes[1] === bytes[0]) return false;
  const slot = shortSlot.read(new DataView(bytes.buffer, bytes.byteOffset));
  return firstClusterOf(slot, volume.boot.bits) === cluster;
}

function hasEndMark(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += slotSize)
    if (slotKind(bytes, at) === 'end') return true;
  return false;
}
