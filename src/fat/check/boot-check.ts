import { readBytes } from '../../image/bytes';
import { bitsByCount, bootSector16, bootSector32, firstCluster } from '../boot-sector';
import type { FatVolume } from '../fat-volume';
import { fsInfoMarks, fsInfoSector } from '../fs-info';
import { firstDifference } from './first-difference';
import type { FatProblem, FatReport } from './problem-table';

const noNumber = 0xffffffff;

/** Looks at the boot sector, its backup, and what they say of the volume's size and state. */
export function checkBoot(volume: FatVolume, report: FatReport): void {
  const { boot, bytes } = volume;
  const fields = { ...bootSector16.fields, ...bootSector32.fields };
  const add = (code: FatProblem, field: keyof typeof fields, message: string) => {
    const { offset, length } = fields[field];
    const place = volume.inImage(boot.sector * boot.sectorSize + offset);
    report.add(code, message, { offset: place, length, field: `boot sector.${field}` });
  };
  if (boot.sector !== 0) {
    report.add(
      'fat-boot-sector-destroyed',
      `The first sector is no boot sector; its backup in sector ${boot.sector} was read instead.`,
      { offset: volume.inImage(0), length: boot.sectorSize },
    );
  }
  const size = boot.totalSectors * boot.sectorSize;
  // Checkers round an odd number of sectors down: the last one may never have been written.
  const needed = (boot.totalSectors - (boot.totalSectors % 2)) * boot.sectorSize;
  if (bytes.present < needed) {
    add(
      'fat-volume-cut',
      boot.total16 ? 'BPB_TotSec16' : 'BPB_TotSec32',
      `The volume is ${size} bytes long, but only ${bytes.present} of them are there.`,
    );
  }
  if (boot.fatCount > 2) {
    add('fat-count-unusual', 'BPB_NumFATs', `The volume has ${boot.fatCount} FATs.`);
  }
  const entries = Math.floor((boot.fatSize * 8) / boot.bits);
  if (boot.countedClusters > entries - firstCluster) {
    add(
      'fat-table-too-small',
      boot.bits === 32 ? 'BPB_FATSz32' : 'BPB_FATSz16',
      `The volume has ${boot.countedClusters} clusters, but the FAT has only ${entries} entries.`,
    );
  }
  const byCount = bitsByCount(boot.countedClusters);
  if (boot.bits === 16 && byCount === 32) {
    add(
      'fat-type-ambiguous',
      'BPB_FATSz16',
      `${boot.countedClusters} clusters are more than FAT16 can number.`,
    );
  }
  if (boot.bits === 32 && byCount !== 32) {
    add(
      'fat-few-clusters',
      'BPB_FATSz32',
      `The volume is FAT32 by its fields, but has only ${boot.countedClusters} clusters.`,
    );
  }
  if (boot.total16 !== 0 && boot.total32 !== 0 && boot.total16 !== boot.total32) {
    add(
      'fat-sizes-differ',
      'BPB_TotSec32',
      `The volume has ${boot.total16} sectors by one field and ${boot.total32} by the other.`,
    );
  }
  const common = bootSector16.read(boot.view);
  if (boot.bits === 32 && common.BPB_RootEntCnt !== 0) {
    add(
      'fat-root-slots-on-fat32',
      'BPB_RootEntCnt',
      `The boot sector gives a fixed root directory of ${common.BPB_RootEntCnt} slots.`,
    );
  }
  if (common.BS_Signature !== 0xaa55) {
    add('fat-signature-missing', 'BS_Signature', 'The boot sector does not end in 55 AA.');
  }
  if (boot.dirty & 1) {
    const field = boot.bits === 32 ? fields.BS_Reserved1 : bootSector16.fields.BS_Reserved1;
    report.add('fat-dirty', 'The boot sector says that the volume was not unmounted cleanly.', {
      offset: volume.inImage(boot.sector * boot.sectorSize + field.offset),
      length: 1,
      field: 'boot sector.BS_Reserved1',
    });
  }
  if (boot.bits === 32) {
    const { BPB_FSVer } = bootSector32.read(boot.view);
    if (BPB_FSVer !== 0) {
      add('fat-version', 'BPB_FSVer', `The version is ${BPB_FSVer >> 8}.${BPB_FSVer & 0xff}.`);
    }
    checkBackup(volume, report, add);
  }
}

