import { ImageError } from '../../image/errors';
import type { Timestamp } from '../../filesystem/timestamp';
import { bootSector16, bootSector32, readBootSector } from '../boot-sector';
import type { CodePage } from '../code-pages';
import { readRoot } from '../directory';
import { labelSlot, noLabel } from '../facts';
import { attributeBits, deletedMark, escapedE5, nameLength } from '../slots';
import type { ClusterAllocator } from './cluster-allocator';
import type { EditedDirectory } from './edited-directory';
import { makeSlots, modifiedFields } from './slot-maker';
import type { WritableFat } from './writable-fat';

/**
 * Sets the label where the root directory has it, and where the boot sectors repeat it.
 * @param label empty, or what formatters write for that, takes it away
 * @throws ImageError `usage` for one that cannot be stored; `full`
 */
export function writeLabel(
  volume: WritableFat,
  root: EditedDirectory,
  allocator: ClusterAllocator,
  label: string,
  now: Timestamp,
): void {
  const raw = encodeLabel(label || noLabel, volume.codePage);
  const index = labelSlot(readRoot(volume));
  if (index !== undefined) root.remove({ first: index, short: index });
  if (label !== '' && label !== noLabel) {
    const fields = { ...modifiedFields(now), DIR_Attr: attributeBits.label };
    const slot = makeSlots({ long: undefined, short: raw, caseFlags: 0 }, fields);
    root.insert(root.makeRoom(1, allocator), slot);
  }
  writeBootSectors(volume, raw);
}

/** The eleven bytes of a label, in upper case as drivers expect them. */
function encodeLabel(label: string, codePage: CodePage): Uint8Array {
  // What fatlabel refuses, too: DOS forbids these in names.
  // eslint-disable-next-line no-control-regex
  const forbidden = /[\0-\x1f\x7f"*+,./:;<=>?[\\\]|]|^ /.exec(label);
  if (forbidden) {
    const what =
      forbidden[0] === ' ' ? 'start with a space' : `hold ${JSON.stringify(forbidden[0])}`;
    throw new ImageError('usage', `A label on FAT cannot ${what}.`);
  }
  const raw = new Uint8Array(nameLength).fill(0x20);
  let used = 0;
  for (const character of label) {
    const bytes = codePage.encodeUpper(character);
    if (!bytes) {
      const message = `Code page ${codePage.number} has no character ${JSON.stringify(character)}.`;
      throw new ImageError('usage', `A label on FAT is kept in a code page. ${message}`);
    }
    if (used + bytes.length > nameLength) {
      throw new ImageError('usage', `A label on FAT has at most ${nameLength} bytes.`);
    }
    raw.set(bytes, used);
    used += bytes.length;
  }
  if (raw[0] === deletedMark) raw[0] = escapedE5;
  return raw;
}

/** The boot sector and its backup have a label where their extended signature says so. */
function writeBootSectors(volume: WritableFat, raw: Uint8Array): void {
  const { bits, backupSector, sectorSize } = volume.boot;
  const declared = bits === 32 ? bootSector32 : bootSector16;
  for (const sector of [0, backupSector]) {
    if (sector === undefined) continue;
    const boot = readBootSector(volume.bytes, sector, sectorSize);
    if (boot?.bits !== bits || !boot.label) continue;
    const place = sector * sectorSize + declared.fields.BS_VolLab.offset;
    volume.bytes.write(place, raw);
  }
}
