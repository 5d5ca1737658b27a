import { ImageError } from '../../image/errors';
import {
  attributeEntry,
  attributeMagic,
  isInlineData,
  readInodeAttributes,
  type Attribute,
} from '../attributes';
import { entriesInInode, startNode } from '../extent-node';
import { InlineData } from '../inline-data';
import { iBlockOf, inodeFlags, inodeStructure, readInode, type Inode } from '../inode';
import { Problems } from '../problems';
import { bytesOf } from '../volume-writer';
import type { EditContext } from './context';

const goodOldSize = 128;
const magicSize = 4;

/**
 * Takes the content out of an inode that keeps it in itself; the inode is then one whose content
 * lies in blocks, and has none. Other attributes stay.
 * @returns the content; what a larger size claims beyond it is zeros
 * @throws ImageError `corrupt`
 */
export function takeContentOut(context: EditContext, number: number): Uint8Array {
  const { volume, writer, sound } = context;
  const inode = readInode(volume, number);
  const problems = new Problems(number);
  const inline = new InlineData(inode, problems);
  const others = readInodeAttributes(inode, problems).filter((one) => !isInlineData(one));
  if (problems.list.length > 0) throw new ImageError('corrupt', problems.list[0].message);
  // Whatever size it claims, no more than the inode can be kept in it.
  const content = new Uint8Array(Math.min(inline.size, inode.raw.length));
  inline.read(0, content);
  const hasExtents = volume.geometry.features.has('extent');
  writer.editInode(number, (raw) => {
    writeAttributes(raw, inode, others);
    const flags = inode.flags & ~inodeFlags.inlineData;
    inodeStructure.set(raw, 'i_flags', (flags | (hasExtents ? inodeFlags.extents : 0)) >>> 0);
    inodeStructure.set(raw, 'i_size_lo', 0);
    inodeStructure.set(raw, 'i_size_high', 0);
    const map = iBlockOf(raw);
    bytesOf(map).fill(0);
    if (hasExtents) startNode(map, 0, entriesInInode);
  });
  sound.add(number);
  return content;
}

/** Writes the attributes behind the fields of an inode anew. @param kept those that stay */
function writeAttributes(raw: DataView, inode: Inode, kept: readonly Attribute[]): void {
  const start = goodOldSize + inode.extraSize;
  if (start + magicSize > raw.byteLength) return;
  if (raw.getUint32(start, true) !== attributeMagic) return;
  const bytes = bytesOf(raw);
  const first = start + magicSize;
  bytes.fill(0, start);
  if (kept.length === 0) return;
  raw.setUint32(start, attributeMagic, true);
  let at = first;
  let end = raw.byteLength;
  for (const { place, entry: head, value } of kept) {
    const from = place - inode.place;
    const { e_name_len } = attributeEntry.read(head);
    const entry = inode.raw.slice(from, from + ((attributeEntry.size + e_name_len + 3) & ~3));
    // Values lie at the end, and are counted from the first entry on.
    if (value.length > 0) {
      end -= (value.length + 3) & ~3;
      if (end < at + entry.length) {
        throw new ImageError('corrupt', `The attributes in inode ${inode.number} overlap.`);
      }
      bytes.set(value, end);
      attributeEntry.set(new DataView(entry.buffer), 'e_value_offs', end - first);
    }
    bytes.set(entry, at);
    at += entry.length;
  }
}
