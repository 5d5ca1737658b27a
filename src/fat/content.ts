import type { Extent } from '../filesystem/extents';
import type { FileContent } from '../filesystem/file-content';
import type { Finding } from '../filesystem/finding';
import { firstCluster } from './boot-sector';
import { ClusterRuns, followChain, type Chain, type ChainStop } from './chain';
import type { FatVolume } from './fat-volume';

/** A file's size is a 32-bit field, so no chain of a file needs more bytes than this. */
export const largestFile = 0xffffffff;

/** The content of a file or directory, in the clusters of its chain. */
export class ChainContent implements FileContent {
  private extentList: readonly Extent[] | undefined;

  /** @param size in bytes; at most what the runs hold */
  constructor(
    private readonly volume: FatVolume,
    readonly runs: ClusterRuns,
    readonly size: number,
    readonly problems: readonly Finding[],
  ) {}

  get extents(): readonly Extent[] {
    return (this.extentList ??= this.runs.extents());
  }

  get allocated(): number {
    return this.runs.count * this.volume.boot.clusterSize;
  }

  read(offset: number, target: Uint8Array): number {
    const { clusterSize } = this.volume.boot;
    const length = Math.max(0, Math.min(target.length, this.size - offset));
    let done = 0;
    for (let run = this.runs.find(Math.floor(offset / clusterSize)); done < length; run++) {
      const inRun = offset + done - this.runs.logical(run) * clusterSize;
      const part = Math.min(length - done, this.runs.length(run) * clusterSize - inRun);
      const place = this.volume.clusterStart(this.runs.start(run)) + inRun;
      this.volume.bytes.read(place, target.subarray(done, done + part));
      done += part;
    }
    target.fill(0, length);
    return length;
  }
}

/** What says where a chain starts: a slot, or the boot sector for the root of FAT32. */
export interface ChainOwner {
  /** Its place in the volume, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly firstCluster: number;
  /** In bytes. */
  readonly size: number;
}

/** The content of a file that is in use. It ends where its chain does, if that is shorter. */
export function fileContent(volume: FatVolume, file: ChainOwner): ChainContent {
  const { clusterSize } = volume.boot;
  const needed = Math.ceil(file.size / clusterSize);
  if (file.firstCluster === 0 && file.size === 0) {
    return new ChainContent(volume, new ClusterRuns(), 0, []);
  }
  const startProblem = firstClusterProblem(volume, file);
  if (startProblem) return new ChainContent(volume, new ClusterRuns(), 0, [startProblem]);
  const limit = Math.ceil(largestFile / clusterSize);
  const chain = followChain(volume.table, file.firstCluster, limit);
  const problems = chainProblems(volume, chain);
  if (chain.stop === 'end' && chain.runs.count !== needed) {
    problems.push(lengthProblem(volume, chain, needed));
  }
  return whole(volume, chain.runs, file.size, problems);
}

/**
 * The content of a deleted file, as far as it can be told: its chain is gone, so it is taken to
 * have lain in one piece, up to the first cluster that is in use again.
 */
export function deletedContent(volume: FatVolume, file: ChainOwner): ChainContent {
  const { clusterSize } = volume.boot;
  const needed = Math.ceil(file.size / clusterSize);
  const runs = new ClusterRuns();
  const read = volume.table.reader();
  for (let i = 0; i < needed; i++) {
    const cluster = file.firstCluster + i;
    if (!volume.table.has(cluster) || read(cluster) !== 0) break;
    runs.add(cluster);
  }
  if (needed === 0) return new ChainContent(volume, runs, 0, []);
  const left = `${runs.count} of ${needed} clusters are still free`;
  return whole(volume, runs, file.size, [
    {
      code: 'deleted-content',
      severity: 'note',
      message: `The file is deleted and its chain is gone; taken to lie in one piece, ${left}.`,
      offset: volume.inImage(file.offset),
      length: file.length,
      cluster: file.firstCluster,
      fixable: false,
    },
  ]);
}

