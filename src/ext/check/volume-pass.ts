import { readBytes } from '../../image/bytes';
import { superblockChecksum } from '../checksums';
import { groupHead, groupFlags, inodeTableBlocks } from '../groups';
import { groupBlocks, holdsBlocks, primaryOffset, superblock } from '../superblock';
import { ClusterSet } from './block-claims';
import type { CheckContext } from './context';
import type { ProblemCode } from './problem-table';

const originalFirstInode = 11;
const smallestBlock = 1024;
const fewestBlocksPerGroup = 8;
const largestFlexLog = 31;
const largestDescriptor = 1024; // bytes

/** Features that e2fsck does not know, and so does not check volumes with. */
const unchecked = [
  'lazy_bg',
  'snapshot_bitmap',
  'compression',
  'dirdata',
  'btree_dir',
  'snapshot',
  'replica',
];

type SuperblockField = keyof typeof superblock.fields;

/** Checks the superblock and the descriptors, and claims what the volume keeps for itself. */
export class VolumePass {
  constructor(private readonly context: CheckContext) {}

  run(): void {
    this.checkWhichIsRead();
    this.checkSuperblock();
    this.checkFeatures();
    this.checkSize();
    const { groups } = this.context;
    for (let group = 0; group < groups.count; group++) {
      if (group % 1024 === 0) this.context.progress.report(group, groups.count);
      this.checkDescriptor(group);
    }
    for (let group = 0; group < groups.count; group++) this.claim(group);
    this.claimProtection();
  }

  private checkWhichIsRead(): void {
    const { geometry, groups } = this.context.volume;
    if (geometry.offset !== primaryOffset) {
      const message = 'The primary superblock cannot be used; a copy of it is.';
      const offset = this.context.volume.bytes.offset + primaryOffset;
      this.context.report.add('ext-superblock-primary', message, {
        offset,
        length: superblock.size,
      });
    }
    if (geometry.doubt !== null) {
      this.superblock(
        'ext-superblock-field',
        's_desc_size',
        `The superblock is wrong: ${geometry.doubt}.`,
      );
    }
    if (groups.copyGroup !== 0) {
      const message = `The primary group descriptors cannot be used; the copy in group ${groups.copyGroup} is.`;
      const offset = imageOffsetOfDescriptors(this.context);
      this.context.report.add('ext-descriptors-primary', message, {
        offset,
        length: geometry.descriptorSize,
      });
    }
  }

  private checkSuperblock(): void {
    const { geometry, bytes } = this.context.volume;
    const { values, features, blockSize, blocksPerGroup, inodesPerGroup } = geometry;
    const wrong = (field: SuperblockField, what: string) =>
      this.superblock('ext-superblock-field', field, `The superblock claims ${what}.`);
    if (features.has('metadata_csum')) {
      const raw = readBytes(bytes, geometry.offset, superblock.size);
      if (superblockChecksum(raw) !== values.s_checksum) {
        this.superblock(
          'ext-superblock-checksum',
          's_checksum',
          'The checksum of the superblock does not match.',
        );
      }
    }
    if (values.s_inodes_count !== geometry.groups * inodesPerGroup) {
      const message = `The superblock counts ${values.s_inodes_count} inodes, but its groups have ${geometry.groups * inodesPerGroup}.`;
      this.superblock('ext-superblock-inodes', 's_inodes_count', message);
    }
    const hasClusters = features.has('bigalloc');
    if (!hasClusters && values.s_log_cluster_size !== values.s_log_block_size) {
      wrong('s_log_cluster_size', 'clusters that are not blocks, without the feature bigalloc');
    }
    if (values.s_clusters_per_group * geometry.clusterBlocks !== blocksPerGroup) {
      wrong('s_clusters_per_group', `${values.s_clusters_per_group} clusters in a group`);
    }
    if (blocksPerGroup < fewestBlocksPerGroup)
      wrong('s_blocks_per_group', `${blocksPerGroup} blocks in a group`);
    const perBlock = blockSize / geometry.inodeSize;
    if (inodesPerGroup < perBlock || inodesPerGroup > perBlock * (blocksPerGroup - 4)) {
      wrong('s_inodes_per_group', `${inodesPerGroup} inodes in a group`);
    }
    const reserved =
      values.s_r_blocks_count_lo +
      (features.has('64bit') ? values.s_r_blocks_count_hi * 2 ** 32 : 0);
    if (reserved > geometry.blocks / 2) wrong('s_r_blocks_count_lo', `${reserved} reserved blocks`);
    if (values.s_reserved_gdt_blocks > blockSize / 4) {
      wrong('s_reserved_gdt_blocks', `${values.s_reserved_gdt_blocks} blocks kept for descriptors`);
    }
    if (values.s_rev_level > 0) {
      const first = values.s_first_ino;
      if (first < originalFirstInode || first > values.s_inodes_count) {
        wrong('s_first_ino', `that ordinary inodes start with ${first}`);
      }
    }
    if (values.s_log_groups_per_flex > largestFlexLog) {
      wrong('s_log_groups_per_flex', `flexible groups of 2^${values.s_log_groups_per_flex} groups`);
    }
    const descriptor = values.s_desc_size;
    if (descriptor > largestDescriptor || (descriptor & (descriptor - 1)) !== 0) {
      wrong('s_desc_size', `descriptors of ${descriptor} bytes`);
    }
    if (values.s_rev_level > 1) wrong('s_rev_level', `revision ${values.s_rev_level}`);
    const firstBlock = blockSize === smallestBlock && geometry.clusterBlocks === 1 ? 1 : 0;
    if (geometry.firstDataBlock !== firstBlock) {
      wrong('s_first_data_block', `that its groups start with block ${geometry.firstDataBlock}`);
    }
    this.checkExtraSizes();
  }

