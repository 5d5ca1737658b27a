import { readBytes, readView, type VolumeBytes } from '../image/bytes';

/** What a volume holds when it is none of the filesystems that are read. */
export interface ForeignContents {
  /** Short name, lower-case: `xfs`, `ntfs`, `gzip`. */
  readonly type: string;
  /** For people: `XFS`, `NTFS`, `gzip-compressed data`. */
  readonly name: string;
  /** Where the signature lies in the volume, in bytes. */
  readonly offset: number;
}

interface Signature {
  readonly type: string;
  readonly name: string;
  /** Where the signature can lie, in bytes; below 0 counts from the volume's end. */
  readonly offsets: readonly number[];
  /** One character per byte. */
  readonly magic: string;
  /** For signatures that are too short to be believed alone. */
  readonly confirmed?: (volume: VolumeBytes, offset: number) => boolean;
}

const KiB = 1024;

const textAt = (volume: VolumeBytes, offset: number, length: number) =>
  String.fromCharCode(...readBytes(volume, offset, length));

/** Types of JFFS2 nodes; the magic number alone has two bytes. */
const jffs2Nodes = [0xe001, 0xe002, 0x2003, 0x2004, 0x2006, 0xe008, 0xe009];
const jffs2Node = (littleEndian: boolean) => (volume: VolumeBytes, offset: number) =>
  jffs2Nodes.includes(readView(volume, offset + 2, 2).getUint16(0, littleEndian));

/** An external journal has an ext superblock whose incompatible features say journal_dev. */
const isJournalDevice = (volume: VolumeBytes) =>
  (readView(volume, KiB + 0x60, 4).getUint32(0, true) & 8) !== 0;

const isUdf = (volume: VolumeBytes) =>
  [1, 2, 3].some((sector) => /^NSR0[23]/.test(textAt(volume, (32 + 2 * sector) * KiB + 1, 5)));

const isLvm = (volume: VolumeBytes, offset: number) =>
  textAt(volume, offset + 24, 8) === 'LVM2 001';

const hasBzip2Block = (volume: VolumeBytes, offset: number) =>
  ['\x31\x41\x59\x26\x53\x59', '\x17\x72\x45\x38\x50\x90'].includes(textAt(volume, offset + 4, 6));

const isDeflated = (volume: VolumeBytes, offset: number) =>
  (readBytes(volume, offset + 3, 1)[0] & 0xe0) === 0; // reserved flags of the gzip header

/** A swap area's signature ends its first page, whatever the page size of the machine. */
const pageEnds = [4, 8, 16, 32, 64].map((kilobytes) => kilobytes * KiB - 10);

const journalName = 'an external ext journal';
const swapName = 'Linux swap space';

