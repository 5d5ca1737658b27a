import { VolumeBytes, type ImageBytes } from '../image/bytes';
import { readGpt } from './gpt';
import { protectiveType, readMbr, readPrimaryTypes, type Mbr } from './mbr';
import {
  misplacement,
  missingBytes,
  overlap,
  sectorSizes,
  type Partition,
  type PartitionScheme,
  type PartitionTable,
} from './partition';
import { recogniseForeign, type ForeignContents } from './signatures';

/** Names the filesystem of a volume, of those that are read; undefined where it is none. */
export type Recognise = (volume: VolumeBytes) => string | undefined;

export interface Recognisers {
  /** By the boot sector or superblock where it belongs. */
  readonly primary: Recognise;
  /** By a backup of it, when the primary is destroyed. */
  readonly backup: Recognise;
}

/** A part of the image that a filesystem could be opened in. */
export interface FoundVolume {
  /** Where it starts in the image and how long it is, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** Of a filesystem that is read, of foreign contents, or `unknown`. */
  readonly type: string;
  /** Set where the contents are known, but not read. */
  readonly foreign: ForeignContents | null;
  /** The entry of the partition table; null where the image has none. */
  readonly partition: Partition | null;
  /** Whole sentences: truncated. */
  readonly notes: readonly string[];
}

export interface FoundVolumes {
  readonly scheme: PartitionScheme;
  /** The unit that the partition table counts in, in bytes; null where there is no table. */
  readonly sectorSize: number | null;
  readonly notes: readonly string[];
  /** In the order of the table; the whole image where there is no table. */
  readonly volumes: readonly FoundVolume[];
}

const bootSector = 512;
/** Looking for a backup can mean reading many MiB: tables of many unknown volumes are hostile. */
const backupSearches = 8;

/**
 * Finds where filesystems start. What lies at the start of the image is looked at first, because
 * boot sectors of filesystems can end in bytes that look like a partition table; a table is
 * believed only when it makes sense.
 */
export function findVolumes(image: ImageBytes, recognisers: Recognisers): FoundVolumes {
  const whole = new VolumeBytes(image, 0, image.size);
  const bare = (type: string, foreign: ForeignContents | null, notes: readonly string[]) => ({
    scheme: 'none' as const,
    sectorSize: null,
    notes,
    volumes: [{ offset: 0, length: image.size, type, foreign, partition: null, notes: [] }],
  });

  const atStart = recognisers.primary(whole);
  if (atStart) return bare(atStart, null, []);
  const foreign = recogniseForeign(whole);
  if (foreign && foreign.offset < bootSector) return bare(foreign.type, foreign, []);

  const { table, notes } = readTable(image, recognisers.primary);
  if (table && table.partitions.length > 0) {
    let searches = 0;
    const backup: Recognise = (volume) =>
      searches++ < backupSearches ? recognisers.backup(volume) : undefined;
    const beside = foreign ? [`The image also looks like ${foreign.name} as a whole.`] : [];
    return {
      scheme: table.scheme,
      sectorSize: table.sectorSize,
      notes: [...notes, ...beside],
      volumes: table.partitions.map((partition) =>
        volumeOf(image, partition, { ...recognisers, backup }),
      ),
    };
  }
  // Signatures deeper in the image come after the table: they survive partitioning, and an image
  // made for optical and hard disks alike has both.
  if (foreign) return bare(foreign.type, foreign, notes);
  return bare(recognisers.backup(whole) ?? 'unknown', null, notes);
}

function volumeOf(image: ImageBytes, partition: Partition, recognisers: Recognisers): FoundVolume {
  const { offset, length } = partition;
  const volume = new VolumeBytes(image, offset, length);
  const known = recognisers.primary(volume);
  const foreign = known ? undefined : recogniseForeign(volume);
  return {
    offset,
    length,
    type: known ?? foreign?.type ?? recognisers.backup(volume) ?? 'unknown',
    foreign: foreign ?? null,
    partition,
    notes: describeMissing(partition, image),
  };
}

function describeMissing(partition: Partition, image: ImageBytes): string[] {
  const missing = missingBytes(partition, image);
  if (missing === 0) return [];
  return missing === partition.length
    ? [`Partition ${partition.number} lies past the end of the image.`]
    : [`The image ends ${missing} bytes before partition ${partition.number} does.`];
}

interface TableReading {
  /** Undefined where there is no table, or none that can be believed. */
  readonly table?: PartitionTable;
  readonly notes: readonly string[];
}

/** As the kernel does: a GPT counts where the MBR says so, or where there is no MBR. */
function readTable(image: ImageBytes, recognise: Recognise): TableReading {
  const types = readPrimaryTypes(image);
  const gpt = readGpt(image);
  const isProtected = types?.includes(protectiveType) ?? false;
  if (gpt && (isProtected || !types?.length)) {
    const notes = isProtected ? [] : ['There is no protective MBR before the GPT.'];
    if (types?.some((type) => type !== protectiveType)) {
      notes.push('The MBR is a hybrid: it has entries of its own beside the GPT.');
    }
    return { table: gpt, notes: [...notes, ...gpt.notes] };
  }
  if (!types?.length) return { notes: [] };
  const notes = [
    ...(gpt ? ['There is a GPT too, but the MBR has no entry for it.'] : []),
    ...(isProtected && !gpt ? ['The MBR announces a GPT, but neither copy can be used.'] : []),
  ];
  const reading = readBestMbr(image, recognise);
  return { table: reading.table, notes: [...notes, ...reading.notes] };
}

/** Enough partitions to tell by which sector size the table counts. */
const examined = 16;

/** An MBR does not tell its sector size: the one under which most of it makes sense is taken. */
function readBestMbr(image: ImageBytes, recognise: Recognise): TableReading {
  let best: { mbr: Mbr; known: number; score: number } | undefined;
  for (const sectorSize of sectorSizes) {
    const mbr = readMbr(image, sectorSize);
    if (!mbr) continue;
    const some = mbr.partitions.slice(0, examined);
    const known = some.filter((partition) => isKnown(image, partition, recognise)).length;
    const score = known + mbr.extendedRecords.length;
    if (!best || score > best.score) best = { mbr, known, score };
    if (known > 0 && known === some.length) break;
  }
  if (!best || best.mbr.partitions.length === 0) return { notes: best?.mbr.notes ?? [] };
  const { mbr, known } = best;
  const fault = misplacement(mbr.partitions, image);
  if (!fault) return { table: mbr, notes: mbr.notes };
  // Of a truncated image the table is right all the same; a filesystem that begins where the
  // table says is proof enough.
  const isProven =
    known > 0 && mbr.partitions.every(({ offset }) => offset > 0) && !overlap(mbr.partitions);
  if (isProven) return { table: mbr, notes: mbr.notes };
  return { notes: [`What looks like a partition table is not believed: ${fault}.`, ...mbr.notes] };
}

function isKnown(image: ImageBytes, { offset, length }: Partition, recognise: Recognise): boolean {
  if (offset === 0 || offset >= image.size) return false;
  const volume = new VolumeBytes(image, offset, length);
  return recognise(volume) !== undefined || recogniseForeign(volume) !== undefined;
}
