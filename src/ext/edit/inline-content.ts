import { ImageError } from '../../image/errors';
import { attributeEntry, attributeMagic, isInlineDataEntry } from '../attributes';
import { entriesInInode, startNode } from '../extent-node';
import { InlineData } from '../inline-data';
import { iBlockOf, inodeFlags, inodeStructure, readInode } from '../inode';
import { Problems } from '../problems';
import { bytesOf } from '../volume-writer';
import type { EditContext } from './context';

const goodOldSize = 128;
const magicSize = 4;

/** An attribute in an inode that stays. */
interface Kept {
  /** Its entry and name. */
  readonly entry: Uint8Array<ArrayBuffer>;
  readonly value: Uint8Array;
}

/**
 * Takes the content out of an inode that keeps it in itself; the inode is then one whose content
 * lies in blocks, and has none. Other attributes stay.
 * @returns the content
 * @throws ImageError `corrupt`
 */
export function takeContentOut(context: EditContext, number: number): Uint8Array {
  const { volume, writer, sound } = context;
  const problems = new Problems(number);
  const inline = new InlineData(readInode(volume, number), problems);
  if (problems.list.length > 0) throw new ImageError('corrupt', problems.list[0].message);
  const content = new Uint8Array(inline.size);
  inline.read(0, content);
  const hasExtents = volume.geometry.features.has('extent');
  writer.editInode(number, (raw) => {
    dropInlineData(raw, number);
    const flags = inodeStructure.fields.i_flags.read(raw, inodeStructure.fields.i_flags.offset);
    const others = flags & ~inodeFlags.inlineData;
    inodeStructure.set(raw, 'i_flags', (others | (hasExtents ? inodeFlags.extents : 0)) >>> 0);
    inodeStructure.set(raw, 'i_size_lo', 0);
    inodeStructure.set(raw, 'i_size_high', 0);
    const map = iBlockOf(raw);
    bytesOf(map).fill(0);
    if (hasExtents) startNode(map, 0, entriesInInode);
  });
  sound.add(number);
  return content;
}

/** Writes the attributes behind the fields of an inode anew, without that with its content. */
function dropInlineData(raw: DataView, number: number): void {
  const { i_extra_isize } = inodeStructure.fields;
  const start = goodOldSize + i_extra_isize.read(raw, i_extra_isize.offset);
  if (start + magicSize > raw.byteLength) return;
  if (raw.getUint32(start, true) !== attributeMagic) return;
  const first = start + magicSize;
  const kept = readOthers(raw, first, number);
  const room = bytesOf(raw).subarray(start);
  room.fill(0);
  if (kept.length === 0) return;
  raw.setUint32(start, attributeMagic, true);
  let at = first;
  let end = raw.byteLength;
  for (const { entry, value } of kept) {
    // Values lie at the end, and are counted from the first entry on.
    if (value.length > 0) {
      end -= (value.length + 3) & ~3;
      if (end < at + entry.length) throw broken(number); // values that overlapped
      bytesOf(raw).set(value, end);
      new DataView(entry.buffer).setUint16(
        attributeEntry.fields.e_value_offs.offset,
        end - first,
        true,
      );
    }
    bytesOf(raw).set(entry, at);
    at += entry.length;
  }
}

function readOthers(raw: DataView, first: number, number: number): Kept[] {
  const bytes = bytesOf(raw);
  const kept: Kept[] = [];
  for (let at = first; at + 4 <= raw.byteLength && raw.getUint32(at, true) !== 0;) {
    const length = (attributeEntry.size + bytes[at] + 3) & ~3;
    if (at + length > raw.byteLength) throw broken(number);
    const { e_value_offs, e_value_inum, e_value_size } = attributeEntry.read(raw, at);
    const place = first + e_value_offs;
    const size = e_value_inum === 0 ? e_value_size : 0;
    if (place + size > raw.byteLength) throw broken(number);
    if (!isInlineDataEntry(raw, at)) {
      kept.push({ entry: bytes.slice(at, at + length), value: bytes.slice(place, place + size) });
    }
    at += length;
  }
  return kept;
}

function broken(number: number): ImageError {
  return new ImageError('corrupt', `The attributes in inode ${number} go beyond it.`);
}
