import { readView, type ImageBytes } from '../image/bytes';
import {
  bytes,
  i16,
  structure,
  text,
  u16,
  u32,
  u32s,
  u64,
  u8,
  uuid,
  type ValuesOf,
} from '../filesystem/structure';
import { Features } from './features';

/** Where the primary superblock starts in the volume, whatever the block size. */
export const primaryOffset = 1024;
export const superblockMagic = 0xef53;

/** Layout: Documentation/filesystems/ext4/super.rst of Linux; always little-endian. */
export const superblock = structure('superblock', 1024, {
  s_inodes_count: u32(0x0, 'inodes in all'),
  s_blocks_count_lo: u32(0x4, 'blocks in all, low 32 bits'),
  s_r_blocks_count_lo: u32(0x8, 'blocks reserved for the super-user, low 32 bits'),
  s_free_blocks_count_lo: u32(0xc, 'free blocks, low 32 bits'),
  s_free_inodes_count: u32(0x10, 'free inodes'),
  s_first_data_block: u32(0x14, 'first block that belongs to a group'),
  s_log_block_size: u32(0x18, 'block size is 2 ^ (10 + this)'),
  s_log_cluster_size: u32(0x1c, 'cluster size is 2 ^ (10 + this) with bigalloc'),
  s_blocks_per_group: u32(0x20, 'blocks in a group'),
  s_clusters_per_group: u32(0x24, 'clusters in a group with bigalloc'),
  s_inodes_per_group: u32(0x28, 'inodes in a group'),
  s_mtime: u32(0x2c, 'last mount, seconds since 1970'),
  s_wtime: u32(0x30, 'last write, seconds since 1970'),
  s_mnt_count: u16(0x34, 'mounts since the last check'),
  s_max_mnt_count: i16(0x36, 'mounts after which to check'),
  s_magic: u16(0x38, 'EF53'),
  s_state: u16(0x3a, '1 cleanly unmounted, 2 errors seen, 4 orphans being recovered'),
  s_errors: u16(0x3c, 'on errors 1 go on, 2 remount read-only, 3 panic'),
  s_minor_rev_level: u16(0x3e, 'minor revision'),
  s_lastcheck: u32(0x40, 'last check, seconds since 1970'),
  s_checkinterval: u32(0x44, 'seconds after which to check'),
  s_creator_os: u32(0x48, '0 Linux, 1 Hurd, 2 Masix, 3 FreeBSD, 4 Lites'),
  s_rev_level: u32(0x4c, '0 original, 1 with features and inode sizes'),
  s_def_resuid: u16(0x50, 'user of the reserved blocks'),
  s_def_resgid: u16(0x52, 'group of the reserved blocks'),
  s_first_ino: u32(0x54, 'first inode that is not reserved'),
  s_inode_size: u16(0x58, 'inode size in bytes'),
  s_block_group_nr: u16(0x5a, 'group of this copy'),
  s_feature_compat: u32(0x5c, 'features any driver may ignore'),
  s_feature_incompat: u32(0x60, 'features a driver must know to read'),
  s_feature_ro_compat: u32(0x64, 'features a driver must know to write'),
  s_uuid: uuid(0x68, 'identity of the volume'),
  s_volume_name: text(0x78, 16, 'label'),
  s_last_mounted: text(0x88, 64, 'where it was last mounted'),
  s_algorithm_usage_bitmap: u32(0xc8, 'compression algorithms in use'),
  s_prealloc_blocks: u8(0xcc, 'blocks to preallocate for files'),
  s_prealloc_dir_blocks: u8(0xcd, 'blocks to preallocate for directories'),
  s_reserved_gdt_blocks: u16(0xce, 'blocks kept for descriptors of later groups'),
  s_journal_uuid: uuid(0xd0, 'identity of the external journal'),
  s_journal_inum: u32(0xe0, 'inode of the journal'),
  s_journal_dev: u32(0xe4, 'device of the external journal'),
  s_last_orphan: u32(0xe8, 'first inode of the orphan list'),
  s_hash_seed: u32s(0xec, 4, 'seed of the directory hashes'),
  s_def_hash_version: u8(0xfc, 'hash of new directory indexes'),
  s_jnl_backup_type: u8(0xfd, '1 when s_jnl_blocks holds the journal inode'),
  s_desc_size: u16(0xfe, 'group descriptor size in bytes with 64bit'),
  s_default_mount_opts: u32(0x100, 'default mount options'),
  s_first_meta_bg: u32(0x104, 'first descriptor block that lies in its own meta group'),
  s_mkfs_time: u32(0x108, 'creation, seconds since 1970'),
  s_jnl_blocks: u32s(0x10c, 17, 'copy of the journal inode: i_block and size'),
  s_blocks_count_hi: u32(0x150, 'blocks in all, high 32 bits'),
  s_r_blocks_count_hi: u32(0x154, 'reserved blocks, high 32 bits'),
  s_free_blocks_count_hi: u32(0x158, 'free blocks, high 32 bits'),
  s_min_extra_isize: u16(0x15c, 'bytes every inode has past the first 128'),
  s_want_extra_isize: u16(0x15e, 'bytes new inodes should have past the first 128'),
  s_flags: u32(0x160, '1 signed directory hash, 2 unsigned, 4 test filesystem'),
  s_raid_stride: u16(0x164, 'RAID stride in blocks'),
  s_mmp_interval: u16(0x166, 'seconds between multi-mount checks'),
  s_mmp_block: u64(0x168, 'block of the multi-mount protection'),
  s_raid_stripe_width: u32(0x170, 'RAID stripe width in blocks'),
  s_log_groups_per_flex: u8(0x174, 'groups in a flexible group are 2 ^ this'),
  s_checksum_type: u8(0x175, '1 crc32c'),
  s_encryption_level: u8(0x176, 'version of the encryption'),
  s_reserved_pad: u8(0x177, 'unused'),
  s_kbytes_written: u64(0x178, 'KiB written in its lifetime'),
  s_snapshot_inum: u32(0x180, 'inode of the active snapshot'),
  s_snapshot_id: u32(0x184, 'number of the active snapshot'),
  s_snapshot_r_blocks_count: u64(0x188, 'blocks reserved for the snapshot'),
  s_snapshot_list: u32(0x190, 'first inode of the snapshot list'),
  s_error_count: u32(0x194, 'errors seen'),
  s_first_error_time: u32(0x198, 'first error, seconds since 1970'),
  s_first_error_ino: u32(0x19c, 'inode of the first error'),
  s_first_error_block: u64(0x1a0, 'block of the first error'),
  s_first_error_func: text(0x1a8, 32, 'function that saw the first error'),
  s_first_error_line: u32(0x1c8, 'line that saw the first error'),
  s_last_error_time: u32(0x1cc, 'last error, seconds since 1970'),
  s_last_error_ino: u32(0x1d0, 'inode of the last error'),
  s_last_error_line: u32(0x1d4, 'line that saw the last error'),
  s_last_error_block: u64(0x1d8, 'block of the last error'),
  s_last_error_func: text(0x1e0, 32, 'function that saw the last error'),
  s_mount_opts: text(0x200, 64, 'default mount options as text'),
  s_usr_quota_inum: u32(0x240, 'inode of the user quota'),
  s_grp_quota_inum: u32(0x244, 'inode of the group quota'),
  s_overhead_blocks: u32(0x248, 'blocks of metadata'),
  s_backup_bgs: u32s(0x24c, 2, 'groups with superblock copies (sparse_super2)'),
  s_encrypt_algos: bytes(0x254, 4, 'encryption algorithms in use'),
  s_encrypt_pw_salt: bytes(0x258, 16, 'salt of the encryption password'),
  s_lpf_ino: u32(0x268, 'inode of lost+found'),
  s_prj_quota_inum: u32(0x26c, 'inode of the project quota'),
  s_checksum_seed: u32(0x270, 'crc32c of the UUID the checksums were made with'),
  s_wtime_hi: u8(0x274, 'last write, bits 32 to 39'),
  s_mtime_hi: u8(0x275, 'last mount, bits 32 to 39'),
  s_mkfs_time_hi: u8(0x276, 'creation, bits 32 to 39'),
  s_lastcheck_hi: u8(0x277, 'last check, bits 32 to 39'),
  s_first_error_time_hi: u8(0x278, 'first error, bits 32 to 39'),
  s_last_error_time_hi: u8(0x279, 'last error, bits 32 to 39'),
  s_first_error_errcode: u8(0x27a, 'code of the first error'),
  s_last_error_errcode: u8(0x27b, 'code of the last error'),
  s_encoding: u16(0x27c, 'encoding of names with casefold, 1 is UTF-8 12.1'),
  s_encoding_flags: u16(0x27e, '1 refuse names that are no text'),
  s_orphan_file_inum: u32(0x280, 'inode of the orphan file'),
  s_reserved: bytes(0x284, 376, 'unused'),
  s_checksum: u32(0x3fc, 'crc32c of all before it'),
});

