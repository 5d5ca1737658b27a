import { readBytes } from '../image/bytes';
import type { Finding } from '../filesystem/finding';
import { slotSize } from './boot-sector';
import { ClusterRuns, followChain } from './chain';
import { chainProblems, firstClusterProblem, type ChainOwner } from './content';
import type { FatVolume } from './fat-volume';
import { firstClusterOf, isDotSlot, shortSlot, slotKind } from './slots';

/** The driver lets no directory grow past this: 65,536 slots. */
const largestDirectory = 2 * 1024 * 1024;

/** The slots of a directory, in one piece of memory, with the place of each. */
export class DirectorySlots {
  constructor(
    readonly bytes: Uint8Array,
    /** The clusters that hold it; empty for the fixed root. */
    readonly runs: ClusterRuns,
    private readonly placeOf: (byte: number) => number,
    readonly problems: readonly Finding[],
    /** True where the directory is deleted and its chain was guessed. */
    readonly isDeleted: boolean,
  ) {}

  get count(): number {
    return Math.floor(this.bytes.length / slotSize);
  }

  /** Where a slot lies in the volume, in bytes. */
  offsetOf(index: number): number {
    return this.placeOf(index * slotSize);
  }
}

export function readRoot(volume: FatVolume): DirectorySlots {
  const { boot } = volume;
  if (boot.bits === 32) {
    return readDirectory(volume, { offset: 0, firstCluster: boot.rootCluster, size: 0 });
  }
  const bytes = readBytes(volume.bytes, boot.rootStart, boot.rootSize);
  const placeOf = (byte: number) => boot.rootStart + byte;
  return new DirectorySlots(bytes, new ClusterRuns(), placeOf, [], false);
}

/** The directory whose slot says where it starts. */
export function readDirectory(volume: FatVolume, owner: ChainOwner): DirectorySlots {
  const startProblem = firstClusterProblem(volume, owner);
  if (startProblem) return slotsOf(volume, new ClusterRuns(), [startProblem], false);
  const limit = Math.ceil(largestDirectory / volume.boot.clusterSize);
  const chain = followChain(volume.table, owner.firstCluster, limit);
  return slotsOf(volume, chain.runs, chainProblems(volume, chain), false);
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
    length: slotSize,
    cluster: owner.firstCluster,
    fixable: false,
  };
  return slotsOf(volume, runs, [problem], true);
}

function slotsOf(
  volume: FatVolume,
  runs: ClusterRuns,
  problems: readonly Finding[],
  isDeleted: boolean,
): DirectorySlots {
  const { clusterSize } = volume.boot;
  const bytes = new Uint8Array(runs.count * clusterSize);
  for (let run = 0; run < runs.runs; run++) {
    const from = runs.logical(run) * clusterSize;
    const part = bytes.subarray(from, from + runs.length(run) * clusterSize);
    volume.bytes.read(volume.clusterStart(runs.start(run)), part);
  }
  const placeOf = (byte: number) =>
    volume.clusterStart(runs.cluster(Math.floor(byte / clusterSize))) + (byte % clusterSize);
  return new DirectorySlots(bytes, runs, placeOf, problems, isDeleted);
}

function startsDirectory(volume: FatVolume, bytes: Uint8Array, cluster: number): boolean {
  if (!isDotSlot(bytes, 0) || bytes[1] === bytes[0]) return false;
  const slot = shortSlot.read(new DataView(bytes.buffer));
  return firstClusterOf(slot, volume.boot.bits) === cluster;
}

function hasEndMark(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += slotSize)
    if (slotKind(bytes, at) === 'end') return true;
  return false;
}
