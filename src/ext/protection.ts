import { bytes, structure, text, u16, u32, u64 } from '../filesystem/structure';

/** Layout: `struct mmp_struct` of Linux; tells hosts of each other (feature `mmp`). */
export const protectionBlock = structure('multi-mount protection', 1024, {
  mmp_magic: u32(0, '004D4D50'),
  mmp_seq: u32(4, 'changes while it is mounted; E24D4D50 while it is checked, FF4D4D50 clean'),
  mmp_time: u64(8, 'last change, seconds since 1970'),
  mmp_nodename: text(16, 64, 'host that changed it last'),
  mmp_bdevname: text(80, 32, 'device on that host'),
  mmp_check_interval: u16(112, 'seconds between looks at it'),
  mmp_pad1: u16(114, 'unused'),
  mmp_pad2: bytes(116, 904, 'unused'),
  mmp_checksum: u32(1020, 'checksum of the block'),
});