export type SuperblockValues = ValuesOf<typeof superblock>;

/** A superblock whose numbers can be worked with, and what follows from them. */
export interface Geometry {
  readonly values: SuperblockValues;
  readonly features: Features;
  /** Where the copy that was read starts in the volume, in bytes. */
  readonly offset: number;
  /** In bytes, a power of two from 1 KiB to 64 KiB. */
  readonly blockSize: number;
  /** Blocks in the volume; block numbers are below it. */
  readonly blocks: number;
  readonly freeBlocks: number;
  readonly firstDataBlock: number;
  /** Blocks that one bit of a block bitmap stands for: 1 without bigalloc. */
  readonly clusterBlocks: number;
  readonly blocksPerGroup: number;
  readonly inodesPerGroup: number;
  readonly groups: number;
  /** Inode numbers go from 1 to this one. */
  readonly inodes: number;
  readonly inodeSize: number;
  readonly firstInode: number;
  readonly descriptorSize: number;
  readonly creator: 'linux' | 'hurd' | 'other';
  /** Whole sentences on what is unusual in it. */
  readonly notes: readonly string[];
  /** Why a copy without this doubt is to be preferred: a clause, as in `broken`. */
  readonly doubt: string | null;
}

/** What is read of the volume, or the clause that says why the numbers make no sense. */
export type SuperblockReading = { readonly geometry: Geometry } | { readonly broken: string };

