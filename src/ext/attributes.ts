import { bytes, structure, u16, u32, u8 } from '../filesystem/structure';
import type { Inode } from './inode';
import type { Problems } from './problems';
import { holdsBlocks } from './superblock';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** Layout: Documentation/filesystems/ext4/attributes.rst. */
export const attributeBlockHeader = structure('attribute block', 32, {
  h_magic: u32(0, 'EA020000'),
  h_refcount: u32(4, 'inodes that share the block'),
  h_blocks: u32(8, 'blocks, always 1'),
  h_hash: u32(12, 'hash of all attributes'),
  h_checksum: u32(16, 'checksum of the block'),
  h_reserved: bytes(20, 12, 'unused'),
});

export const attributeEntry = structure('attribute', 16, {
  e_name_len: u8(0, 'length of the name'),
  e_name_index: u8(1, 'which prefix the name has'),
  e_value_offs: u16(2, 'where the value starts'),
  e_value_inum: u32(4, 'inode that holds the value'),
  e_value_size: u32(8, 'length of the value'),
  e_hash: u32(12, 'hash of name and value'),
});

export const attributeMagic = 0xea020000;
const goodOldSize = 128;
const systemIndex = 7;
const noBytes = new Uint8Array(0);

const prefixes: Readonly<Record<number, string>> = {
  1: 'user.',
  2: 'system.posix_acl_access',
  3: 'system.posix_acl_default',
  4: 'trusted.',
  5: 'lustre.',
  6: 'security.',
  7: 'system.',
  8: 'system.richacl',
  9: 'encryption.',
  10: 'hurd.',
};

/** An extended attribute; its value lies beside it, or in an inode of its own. */
export interface Attribute {
  readonly name: string;
  readonly index: number;
  /** Its entry, without the name. */
  readonly entry: DataView;
  /** Where its entry starts in the image, in bytes. */
  readonly place: number;
  readonly value: Uint8Array;
  /** Where the value starts in the image, in bytes. */
  readonly valuePlace: number;
  /** The inode with the value, 0 where the value lies here. */
  readonly valueInode: number;
}

/** The attributes kept in the inode itself, past its fields. */
export function readInodeAttributes(inode: Inode, problems: Problems): Attribute[] {
  const start = goodOldSize + inode.extraSize;
  if (inode.extraSize === 0 || start + 4 > inode.raw.length) return [];
  if (inode.view.getUint32(start, true) !== attributeMagic) return [];
  // Values are counted from the first entry on.
  const first = start + 4;
  return readEntries(inode.view, inode.place, first, first, problems);
}

/** The attributes in the block that `i_file_acl` names. */
export function readBlockAttributes(
  volume: ExtVolume,
  inode: Inode,
  problems: Problems,
): Attribute[] {
  const block = inode.attributeBlock;
  if (block === 0) return [];
  if (!holdsBlocks(volume.geometry, block)) {
    const message =
      `The attributes of inode ${inode.number} are said to be in block ${block}, ` +
      'outside of the volume.';
    problems.error('attribute-block-out-of-range', message, inode.place + 0x68, 4);
    return [];
  }
  return readAttributeBlock(volume, block, problems);
}

/** The attributes in a block of them. */
export function readAttributeBlock(
  volume: ExtVolume,
  block: number,
  problems: Problems,
): Attribute[] {
  const view = readBlock(volume, block);
  const place = imageOffset(volume, block);
  if (view.getUint32(0, true) !== attributeMagic) {
    const message = `Block ${block} should hold attributes, but does not start like that.`;
    problems.error('attribute-block-magic', message, place, 4);
    return [];
  }
  return readEntries(view, place, attributeBlockHeader.size, 0, problems);
}

/**
 * @param first where the entries start in the view
 * @param base what value offsets are counted from
 */
function readEntries(
  view: DataView,
  place: number,
  first: number,
  base: number,
  problems: Problems,
): Attribute[] {
  const found: Attribute[] = [];
  let at = first;
  const report = (what: string) => {
    const message = `An attribute of inode ${problems.inode} ${what}.`;
    const length = Math.min(attributeEntry.size, view.byteLength - at);
    problems.error('attribute-broken', message, place + at, length);
  };
  // Four zero bytes end the entries.
  while (at + 4 <= view.byteLength && view.getUint32(at, true) !== 0) {
    if (at + attributeEntry.size > view.byteLength) {
      report('runs past its end');
      break;
    }
    const entry = attributeEntry.read(view, at);
    const nameEnd = at + attributeEntry.size + entry.e_name_len;
    if (nameEnd > view.byteLength) {
      report('has a name that runs past its end');
      break;
    }
    const valueAt = base + entry.e_value_offs;
    const here = entry.e_value_inum === 0;
    if (here && entry.e_value_size > 0 && valueAt + entry.e_value_size > view.byteLength) {
      report('has a value that runs past its end');
    } else {
      const bytesAt = (offset: number, length: number) =>
        new Uint8Array(view.buffer, view.byteOffset + offset, length);
      const suffix = bytesAt(at + attributeEntry.size, entry.e_name_len);
      found.push({
        name: (prefixes[entry.e_name_index] ?? '') + new TextDecoder().decode(suffix),
        index: entry.e_name_index,
        entry: new DataView(view.buffer, view.byteOffset + at, attributeEntry.size),
        place: place + at,
        value: here && entry.e_value_size > 0 ? bytesAt(valueAt, entry.e_value_size) : noBytes,
        valuePlace: place + valueAt,
        valueInode: entry.e_value_inum,
      });
    }
    at += (attributeEntry.size + entry.e_name_len + 3) & ~3;
  }
  return found;
}

const inlineDataName = 0x61746164; // “data”, of the system's attributes

/** Whether an entry is that of the attribute that continues content kept in the inode. */
export function isInlineDataEntry(view: DataView, at: number): boolean {
  const nameAt = at + attributeEntry.size;
  return (
    nameAt + 4 <= view.byteLength &&
    view.getUint8(at) === 4 &&
    view.getUint8(at + 1) === systemIndex &&
    view.getUint32(nameAt, true) === inlineDataName
  );
}

/** The attribute that continues content kept in the inode. */
export function findInlineData(inode: Inode, problems: Problems): Attribute | undefined {
  return readInodeAttributes(inode, problems).find(isInlineData);
}

export function isInlineData({ index, name }: Attribute): boolean {
  return index === systemIndex && name === 'system.data';
}
