import { readBytes } from '../../image/bytes';
import type { Progress } from '../../filesystem/progress';
import { bootSector16, firstCluster } from '../boot-sector';
import type { FatVolume } from '../fat-volume';
import { fatName } from '../fat-entries';
import { firstDifference } from './first-difference';
import type { FatReport } from './problem-table';

const chunk = 1024 * 1024;

/** Looks at the copies of the FAT and at every entry by itself. */
export function checkTable(volume: FatVolume, report: FatReport, progress: Progress): void {
  checkCopies(volume, report, progress);
  checkFirstEntries(volume, report);
  checkEntries(volume, report, progress);
}

/** Copies are compared as far as there are clusters: what follows has no meaning. */
function checkCopies(volume: FatVolume, report: FatReport, progress: Progress): void {
  const { boot, bytes, table } = volume;
  const used = Math.ceil(((boot.clusters + firstCluster) * boot.bits) / 8);
  for (let copy = 1; copy < Math.min(boot.fatCount, 2); copy++) {
    for (let at = 0; at < used; at += chunk) {
      progress.report(at, used);
      const length = Math.min(chunk, used - at);
      const offset = table.entryOffset(0, copy) + at;
      const first = readBytes(bytes, table.entryOffset(0, 0) + at, length);
      const other = readBytes(bytes, offset, length);
      const differing = firstDifference(first, other);
      if (differing < 0) continue;
      const cluster = Math.floor(((at + differing) * 8) / boot.bits);
      report.add(
        'fat-copies-differ',
        `${fatName(0)} and ${fatName(copy)} differ, first in the entry of cluster ${cluster}` +
          `${boot.isMirrored ? '' : `; only FAT ${boot.activeFat} is active`}.`,
        { offset: volume.inImage(offset + differing), length: 1, cluster },
      );
      break;
    }
  }
}

/** The first two entries stand for no cluster: they hold the media type and the volume's state. */
function checkFirstEntries(volume: FatVolume, report: FatReport): void {
  const { boot, table } = volume;
  const { BPB_Media: media } = bootSector16.read(boot.view);
  const first = table.reader()(0);
  const place = { offset: volume.inImage(table.entryOffset(0)), length: table.entryLength };
  const allSet = boot.bits === 32 ? 0x0ffffff0 : boot.bits === 16 ? 0xfff0 : 0xff0;
  if (first < allSet) {
    report.add('fat-first-entry', `The first entry of the FAT is ${hex(first)}.`, place);
  } else if ((first & 0xff) !== media) {
    report.add(
      'fat-media-differs',
      `The media type is ${hex(media)} in the boot sector and ${hex(first & 0xff)} in the FAT.`,
      place,
    );
  }
  const state = table.stateBits();
  if (!state) return;
  const second = { offset: volume.inImage(table.entryOffset(1)), length: table.entryLength };
  if (!state.wasUnmountedCleanly) {
    report.add('fat-dirty', 'FAT[1] says that the volume was not unmounted cleanly.', second);
  }
  if (!state.hadNoErrors) {
    report.add('fat-io-errors', 'FAT[1] says that input/output errors were met.', second);
  }
}

function checkEntries(volume: FatVolume, report: FatReport, progress: Progress): void {
  const { table } = volume;
  let bad = 0;
  let firstBad = 0;
  table.scan((start, values) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === 0 || table.has(value)) continue;
      const meaning = table.meaning(value);
      if (meaning === 'end') continue;
      const cluster = start + i;
      if (meaning === 'bad') {
        firstBad ||= cluster;
        bad += 1;
        continue;
      }
      report.add(
        'fat-entry-out-of-range',
        `The entry of cluster ${cluster} leads to ${value}, which is no cluster of the volume.`,
        volume.entryPlace(cluster),
      );
    }
    return false;
  }, progress);
  if (bad > 0) {
    report.add(
      'fat-bad-clusters',
      bad === 1 ? `Cluster ${firstBad} is marked as bad.` : `${bad} clusters are marked as bad.`,
      volume.entryPlace(firstBad),
    );
  }
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}
