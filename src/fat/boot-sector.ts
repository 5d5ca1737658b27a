import { readView, type VolumeBytes } from '../image/bytes';
import { bytes, structure, text, u16, u32, u8 } from '../filesystem/structure';

// Names, places and meanings: Microsoft, "FAT: General Overview of On-Disk Format", 1.03, 2000.

const parameterBlock = {
  BS_jmpBoot: bytes(0, 3, 'jump to the boot code'),
  BS_OEMName: text(3, 8, 'name of the system that formatted the volume', 0x20),
  BPB_BytsPerSec: u16(11, 'bytes per sector: 512, 1024, 2048 or 4096'),
  BPB_SecPerClus: u8(13, 'sectors per cluster, a power of two'),
  BPB_RsvdSecCnt: u16(14, 'sectors before the first FAT'),
  BPB_NumFATs: u8(16, 'copies of the FAT'),
  BPB_RootEntCnt: u16(17, 'slots of the fixed root directory; 0 on FAT32'),
  BPB_TotSec16: u16(19, 'sectors of the volume; 0 where BPB_TotSec32 says it'),
  BPB_Media: u8(21, 'media type: F8 fixed disk, F0 removable'),
  BPB_FATSz16: u16(22, 'sectors of one FAT; 0 on FAT32'),
  BPB_SecPerTrk: u16(24, 'sectors per track, for interrupt 13h'),
  BPB_NumHeads: u16(26, 'heads, for interrupt 13h'),
  BPB_HiddSec: u32(28, 'sectors before this volume on its disk'),
  BPB_TotSec32: u32(32, 'sectors of the volume where BPB_TotSec16 is 0'),
};

/** The boot sector of FAT12 and FAT16. */
export const bootSector16 = structure('boot sector', 512, {
  ...parameterBlock,
  BS_DrvNum: u8(36, 'drive number, for interrupt 13h'),
  BS_Reserved1: u8(37, 'bit 0: not unmounted cleanly; bit 1: test the surface'),
  BS_BootSig: u8(38, '29: the next three fields are present; 28: only BS_VolID is'),
  BS_VolID: u32(39, 'serial number of the volume'),
  BS_VolLab: text(43, 11, 'label of the volume', 0x20),
  BS_FilSysType: text(54, 8, 'a text that decides nothing', 0x20),
  BS_BootCode: bytes(62, 448, 'boot code'),
  BS_Signature: u16(510, 'AA55 marks a bootable sector; not required'),
});

/** The boot sector of FAT32. */
export const bootSector32 = structure('boot sector', 512, {
  ...parameterBlock,
  BPB_FATSz32: u32(36, 'sectors of one FAT'),
  BPB_ExtFlags: u16(40, 'bit 7: only the FAT numbered in bits 0-3 is active'),
  BPB_FSVer: u16(42, 'version of the format, 0.0'),
  BPB_RootClus: u32(44, 'first cluster of the root directory'),
  BPB_FSInfo: u16(48, 'sector of FSInfo'),
  BPB_BkBootSec: u16(50, 'sector of the backup boot sector; 0 where there is none'),
  BPB_Reserved: bytes(52, 12, 'reserved'),
  BS_DrvNum: u8(64, 'drive number, for interrupt 13h'),
  BS_Reserved1: u8(65, 'bit 0: not unmounted cleanly; bit 1: test the surface'),
  BS_BootSig: u8(66, '29: the next three fields are present; 28: only BS_VolID is'),
  BS_VolID: u32(67, 'serial number of the volume'),
  BS_VolLab: text(71, 11, 'label of the volume', 0x20),
  BS_FilSysType: text(82, 8, 'a text that decides nothing', 0x20),
  BS_BootCode: bytes(90, 420, 'boot code'),
  BS_Signature: u16(510, 'AA55 marks a bootable sector; not required'),
});

export type FatBits = 12 | 16 | 32;

/** First cluster that a FAT numbers; entries 0 and 1 hold the media type and the state bits. */
export const firstCluster = 2;

/** Bytes of a directory slot. */
export const slotSize = 32;

/** A valid boot sector and what follows from it. Places are bytes within the volume. */
export interface BootSector {
  /** The sector that it was read from; 0 unless a backup had to stand in. */
  readonly sector: number;
  readonly view: DataView;
  readonly bits: FatBits;
  readonly sectorSize: number;
  readonly clusterSize: number;
  readonly reservedSectors: number;
  readonly fatCount: number;
  /** Bytes of one FAT. */
  readonly fatSize: number;
  readonly firstFat: number;
  /** The FAT that is read: 0 unless mirroring is off. */
  readonly activeFat: number;
  readonly isMirrored: boolean;
  /** The fixed root directory; empty on FAT32. */
  readonly rootStart: number;
  readonly rootSize: number;
  /** First cluster of the root directory; 0 where it has a fixed region. */
  readonly rootCluster: number;
  /** Where cluster 2 starts. */
  readonly dataStart: number;
  readonly totalSectors: number;
  /** What the two fields for it say; 0 where one does not speak. */
  readonly total16: number;
  readonly total32: number;
  /** Clusters that fit between the data start and the end of the volume. */
  readonly countedClusters: number;
  /** Clusters that the FAT has entries for as well: those that can be used. */
  readonly clusters: number;
  /** Sector of FSInfo and of the backup boot sector; undefined where there is none. */
  readonly fsInfoSector: number | undefined;
  readonly backupSector: number | undefined;
  /** Present where the extended boot signature vouches for them. */
  readonly serial: number | undefined;
  readonly label: Uint8Array | undefined;
  /** The dirty byte: bit 0 not unmounted cleanly, bit 1 input/output errors seen. */
  readonly dirty: number;
}