/** In the order of trust: what has its own boot sector first, two-byte magics last. */
const signatures: readonly Signature[] = [
  { type: 'exfat', name: 'exFAT', offsets: [3], magic: 'EXFAT   ' },
  { type: 'ntfs', name: 'NTFS', offsets: [3], magic: 'NTFS    ' },
  { type: 'refs', name: 'ReFS', offsets: [3], magic: 'ReFS\0\0\0\0' },
  { type: 'bitlocker', name: 'BitLocker', offsets: [3], magic: '-FVE-FS-' },
  {
    type: 'bitlocker', // BitLocker To Go hides behind a FAT32 boot sector
    name: 'BitLocker',
    offsets: [424],
    magic: '\x3b\xd6\x67\x49\x29\x2e\xd8\x4a\x83\x99\xf6\xa3\x39\xe3\xd0\x01',
  },
  { type: 'hpfs', name: 'HPFS', offsets: [8 * KiB], magic: '\x49\xe8\x95\xf9' },
  { type: 'luks', name: 'LUKS encryption', offsets: [0], magic: 'LUKS\xba\xbe' },
  { type: 'xfs', name: 'XFS', offsets: [0], magic: 'XFSB' },
  { type: 'squashfs', name: 'SquashFS', offsets: [0], magic: 'hsqs' },
  { type: 'squashfs', name: 'SquashFS', offsets: [0], magic: 'sqsh' },
  { type: 'cramfs', name: 'cramfs', offsets: [0, 512], magic: '\x45\x3d\xcd\x28' },
  { type: 'cramfs', name: 'cramfs', offsets: [0, 512], magic: '\x28\xcd\x3d\x45' },
  { type: 'romfs', name: 'romfs', offsets: [0], magic: '-rom1fs-' },
  { type: 'ubi', name: 'UBI', offsets: [0], magic: 'UBI#' },
  { type: 'ubifs', name: 'UBIFS', offsets: [0], magic: '\x31\x18\x10\x06' },
  { type: 'apfs', name: 'APFS', offsets: [32], magic: 'NXSB' },
  { type: 'qcow2', name: 'a QEMU disk (qcow2)', offsets: [0], magic: 'QFI\xfb' },
  { type: 'vmdk', name: 'a VMware disk (VMDK)', offsets: [0], magic: 'KDMV' },
  { type: 'vmdk', name: 'a VMware disk (VMDK)', offsets: [0], magic: 'COWD' },
  {
    type: 'vmdk',
    name: 'the description of a VMware disk (VMDK)',
    offsets: [0],
    magic: '# Disk DescriptorFile',
  },
  { type: 'vhdx', name: 'a Hyper-V disk (VHDX)', offsets: [0], magic: 'vhdxfile' },
  { type: 'vhd', name: 'a Virtual PC disk (VHD)', offsets: [0], magic: 'conectix' },
  { type: 'vdi', name: 'a VirtualBox disk (VDI)', offsets: [64], magic: '\x7f\x10\xda\xbe' },
  { type: 'qed', name: 'a QEMU disk (QED)', offsets: [0], magic: 'QED\0' },
  { type: 'parallels', name: 'a Parallels disk', offsets: [0], magic: 'WithoutFreeSpace' },
  { type: 'parallels', name: 'a Parallels disk', offsets: [0], magic: 'WithouFreSpacExt' },
  {
    type: 'android-sparse',
    name: 'an Android sparse image',
    offsets: [0],
    magic: '\x3a\xff\x26\xed',
  },
  { type: 'wim', name: 'a Windows image (WIM)', offsets: [0], magic: 'MSWIM\0\0\0' },
  {
    type: 'gzip',
    name: 'gzip-compressed data',
    offsets: [0],
    magic: '\x1f\x8b\x08',
    confirmed: isDeflated,
  },
  { type: 'xz', name: 'xz-compressed data', offsets: [0], magic: '\xfd7zXZ\0' },
  { type: 'zstd', name: 'Zstandard-compressed data', offsets: [0], magic: '\x28\xb5\x2f\xfd' },
  {
    type: 'bzip2',
    name: 'bzip2-compressed data',
    offsets: [0],
    magic: 'BZh',
    confirmed: hasBzip2Block,
  },
  { type: 'lz4', name: 'LZ4-compressed data', offsets: [0], magic: '\x04\x22\x4d\x18' },
  { type: 'lzop', name: 'lzop-compressed data', offsets: [0], magic: '\x89LZO\0\r\n\x1a\n' },
  { type: 'zip', name: 'a ZIP archive', offsets: [0], magic: 'PK\x03\x04' },
  { type: '7z', name: 'a 7-Zip archive', offsets: [0], magic: '7z\xbc\xaf\x27\x1c' },
  { type: 'rar', name: 'a RAR archive', offsets: [0], magic: 'Rar!\x1a\x07' },
  { type: 'cpio', name: 'a cpio archive', offsets: [0], magic: '070701' },
  { type: 'cpio', name: 'a cpio archive', offsets: [0], magic: '070707' },
  { type: 'tar', name: 'a tar archive', offsets: [257], magic: 'ustar' },
  {
    type: 'ext-journal',
    name: journalName,
    offsets: [KiB + 0x38],
    magic: '\x53\xef',
    confirmed: isJournalDevice,
  },
  { type: 'f2fs', name: 'F2FS', offsets: [KiB, 5 * KiB], magic: '\x10\x20\xf5\xf2' },
  { type: 'erofs', name: 'EROFS', offsets: [KiB], magic: '\xe2\xe1\xf5\xe0' },
  {
    type: 'lvm2',
    name: 'an LVM physical volume',
    offsets: [0, 512, 1024, 1536],
    magic: 'LABELONE',
    confirmed: isLvm,
  },
  {
    type: 'linux-raid',
    name: 'a member of a Linux RAID',
    offsets: [0, 4 * KiB],
    magic: '\xfc\x4e\x2b\xa9\x01\0\0\0', // the version follows the magic number
  },
  {
    type: 'bcache',
    name: 'bcache or bcachefs',
    offsets: [4 * KiB + 24],
    magic: '\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81',
  },
  {
    type: 'bcachefs',
    name: 'bcachefs',
    offsets: [4 * KiB + 24],
    magic: '\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef',
  },
  { type: 'swap', name: swapName, offsets: pageEnds, magic: 'SWAPSPACE2' },
  { type: 'swap', name: swapName, offsets: pageEnds, magic: 'SWAP-SPACE' },
  { type: 'swap', name: swapName, offsets: pageEnds, magic: 'S1SUSPEND' },
  { type: 'ocfs2', name: 'OCFS2', offsets: [KiB, 2 * KiB, 4 * KiB, 8 * KiB], magic: 'OCFSV2' },
  { type: 'udf', name: 'UDF', offsets: [32 * KiB + 1], magic: 'BEA01', confirmed: isUdf },
  { type: 'iso9660', name: 'ISO 9660', offsets: [32 * KiB + 1], magic: 'CD001' },
  { type: 'jfs', name: 'JFS', offsets: [32 * KiB], magic: 'JFS1' },
  {
    type: 'reiserfs',
    name: 'ReiserFS',
    offsets: [64 * KiB + 52, 8 * KiB + 52],
    magic: 'ReIsEr', // followed by Fs, 2Fs or 3Fs
    confirmed: (volume, offset) => /^[23]?Fs/.test(textAt(volume, offset + 6, 3)),
  },
  { type: 'reiser4', name: 'Reiser4', offsets: [64 * KiB], magic: 'ReIsEr4' },
  { type: 'btrfs', name: 'Btrfs', offsets: [64 * KiB + 64], magic: '_BHRfS_M' },
  { type: 'gfs2', name: 'GFS2', offsets: [64 * KiB], magic: '\x01\x16\x19\x70\0\0\0\x01' },
  {
    type: 'ufs',
    name: 'UFS',
    offsets: [8 * KiB + 1372, 64 * KiB + 1372, 256 * KiB + 1372],
    magic: '\x54\x19\x01\0',
  },
  {
    type: 'ufs',
    name: 'UFS',
    offsets: [8 * KiB + 1372, 64 * KiB + 1372, 256 * KiB + 1372],
    magic: '\x19\x01\x54\x19',
  },
  {
    type: 'zfs', // a big- or little-endian uberblock, in the first label
    name: 'ZFS',
    offsets: [128 * KiB, 132 * KiB],
    magic: '\x0c\xb1\xba\0\0\0\0\0',
  },
  { type: 'zfs', name: 'ZFS', offsets: [128 * KiB, 132 * KiB], magic: '\0\0\0\0\0\xba\xb1\x0c' },
  { type: 'hfsplus', name: 'HFS+', offsets: [KiB], magic: 'H+\0\x04' },
  { type: 'hfsplus', name: 'HFS+ (HFSX)', offsets: [KiB], magic: 'HX\0\x05' },
  {
    type: 'hfs',
    name: 'HFS',
    offsets: [KiB],
    magic: 'BD',
    // Its bitmap starts in sector 3, as every formatter leaves it (Inside Macintosh: Files, 2-59).
    confirmed: (volume, offset) => readView(volume, offset + 14, 2).getUint16(0) === 3,
  },
  { type: 'dmg', name: 'an Apple disk image (UDIF)', offsets: [-512], magic: 'koly\0\0\0\x04' },
  { type: 'jffs2', name: 'JFFS2', offsets: [0], magic: '\x85\x19', confirmed: jffs2Node(true) },
  { type: 'jffs2', name: 'JFFS2', offsets: [0], magic: '\x19\x85', confirmed: jffs2Node(false) },
];

/** Recognises contents that are named, but never opened; undefined where nothing is known. */
export function recogniseForeign(volume: VolumeBytes): ForeignContents | undefined {
  for (const { type, name, offsets, magic, confirmed } of signatures) {
    for (const place of offsets) {
      const offset = place < 0 ? volume.size + place : place;
      if (offset < 0 || offset + magic.length > volume.present) continue;
      if (textAt(volume, offset, magic.length) !== magic) continue;
      if (confirmed && !confirmed(volume, offset)) continue;
      return { type, name, offset };
    }
  }
  return undefined;
}