function checkBackup(
  volume: FatVolume,
  report: FatReport,
  add: (code: FatProblem, field: 'BPB_BkBootSec', message: string) => void,
): void {
  const { boot, bytes } = volume;
  const { BPB_BkBootSec: sector } = bootSector32.read(boot.view);
  if (sector === 0) {
    // The checker makes one in sector 6, or elsewhere behind FSInfo.
    const hasRoom = boot.reservedSectors > 3;
    if (hasRoom) add('fat-backup-missing', 'BPB_BkBootSec', 'The boot sector has no backup.');
    else {
      add(
        'fat-backup-no-room',
        'BPB_BkBootSec',
        `The boot sector has no backup; ${boot.reservedSectors} reserved sectors leave no room for it.`,
      );
    }
    return;
  }
  if (boot.sector !== 0) return;
  const offset = sector * boot.sectorSize;
  const first = readBytes(bytes, 0, bootSector32.size);
  const copy = readBytes(bytes, offset, bootSector32.size);
  const differing = firstDifference(first, copy);
  if (differing < 0) return;
  report.add(
    'fat-backup-differs',
    `The backup of the boot sector in sector ${sector} differs from byte ${differing} on.`,
    { offset: volume.inImage(offset + differing), length: 1 },
  );
}

/**
 * Looks at FSInfo.
 * @param free clusters that are free by the FAT, and those that are free or lost
 */
export function checkFsInfo(
  volume: FatVolume,
  report: FatReport,
  free: { readonly marked: number; readonly withLost: number },
  lostCause: number,
): void {
  const { boot } = volume;
  if (boot.bits !== 32) return;
  const { BPB_FSInfo } = bootSector32.read(boot.view);
  if (BPB_FSInfo === 0 || boot.fsInfoSector === undefined) {
    const { offset, length } = bootSector32.fields.BPB_FSInfo;
    const [code, message]: [FatProblem, string] =
      BPB_FSInfo === 0
        ? ['fat-info-missing', 'There is no FSInfo sector.']
        : ['fat-info-outside', `FSInfo is said to be sector ${BPB_FSInfo}, which is not reserved.`];
    report.add(code, message, {
      offset: volume.inImage(boot.sector * boot.sectorSize + offset),
      length,
      field: 'boot sector.BPB_FSInfo',
    });
    return;
  }
  const start = boot.fsInfoSector * boot.sectorSize;
  const raw = readBytes(volume.bytes, start, fsInfoSector.size);
  const info = fsInfoSector.read(new DataView(raw.buffer));
  const add = (
    code: FatProblem,
    field: keyof typeof fsInfoSector.fields,
    message: string,
    cause = -1,
  ) => {
    const { offset, length } = fsInfoSector.fields[field];
    const place = volume.inImage(start + offset);
    report.add(code, message, { offset: place, length, field: `FSInfo.${field}`, cause });
  };
  for (const [field, mark] of fsInfoMarks) {
    if (info[field] === mark) continue;
    add('fat-info-signature', field, `FSInfo in sector ${boot.fsInfoSector} lacks its marks.`);
    return; // nothing in it can be believed
  }
  const { FSI_Free_Count: count, FSI_Nxt_Free: next } = info;
  if (count === noNumber) {
    add(
      'fat-info-free-unknown',
      'FSI_Free_Count',
      `FSInfo does not say how many clusters are free; ${free.marked} are.`,
    );
  } else if (count !== free.withLost) {
    add(
      'fat-info-free-count',
      'FSI_Free_Count',
      `FSInfo says that ${count} clusters are free; ${free.marked} are.`,
      lostCause,
    );
  }
  if (next !== noNumber && !volume.table.has(next)) {
    add('fat-info-next-free', 'FSI_Nxt_Free', `FSInfo names cluster ${next} as a hint.`);
  }
}