/**
 * Reads a boot sector by the rules of the Linux driver (`fat_read_bpb` and `fat_fill_super` in
 * fs/fat/inode.c): neither the text "FAT32" nor the signature AA55 decides anything.
 * @param sector its number, in sectors of `sectorSize` bytes, for backups
 * @returns undefined where the driver would refuse it
 */
export function readBootSector(
  volume: VolumeBytes,
  sector = 0,
  sectorSize = 512,
): BootSector | undefined {
  const view = readView(volume, sector * sectorSize, bootSector32.size);
  const common = bootSector16.read(view);
  if (common.BPB_RsvdSecCnt === 0 || common.BPB_NumFATs === 0) return undefined;
  if (common.BPB_Media < 0xf8 && common.BPB_Media !== 0xf0) return undefined;
  if (!isPowerOfTwo(common.BPB_BytsPerSec)) return undefined;
  if (common.BPB_BytsPerSec < 512 || common.BPB_BytsPerSec > 4096) return undefined;
  if (!isPowerOfTwo(common.BPB_SecPerClus)) return undefined;
  const isFat32 = common.BPB_FATSz16 === 0;
  const fatSectors = isFat32 ? bootSector32.read(view).BPB_FATSz32 : common.BPB_FATSz16;
  if (fatSectors === 0) return undefined;
  const rootSectors = (common.BPB_RootEntCnt * slotSize) / common.BPB_BytsPerSec;
  if (!Number.isInteger(rootSectors)) return undefined;
  const rootSector = common.BPB_RsvdSecCnt + common.BPB_NumFATs * fatSectors;
  const dataSector = rootSector + rootSectors;
  const totalSectors = common.BPB_TotSec16 || common.BPB_TotSec32;
  if (dataSector > totalSectors) return undefined;

  const countedClusters = Math.floor((totalSectors - dataSector) / common.BPB_SecPerClus);
  const bits = isFat32 ? 32 : bitsByCount(countedClusters) === 12 ? 12 : 16;
  const fatSize = fatSectors * common.BPB_BytsPerSec;
  const entries = Math.floor((fatSize * 8) / bits);
  return {
    sector,
    view,
    bits,
    sectorSize: common.BPB_BytsPerSec,
    clusterSize: common.BPB_SecPerClus * common.BPB_BytsPerSec,
    reservedSectors: common.BPB_RsvdSecCnt,
    fatCount: common.BPB_NumFATs,
    fatSize,
    firstFat: common.BPB_RsvdSecCnt * common.BPB_BytsPerSec,
    rootStart: rootSector * common.BPB_BytsPerSec,
    rootSize: isFat32 ? 0 : rootSectors * common.BPB_BytsPerSec,
    dataStart: dataSector * common.BPB_BytsPerSec,
    totalSectors,
    total16: common.BPB_TotSec16,
    total32: common.BPB_TotSec32,
    countedClusters,
    clusters: Math.max(0, Math.min(countedClusters, entries - firstCluster, mostClusters[bits])),
    ...(isFat32 ? onlyFat32(view, common.BPB_NumFATs) : onlyFat16),
    ...identity(view, isFat32),
  };
}

/** The type that the number of clusters alone tells, by Microsoft's rule. */
export function bitsByCount(clusters: number): FatBits {
  if (clusters < 4085) return 12;
  return clusters < 65525 ? 16 : 32;
}

/** More would need cluster numbers that mean "bad" or "end of chain". */
const mostClusters: Record<FatBits, number> = { 12: 0xff4, 16: 0xfff4, 32: 0x0ffffff5 };

const onlyFat16 = {
  activeFat: 0,
  isMirrored: true,
  rootCluster: 0,
  fsInfoSector: undefined,
  backupSector: undefined,
};

function onlyFat32(view: DataView, fatCount: number) {
  const boot = bootSector32.read(view);
  const isMirrored = (boot.BPB_ExtFlags & 0x80) === 0;
  const active = isMirrored ? 0 : boot.BPB_ExtFlags & 0x0f;
  const isAbsent = (sector: number) => sector === 0xffff || sector >= boot.BPB_RsvdSecCnt;
  const fsInfoSector = boot.BPB_FSInfo || 1; // the driver reads number 0 as 1
  return {
    activeFat: active < fatCount ? active : 0,
    isMirrored,
    rootCluster: boot.BPB_RootClus,
    fsInfoSector: isAbsent(fsInfoSector) ? undefined : fsInfoSector,
    backupSector:
      boot.BPB_BkBootSec === 0 || isAbsent(boot.BPB_BkBootSec) ? undefined : boot.BPB_BkBootSec,
  };
}

function identity(view: DataView, isFat32: boolean) {
  const boot = isFat32 ? bootSector32.read(view) : bootSector16.read(view);
  const { offset, length } = (isFat32 ? bootSector32 : bootSector16).fields.BS_VolLab;
  const label = new Uint8Array(view.buffer, view.byteOffset + offset, length);
  const isSigned = boot.BS_BootSig === 0x28 || boot.BS_BootSig === 0x29;
  return {
    serial: isSigned ? boot.BS_VolID : undefined,
    label: boot.BS_BootSig === 0x29 ? label : undefined,
    // Boot sectors older than the signature have code in the place of the dirty byte.
    dirty: isFat32 || isSigned ? boot.BS_Reserved1 : 0,
  };
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}
