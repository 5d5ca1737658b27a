import { bytes, structure, u16be, u32be, u64be, u8, uuid } from '../filesystem/structure';

/** Layout of all: Documentation/filesystems/ext4/journal.rst; big-endian, unlike the rest. */
export const journalMagic = 0xc03b3998;

export const journalBlockTypes = {
  descriptor: 1,
  commit: 2,
  superblock1: 3,
  superblock2: 4,
  revoke: 5,
} as const;

export const journalHeader = structure('journal block', 12, {
  h_magic: u32be(0, 'C03B3998'),
  h_blocktype: u32be(4, '1 descriptor, 2 commit, 3 and 4 superblock, 5 revoke'),
  h_sequence: u32be(8, 'number of the transaction'),
});

export const journalSuperblock = structure('journal superblock', 1024, {
  h_magic: u32be(0, 'C03B3998'),
  h_blocktype: u32be(4, '3 old superblock, 4 superblock with features'),
  h_sequence: u32be(8, 'unused'),
  s_blocksize: u32be(12, 'block size in bytes'),
  s_maxlen: u32be(16, 'blocks in the journal'),
  s_first: u32be(20, 'first block of the log'),
  s_sequence: u32be(24, 'number of the first transaction in the log'),
  s_start: u32be(28, 'block where the log starts, 0 when it is empty'),
  s_errno: u32be(32, 'error that stopped the journal'),
  s_feature_compat: u32be(36, '1 checksums of transactions'),
  s_feature_incompat: u32be(
    40,
    '1 revoke blocks, 2 64-bit, 4 asynchronous commits, 8 and 16 checksums v2 and v3, 32 fast commits',
  ),
  s_feature_ro_compat: u32be(44, 'unused'),
  s_uuid: uuid(48, 'identity of the journal'),
  s_nr_users: u32be(64, 'filesystems that use the journal'),
  s_dynsuper: u32be(68, 'unused'),
  s_max_transaction: u32be(72, 'unused'),
  s_max_trans_data: u32be(76, 'unused'),
  s_checksum_type: u8(80, '1 crc32, 4 crc32c'),
  s_padding2: bytes(81, 3, 'unused'),
  s_num_fc_blks: u32be(84, 'blocks kept for fast commits, 0 for 256'),
  s_head: u32be(88, 'block where the log ends, when it is empty'),
  s_padding: bytes(92, 160, 'unused'),
  s_checksum: u32be(252, 'crc32c of the superblock'),
  s_users: bytes(256, 768, 'identities of the filesystems'),
});

export const commitBlock = structure('commit block', 60, {
  h_magic: u32be(0, 'C03B3998'),
  h_blocktype: u32be(4, '2'),
  h_sequence: u32be(8, 'number of the transaction'),
  h_chksum_type: u8(12, '1 crc32 of the transaction, 0 none'),
  h_chksum_size: u8(13, 'bytes of that checksum'),
  h_padding: u16be(14, 'unused'),
  h_chksum: u32be(16, 'checksum of the transaction, or of this block'),
  h_chksum_rest: bytes(20, 28, 'unused'),
  h_commit_sec: u64be(48, 'when it was committed, seconds since 1970'),
  h_commit_nsec: u32be(56, 'and nanoseconds'),
});

export const revokeHeader = structure('revoke block', 16, {
  h_magic: u32be(0, 'C03B3998'),
  h_blocktype: u32be(4, '5'),
  h_sequence: u32be(8, 'number of the transaction'),
  r_count: u32be(12, 'bytes in use, this included'),
});

/** Tells of a block that follows a descriptor. */
export const journalTag3 = structure('journal tag', 16, {
  t_blocknr: u32be(0, 'block of the volume, low 32 bits'),
  t_flags: u32be(4, '1 escaped, 2 same identity, 4 deleted, 8 last tag'),
  t_blocknr_high: u32be(8, 'block of the volume, high 32 bits'),
  t_checksum: u32be(12, 'checksum of the block'),
});

/** Without checksums v3; the last field exists with 64-bit only. */
export const journalTag = structure('journal tag', 12, {
  t_blocknr: u32be(0, 'block of the volume, low 32 bits'),
  t_checksum: u16be(4, 'checksum of the block, low 16 bits'),
  t_flags: u16be(6, '1 escaped, 2 same identity, 4 deleted, 8 last tag'),
  t_blocknr_high: u32be(8, 'block of the volume, high 32 bits'),
});

export const tagFlags = { escaped: 1, sameIdentity: 2, last: 8 } as const;
