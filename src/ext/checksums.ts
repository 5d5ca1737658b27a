import crc32cLibrary from 'crc-32/crc32c.js';
import type { Geometry } from './superblock';

/**
 * Continues a crc32c the way Linux does: without the inversions at start and end that the
 * library makes. Start with `checksumStart`.
 * @returns an unsigned 32-bit number
 */
export function crc32c(checksum: number, bytes: Uint8Array): number {
  return ~crc32cLibrary.buf(bytes, ~checksum) >>> 0;
}

export const checksumStart = 0xffffffff;

const crc16Table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xa001 : value >>> 1;
  return value;
});

/** Continues a CRC-16 (polynomial 8005, reflected), which `uninit_bg` descriptors carry. */
export function crc16(checksum: number, bytes: Uint8Array): number {
  let value = checksum & 0xffff;
  for (const byte of bytes) value = (value >>> 8) ^ crc16Table[(value ^ byte) & 0xff];
  return value;
}

/** A number as the four little-endian bytes that checksums are continued with. */
function littleEndian32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

/** What all checksums of the volume start with, but those of its superblock. */
export function checksumSeed(geometry: Geometry): number {
  return geometry.features.has('metadata_csum_seed')
    ? geometry.values.s_checksum_seed
    : crc32c(checksumStart, geometry.values.s_uuid);
}

const superblockChecksumAt = 0x3fc;

/** @param raw the 1024 bytes of a superblock */
export function superblockChecksum(raw: Uint8Array): number {
  return crc32c(checksumStart, raw.subarray(0, superblockChecksumAt));
}

const descriptorChecksumAt = 0x1e;
const shortDescriptorSize = 32;

/**
 * The 16 bits that `bg_checksum` should hold.
 * @param raw the descriptor in its full size
 */
export function descriptorChecksum(geometry: Geometry, group: number, raw: Uint8Array): number {
  const head = raw.subarray(0, descriptorChecksumAt);
  const rest = raw.subarray(descriptorChecksumAt + 2);
  if (geometry.features.has('metadata_csum')) {
    const parts = [littleEndian32(group), head, new Uint8Array(2), rest];
    return parts.reduce(crc32c, checksumSeed(geometry)) & 0xffff;
  }
  // Linux adds what lies past the first 32 bytes only with 64bit.
  const parts = [geometry.values.s_uuid, littleEndian32(group), head];
  if (geometry.features.has('64bit')) parts.push(raw.subarray(shortDescriptorSize));
  return parts.reduce(crc16, 0xffff);
}

/** What checksums of an inode and of its extent and directory blocks start with. */
export function inodeSeed(geometry: Geometry, inode: number, generation: number): number {
  const parts = [littleEndian32(inode), littleEndian32(generation)];
  return parts.reduce(crc32c, checksumSeed(geometry));
}

const attributeChecksumAt = 16;

/**
 * What `h_checksum` of a block of attributes should hold.
 * @param bytes all of the block
 */
export function attributeBlockChecksum(
  geometry: Geometry,
  block: number,
  bytes: Uint8Array,
): number {
  const whole = bytes.slice();
  whole.fill(0, attributeChecksumAt, attributeChecksumAt + 4);
  // The seed is continued with eight bytes: the number's low and high half.
  return crc32c(inodeSeed(geometry, block % 2 ** 32, Math.floor(block / 2 ** 32)), whole);
}

const inodeGenerationAt = 0x64;
const inodeChecksumLowAt = 0x7c;
const inodeChecksumHighAt = 0x82;
const firstExtraSizeWithChecksum = inodeChecksumHighAt + 2 - 128;

/** Whether an inode of this size has room for the upper half of its checksum. */
function hasWideChecksum(raw: Uint8Array): boolean {
  if (raw.length <= 128) return false;
  return (raw[0x80] | (raw[0x81] << 8)) >= firstExtraSizeWithChecksum;
}

/** @param raw the inode in its full size */
export function inodeChecksumMatches(geometry: Geometry, inode: number, raw: Uint8Array): boolean {
  const right = raw.slice();
  setInodeChecksum(geometry, inode, right);
  return right.every((byte, i) => byte === raw[i]);
}

/** Gives an inode the checksum that belongs to it. @param raw the inode in its full size */
export function setInodeChecksum(geometry: Geometry, inode: number, raw: Uint8Array): void {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  const wide = hasWideChecksum(raw);
  view.setUint16(inodeChecksumLowAt, 0);
  if (wide) view.setUint16(inodeChecksumHighAt, 0);
  const generation = view.getUint32(inodeGenerationAt, true);
  const checksum = crc32c(inodeSeed(geometry, inode, generation), raw);
  view.setUint16(inodeChecksumLowAt, checksum & 0xffff, true);
  if (wide) view.setUint16(inodeChecksumHighAt, checksum >>> 16, true);
}

/**
 * The 32 bits that a descriptor keeps of a bitmap.
 * @param bits how many of it belong to a group, whatever the last group has
 */
export function bitmapChecksum(geometry: Geometry, bitmap: Uint8Array, bits: number): number {
  return crc32c(checksumSeed(geometry), bitmap.subarray(0, bits / 8));
}
