import type { OwnershipBuilder, Role } from '../filesystem/ownership';
import type { Progress } from '../filesystem/progress';
import { groupHead, inodeTableBlocks, type BlockRun } from './groups';
import { groupStart, holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/** A run of blocks that the volume keeps for itself. */
export interface MetadataRun {
  readonly start: number;
  readonly length: number;
  readonly role: Role;
  readonly name: string;
}

const headRoles: Readonly<Record<BlockRun['kind'], Role>> = {
  superblock: 'superblock',
  descriptors: 'descriptors',
  'reserved descriptors': 'descriptors',
};

/** What a group keeps for itself: what it starts with, and its bitmaps and inodes elsewhere. */
export function metadataOfGroup(volume: ExtVolume, number: number): MetadataRun[] {
  const { geometry } = volume;
  const runs = groupHead(geometry, number).map(({ kind, start, length }) => ({
    start,
    length,
    role: headRoles[kind],
    name: headName(kind, number),
  }));
  const group = volume.groups.group(number);
  const add = (start: number, length: number, role: Role, name: string) => {
    if (start === 0 || !holdsBlocks(geometry, start, length)) return;
    runs.push({ start, length, role, name: `${name} of group ${number}` });
  };
  add(group.blockBitmap, 1, 'bitmap', 'block bitmap');
  add(group.inodeBitmap, 1, 'bitmap', 'inode bitmap');
  add(group.inodeTable, inodeTableBlocks(geometry), 'inodes', 'inode table');
  return runs;
}

function headName(kind: BlockRun['kind'], group: number): string {
  const what = {
    superblock: 'superblock',
    descriptors: 'group descriptors',
    'reserved descriptors': 'room for more group descriptors',
  }[kind];
  return group === 0 ? what : `${what}, copy in group ${group}`;
}

const groupsPerReport = 1024;

/** Adds the volume's own structures, as far as its superblock and descriptors place them. */
export function addMetadata(
  volume: ExtVolume,
  builder: OwnershipBuilder,
  progress: Progress,
): void {
  const { geometry } = volume;
  const runs: MetadataRun[] = [];
  const present = Math.ceil(volume.bytes.present / geometry.blockSize);
  for (let number = 0; number < geometry.groups; number++) {
    if (groupStart(geometry, number) >= present) break;
    if (number % groupsPerReport === 0) progress.report(number, geometry.groups);
    runs.push(...metadataOfGroup(volume, number));
  }
  const protection = geometry.values.s_mmp_block;
  if (geometry.features.has('mmp') && holdsBlocks(geometry, protection)) {
    runs.push({ start: protection, length: 1, role: 'superblock', name: 'multi-mount protection' });
  }
  const whole = geometry.clusterBlocks > 1 ? inWholeClusters(runs, geometry.clusterBlocks) : runs;
  for (const { start, length, role, name } of whole) {
    builder.addStructure(start, length, role, name);
  }
}

/** With bigalloc nothing else can use the rest of a cluster: it goes with what lies before it. */
function inWholeClusters(runs: readonly MetadataRun[], clusterBlocks: number): MetadataRun[] {
  const sorted = [...runs].sort((a, b) => a.start - b.start);
  let covered = 0;
  return sorted.map((run, i) => {
    const down = Math.floor(run.start / clusterBlocks) * clusterBlocks;
    const start = Math.min(run.start, Math.max(down, covered));
    const up = Math.ceil((run.start + run.length) / clusterBlocks) * clusterBlocks;
    const next = sorted.at(i + 1)?.start ?? up;
    const end = Math.max(run.start + run.length, Math.min(up, next));
    covered = Math.max(covered, end);
    return { ...run, start, length: end - start };
  });
}
