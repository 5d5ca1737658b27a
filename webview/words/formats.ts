/** How numbers, times, modes and volumes are written, everywhere the same. */
import type { VolumeSummary } from '../../src/protocol/requests';
import { formatSize } from '../../src/protocol/sizes';
import { visibleText } from './names';

export { formatSize };

/** Stands where there is no value. */
export const none = '–';

const counts = new Intl.NumberFormat('en-US');

/** A whole number with thousands separators: `31,744`. */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** `1 extent`, `1,204 extents`. */
export function formatAmount(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** An ISO 8601 time as `2024-03-01 12:00`, or with its seconds. */
export function formatTime(iso: string | null | undefined, seconds = false): string {
  const time = /^([+-]?\d+-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)/.exec(iso ?? '');
  return time ? `${time[1]} ${time[2]}${seconds ? time[3] : ''}` : none;
}

/** The date of an ISO 8601 time: `2024-03-01`. */
export function formatDate(iso: string): string {
  return formatTime(iso).split(' ')[0];
}

/** File types of `stat(2)`, by the top four of the mode's sixteen bits. */
const typeLetters: Readonly<Record<number, string>> = {
  0o01: 'p',
  0o02: 'c',
  0o04: 'd',
  0o06: 'b',
  0o10: '-',
  0o12: 'l',
  0o14: 's',
};

/** A mode as `ls -l` prints it: `drwxr-sr-x`. */
export function formatMode(mode: number): string {
  const triple = (shift: number, special: number, letter: string) => {
    const bits = mode >> shift;
    const execute = bits & 1;
    const last = mode & special ? (execute ? letter : letter.toUpperCase()) : execute ? 'x' : '-';
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`;
  };
  const type = typeLetters[(mode >> 12) & 0o17] ?? '?';
  return `${type}${triple(6, 0o4000, 's')}${triple(3, 0o2000, 's')}${triple(0, 0o1000, 't')}`;
}

const dosAttributes: readonly (readonly [string, string])[] = [
  ['read-only', 'R'],
  ['hidden', 'H'],
  ['system', 'S'],
  ['archive', 'A'],
];

/** FAT attributes at fixed places: `R--A`. */
export function formatDosAttributes(attributes: readonly string[]): string {
  return dosAttributes.map(([name, letter]) => (attributes.includes(name) ? letter : '-')).join('');
}

/** A place in the image: `0x4400`. */
export function formatOffset(offset: number): string {
  return `0x${offset.toString(16)}`;
}

/** A share of a whole in percent; small shares and near wholes are not rounded away. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 1) return '< 1 %';
  if (percent > 99 && percent < 100) return '> 99 %';
  return `${Math.round(percent)} %`;
}

/** A filesystem that is read, as people write it: `FAT32`, `ext4`. */
export function formatType(type: string): string {
  return type.startsWith('fat') ? type.toUpperCase() : type;
}

/** A sentence's first letter as a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A volume in one line: `FAT32 "BOOT" 64 MiB`. */
export function formatVolume(volume: VolumeSummary): string {
  const { type, foreign, label, partition, length } = volume;
  const names = [
    label && `"${visibleText(label)}"`,
    // Many tools give a partition the name of its filesystem.
    partition?.name && partition.name !== label && `(${visibleText(partition.name)})`,
  ];
  return [
    foreign ? capitalize(foreign) : type === 'unknown' ? 'Unknown' : formatType(type),
    ...names,
    formatSize(length),
  ]
    .filter(Boolean)
    .join(' ');
}