/** Reads the superblock or the copy at a byte offset of the volume. */
export function readSuperblock(volume: ImageBytes, offset: number): SuperblockReading {
  return interpret(superblock.read(readView(volume, offset, superblock.size)), offset);
}

/** True where the volume is the journal of another one: it has a superblock but no files. */
export function isExternalJournal(volume: ImageBytes): boolean {
  const values = superblock.read(readView(volume, primaryOffset, superblock.size));
  const features = new Features(0, values.s_feature_incompat, 0);
  return values.s_magic === superblockMagic && features.has('journal_dev');
}

const rootInode = 2;
const largestLogBlockSize = 6; // 64 KiB
const largestLogClusterSize = 20; // 1 GiB, EXT4_MAX_CLUSTER_LOG_SIZE of Linux
const smallestInodeSize = 128;
const smallestWideDescriptor = 64; // EXT4_MIN_DESC_SIZE_64BIT

function interpret(values: SuperblockValues, offset: number): SuperblockReading {
  if (values.s_magic !== superblockMagic) return { broken: 'its magic number is not EF53' };
  const logBlockSize = values.s_log_block_size;
  if (logBlockSize > largestLogBlockSize) {
    return { broken: `it claims a block size of 2^(10 + ${logBlockSize}) bytes` };
  }
  const notes: string[] = [];
  const blockSize = 1024 << logBlockSize;
  const features = new Features(
    values.s_feature_compat,
    values.s_feature_incompat,
    values.s_feature_ro_compat,
  );
  const original = values.s_rev_level === 0;
  if (original && features.names.length > 0) {
    notes.push('Revision 0 has no features, yet some are set; they are believed, as Linux does.');
  }

  const wide = features.has('64bit');
  const blocks = values.s_blocks_count_lo + (wide ? values.s_blocks_count_hi * 2 ** 32 : 0);
  const firstDataBlock = values.s_first_data_block;
  if (firstDataBlock >= blocks) return { broken: `it claims ${blocks} blocks in all` };
  if (blocks * blockSize > Number.MAX_SAFE_INTEGER) {
    return { broken: `it claims ${blocks} blocks of ${blockSize} bytes, more than 2^53 bytes` };
  }

  let clusterBlocks = 1;
  if (features.has('bigalloc')) {
    const logClusterBlocks = values.s_log_cluster_size - logBlockSize;
    if (logClusterBlocks < 0 || values.s_log_cluster_size > largestLogClusterSize) {
      return { broken: `it claims a cluster size of 2^(10 + ${values.s_log_cluster_size}) bytes` };
    }
    clusterBlocks = 2 ** logClusterBlocks;
  }
  const blocksPerGroup = values.s_blocks_per_group;
  const clustersPerGroup = blocksPerGroup / clusterBlocks;
  if (blocksPerGroup === 0 || clustersPerGroup > 8 * blockSize || clustersPerGroup % 1 !== 0) {
    return { broken: `it claims ${blocksPerGroup} blocks per group` };
  }
  const inodesPerGroup = values.s_inodes_per_group;
  if (inodesPerGroup === 0 || inodesPerGroup > 8 * blockSize) {
    return { broken: `it claims ${inodesPerGroup} inodes per group` };
  }
  const inodeSize = original ? smallestInodeSize : values.s_inode_size;
  if (inodeSize < smallestInodeSize || inodeSize > blockSize || !isPowerOfTwo(inodeSize)) {
    return { broken: `it claims an inode size of ${inodeSize} bytes` };
  }

  const groups = Math.ceil((blocks - firstDataBlock) / blocksPerGroup);
  const inodes = Math.min(values.s_inodes_count, groups * inodesPerGroup);
  if (inodes < rootInode) return { broken: `it claims ${values.s_inodes_count} inodes in all` };
  if (values.s_inodes_count !== groups * inodesPerGroup) {
    notes.push(
      `The superblock counts ${values.s_inodes_count} inodes, ` +
        `but ${groups} groups of ${inodesPerGroup} make ${groups * inodesPerGroup}.`,
    );
  }
  let descriptorSize = 32;
  let doubt: string | null = null;
  if (wide) {
    const claimed = values.s_desc_size;
    const sane = claimed >= smallestWideDescriptor && claimed <= blockSize && isPowerOfTwo(claimed);
    descriptorSize = sane ? claimed : smallestWideDescriptor;
    if (!sane) doubt = `it claims group descriptors of ${claimed} bytes`;
  }
  const freeBlocks =
    values.s_free_blocks_count_lo + (wide ? values.s_free_blocks_count_hi * 2 ** 32 : 0);
  return {
    geometry: {
      values,
      features,
      offset,
      blockSize,
      blocks,
      freeBlocks,
      firstDataBlock,
      clusterBlocks,
      blocksPerGroup,
      inodesPerGroup,
      groups,
      inodes,
      inodeSize,
      firstInode: original ? 11 : values.s_first_ino,
      descriptorSize,
      creator: (['linux', 'hurd'] as const)[values.s_creator_os] ?? 'other',
      notes,
      doubt,
    },
  };
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

/** First block of a group. */
export function groupStart(geometry: Geometry, group: number): number {
  return geometry.firstDataBlock + group * geometry.blocksPerGroup;
}

/** Blocks of a group: the last one is usually shorter than the others. */
export function groupBlocks(geometry: Geometry, group: number): number {
  const left = geometry.blocks - groupStart(geometry, group);
  return Math.min(geometry.blocksPerGroup, left);
}

/** True where a run of blocks lies within the volume. */
export function holdsBlocks(geometry: Geometry, block: number, count = 1): boolean {
  return block >= geometry.firstDataBlock && count > 0 && block + count <= geometry.blocks;
}

/** True where a group starts with a copy of the superblock. */
export function hasSuperblock(geometry: Geometry, group: number): boolean {
  if (group === 0) return true;
  const { features, values } = geometry;
  if (features.has('sparse_super2')) return values.s_backup_bgs.includes(group);
  if (group === 1 || !features.has('sparse_super')) return true;
  return [3, 5, 7].some((base) => isPowerOf(group, base));
}

function isPowerOf(value: number, base: number): boolean {
  let power = base;
  while (power < value) power *= base;
  return power === value;
}
