import type { NodeChanges } from '../../filesystem/editing';
import { parseTimestamp, type Timestamp } from '../../filesystem/timestamp';
import { ImageError } from '../../image/errors';
import type { AttributeChanges } from '../operations';
import { labelName } from './labels';

const times = ['modified', 'accessed', 'created'] as const;
const permissionBits = 0o7777;
/** The largest number of an owner or group, of 32 bits. */
export const largestId = 0xffffffff;

/**
 * The changes as an editor takes them.
 * @throws ImageError `usage` for a time that is none, or numbers that no format holds
 */
export function nodeChanges(changes: AttributeChanges): NodeChanges {
  const { mode, uid, gid, set, clear } = changes;
  checkNumber('mode', mode, permissionBits);
  checkNumber('owner', uid, largestId);
  checkNumber('group', gid, largestId);
  const stamps: Partial<Record<(typeof times)[number], Timestamp>> = {};
  for (const name of times) {
    const text = changes[name];
    if (text !== undefined) stamps[name] = readTime(text);
  }
  return {
    ...(mode !== undefined && { mode }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    ...stamps,
    ...(set && { set }),
    ...(clear && { clear }),
  };
}

function checkNumber(what: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= most)) return;
  const [shown, limit] = what === 'mode' ? [octal(value), octal(most)] : [value, most];
  throw new ImageError('usage', `There is no ${what} ${shown}: they end at ${limit}.`);
}

const octal = (value: number) => value.toString(8);

function readTime(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time) return time;
  throw new ImageError(
    'usage',
    `${labelName(text)} is no time such as 2024-03-01T12:00:00Z, in ISO 8601.`,
  );
}
