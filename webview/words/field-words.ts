/** Fields and structures in words. */
import type { DescribedField } from '../../src/protocol/requests';
import type { Annotation } from '../structures/annotations';
import { formatAmount, formatCount, formatOffset } from './formats';
import { visibleText } from './names';

/** Characters of a value that are shown; the rest is in the hex view. */
const shownValue = 200;

/** A field's value, cut where it is very long. */
export function formatFieldValue({ value }: DescribedField): string {
  if (typeof value === 'number') return formatCount(value);
  const text = visibleText(value);
  return text.length > shownValue ? `${text.slice(0, shownValue)}…` : text;
}

/** Flags, magics and hashes say more in hexadecimal; null where it says no more than the value. */
export function formatHexValue({ value }: DescribedField): string | null {
  return typeof value === 'number' && value >= 10 ? `0x${value.toString(16)}` : null;
}

/** A field with its value, meaning and place, in three lines. */
export function describeField(field: DescribedField): string {
  const { name, offset, length, meaning } = field;
  const hex = formatHexValue(field);
  return [
    `${visibleText(name)} = ${formatFieldValue(field)}${hex === null ? '' : ` (${hex})`}`,
    visibleText(meaning),
    `${formatOffset(offset)}, ${formatAmount(length, 'byte')}`,
  ].join('\n');
}

/** What a byte is, in some lines; empty where nothing is known of it. */
export function describeAnnotation(annotation: Annotation | null): string {
  if (!annotation) return '';
  const { structure, field } = annotation;
  const name = visibleText(structure.name);
  return field ? `${name}\n${describeField(field)}` : name;
}