  private checkExtraSizes(): void {
    const { values, inodeSize } = this.context.volume.geometry;
    if (inodeSize <= 128) return;
    for (const field of ['s_min_extra_isize', 's_want_extra_isize'] as const) {
      const size = values[field];
      if (size === 0 || (size >= 4 && size <= inodeSize - 128 && size % 4 === 0)) continue;
      this.superblock(
        'ext-superblock-hint',
        field,
        `The superblock wants ${size} bytes past the first 128 of an inode.`,
      );
    }
  }

  private checkFeatures(): void {
    const { features, values, groups, descriptorSize, blockSize } = this.context.volume.geometry;
    for (const name of features.names) {
      if (!name.startsWith('FEATURE_') && !unchecked.includes(name)) continue;
      this.superblock(
        'ext-feature-unknown',
        's_feature_compat',
        `The feature ${name} is not known to e2fsck.`,
      );
    }
    const odd = (field: SuperblockField, message: string) =>
      this.superblock('ext-feature-conflict', field, message);
    if (features.has('metadata_csum') && features.has('uninit_bg')) {
      odd('s_feature_ro_compat', 'Both kinds of checksums are on: uninit_bg and metadata_csum.');
    }
    if (features.has('metadata_csum_seed') && !features.has('metadata_csum')) {
      odd('s_feature_incompat', 'There is a seed of checksums, but no checksums (metadata_csum).');
    }
    if (features.has('64bit') && !features.has('extent')) {
      odd('s_feature_incompat', 'Block numbers have 64 bits, but files have no extents.');
    }
    if (features.has('resize_inode') && features.has('meta_bg')) {
      odd('s_feature_compat', 'The features resize_inode and meta_bg exclude each other.');
    }
    const tableBlocks = Math.ceil((groups * descriptorSize) / blockSize);
    if (features.has('meta_bg') && values.s_first_meta_bg > tableBlocks) {
      odd(
        's_first_meta_bg',
        `Meta groups are said to start with ${values.s_first_meta_bg} of ${tableBlocks} descriptor blocks.`,
      );
    }
    if (!features.has('resize_inode') && values.s_reserved_gdt_blocks !== 0) {
      odd(
        's_reserved_gdt_blocks',
        'Blocks are kept for descriptors, but there is no resize inode.',
      );
    }
    if (
      !features.has('has_journal') &&
      (features.has('needs_recovery') || values.s_journal_inum !== 0)
    ) {
      odd('s_journal_inum', 'A journal is named, but the feature has_journal is off.');
    }
  }

  private checkSize(): void {
    const { geometry, bytes } = this.context.volume;
    const size = geometry.blocks * geometry.blockSize;
    if (size <= bytes.present) return;
    const message = `The volume is ${size} bytes long, but the image holds ${bytes.present} of them.`;
    this.superblock('ext-volume-truncated', 's_blocks_count_lo', message);
  }

