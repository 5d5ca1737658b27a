import type { DescribedField } from '../filesystem/structure';
import { printable } from './print';

/** Fields that people know in hexadecimal: flags, modes, magic numbers, packed dates, checksums. */
const bitFields =
  /flags|mode|magic|sig(nature)?$|attr|features?_|opts|state|media|volid|ntres|time|date|lastcheck|commit_sec|checksum|chksum|csum/i;
const plainNumbers = /_(type|size)$/; // of the checksum, say

/** `i_mode = 33188 = 0x81a4`: the name of a field and its value. */
export function formatField({ name, length, value }: DescribedField): string {
  const isBits = bitFields.test(name) && !plainNumbers.test(name);
  if (typeof value === 'string' || value < 0 || !isBits) {
    return `${name} = ${printable(String(value))}`;
  }
  return `${name} = ${value} = 0x${value.toString(16).padStart(2 * length, '0')}`;
}