/** Says why a chain cannot start where a slot says, or undefined when it can. */
export function firstClusterProblem(volume: FatVolume, owner: ChainOwner): Finding | undefined {
  const { firstCluster: first } = owner;
  if (volume.table.has(first)) return undefined;
  const message =
    first === 0
      ? `There is no first cluster, but ${owner.size > 0 ? `a size of ${owner.size} bytes` : 'a directory has one'}.`
      : `The first cluster is ${first}, but clusters are numbered ${firstCluster} to ${volume.table.lastCluster}.`;
  return {
    code: first === 0 ? 'chain-starts-at-zero' : 'chain-starts-out-of-range',
    severity: 'error',
    message,
    offset: volume.inImage(owner.offset),
    length: owner.length,
    cluster: first,
    fixable: true,
  };
}

/** What is wrong with a chain in itself. */
export function chainProblems(volume: FatVolume, chain: Chain): Finding[] {
  const broken: Partial<Record<ChainStop, [code: string, message: string]>> = {
    loop: ['chain-loops', `The cluster chain loops: cluster ${chain.at} leads back into it.`],
    free: [
      'chain-runs-into-free',
      `The cluster chain runs into cluster ${chain.at}, which is free.`,
    ],
    bad: ['chain-runs-into-bad', `The cluster chain runs into cluster ${chain.at}, marked bad.`],
    'out-of-range': [
      'chain-leaves-volume',
      `The cluster chain leaves the volume: the entry of cluster ${chain.at} names no cluster.`,
    ],
    limit: ['chain-too-long', 'The cluster chain is longer than anything it may hold.'],
  };
  const found = broken[chain.stop];
  return found ? [entryProblem(volume, chain.at, 'error', ...found)] : [];
}

function lengthProblem(volume: FatVolume, chain: Chain, needed: number): Finding {
  const count = chain.runs.count;
  const [code, than] =
    count < needed
      ? ['chain-shorter-than-size', 'needs']
      : ['chain-longer-than-size', 'needs only'];
  const message = `The cluster chain has ${count} clusters, but the size ${than} ${needed}.`;
  return entryProblem(volume, chain.at, 'error', code, message);
}

function entryProblem(
  volume: FatVolume,
  cluster: number,
  severity: Finding['severity'],
  code: string,
  message: string,
): Finding {
  return {
    code,
    severity,
    message,
    ...volume.entryPlace(cluster),
    fixable: true,
  };
}

function whole(
  volume: FatVolume,
  runs: ClusterRuns,
  size: number,
  problems: Finding[],
): ChainContent {
  problems.push(...missingProblems(volume, runs));
  const held = Math.min(size, runs.count * volume.boot.clusterSize);
  return new ChainContent(volume, runs, held, problems);
}

/** Of a truncated image: what lies past its end reads as zeros, which the clusters never held. */
export function missingProblems(volume: FatVolume, runs: ClusterRuns): Finding[] {
  const missing = firstMissingCluster(volume, runs);
  if (missing === undefined) return [];
  const message = `The image ends before cluster ${missing}: what is missing reads as zeros.`;
  return [
    {
      code: 'content-beyond-image',
      severity: 'error',
      message,
      offset: volume.inImage(volume.clusterStart(missing)),
      length: volume.boot.clusterSize,
      cluster: missing,
      fixable: false,
    },
  ];
}

function firstMissingCluster(volume: FatVolume, runs: ClusterRuns): number | undefined {
  const { present } = volume.bytes;
  for (let run = 0; run < runs.runs; run++) {
    const start = runs.start(run);
    const end = start + runs.length(run);
    if (volume.clusterStart(end) <= present) continue;
    const inside = Math.floor((present - volume.clusterStart(start)) / volume.boot.clusterSize);
    return start + Math.max(0, inside);
  }
  return undefined;
}