  private checkDescriptor(group: number): void {
    const { geometry } = this.context.volume;
    const { features } = geometry;
    const { groups } = this.context;
    // Without flex_bg the parts of a group lie in the group itself.
    const isBound = !features.has('flex_bg');
    const first = isBound ? groups.start(group) : geometry.firstDataBlock;
    const end = isBound ? first + groupBlocks(geometry, group) : geometry.blocks;
    const isOutside = (start: number, length: number) =>
      start === 0 || start < first || start + length > end;
    const outside = (field: Parameters<typeof groups.field>[1], name: string, start: number) => {
      const message = `The ${name} of group ${group} is said to be in block ${start}.`;
      this.context.report.add('ext-descriptor-location', message, groups.field(group, field));
    };
    const { blockBitmap, inodeBitmap, inodeTable } = groups;
    if (isOutside(blockBitmap[group], 1))
      outside('bg_block_bitmap_lo', 'block bitmap', blockBitmap[group]);
    if (isOutside(inodeBitmap[group], 1))
      outside('bg_inode_bitmap_lo', 'inode bitmap', inodeBitmap[group]);
    if (isOutside(inodeTable[group], inodeTableBlocks(geometry))) {
      outside('bg_inode_table_lo', 'inode table', inodeTable[group]);
    }
    const hasFlags =
      (groups.flags[group] & (groupFlags.blocksUninitialised | groupFlags.inodesUninitialised)) !==
      0;
    const { report } = this.context;
    if (!features.describesUninitialised) {
      if (!hasFlags && groups.unusedInodes[group] === 0) return;
      const message = `Group ${group} is said to be uninitialised, without the feature for it.`;
      report.add('ext-descriptor-flags', message, groups.field(group, 'bg_flags'));
      return;
    }
    if (groups.checksum[group] !== groups.rightChecksum[group]) {
      const message = `The checksum of the descriptor of group ${group} does not match.`;
      report.add('ext-descriptor-checksum', message, groups.field(group, 'bg_checksum'));
    }
    if (group === geometry.groups - 1 && groups.isWithoutBitmap(group)) {
      const message = `The last group, ${group}, is said to have no block bitmap yet.`;
      report.add('ext-descriptor-flags', message, groups.field(group, 'bg_flags'));
    }
    const unused = groups.unusedInodes[group];
    if (unused > groups.freeInodes[group] || unused > geometry.inodesPerGroup) {
      const message = `Group ${group} has ${unused} inodes that were never used, of ${groups.freeInodes[group]} free ones.`;
      report.add('ext-descriptor-unused', message, groups.field(group, 'bg_itable_unused_lo'));
    }
  }

  /** Claims the parts of a group; where two of them meet, both cannot be right. */
  private claim(group: number): void {
    const { claims, groups, memory, volume, report } = this.context;
    const { geometry } = volume;
    for (const { start, length } of groupHead(geometry, group)) {
      claims.claimed.add(start, length);
      claims.metadata.add(start, length);
    }
    const add = (
      start: number,
      length: number,
      name: string,
      field: Parameters<typeof groups.field>[1],
    ) => {
      if (start === 0 || !holdsBlocks(geometry, start, length)) return;
      const conflicts = new ClusterSet(geometry, memory);
      claims.claimed.add(start, length, conflicts);
      claims.metadata.add(start, length);
      // Clusters are shared by structures that lie side by side.
      if (conflicts.isEmpty || geometry.clusterBlocks > 1) return;
      const message = `The ${name} of group ${group} lies on other structures in block ${conflicts.first()}.`;
      report.add('ext-descriptor-conflict', message, groups.field(group, field));
    };
    add(groups.inodeTable[group], inodeTableBlocks(geometry), 'inode table', 'bg_inode_table_lo');
    add(groups.blockBitmap[group], 1, 'block bitmap', 'bg_block_bitmap_lo');
    add(groups.inodeBitmap[group], 1, 'inode bitmap', 'bg_inode_bitmap_lo');
  }

  private claimProtection(): void {
    const { geometry } = this.context.volume;
    const block = geometry.values.s_mmp_block;
    if (!geometry.features.has('mmp') || !holdsBlocks(geometry, block)) return;
    if (block > geometry.firstDataBlock) this.context.claims.claimed.add(block, 1);
  }

  private superblock(code: ProblemCode, field: SuperblockField, message: string): void {
    const { offset, length } = superblock.fields[field];
    this.context.report.add(code, message, {
      offset: this.context.superblockPlace + offset,
      length,
      field: `superblock.${field}`,
    });
  }
}

function imageOffsetOfDescriptors({ volume }: CheckContext): number {
  const { blockSize } = volume.geometry;
  const superblockBlock = Math.floor(primaryOffset / blockSize);
  return volume.bytes.offset + (superblockBlock + 1) * blockSize;
}
