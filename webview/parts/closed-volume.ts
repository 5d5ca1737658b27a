import type { TemplateResult } from 'lit';
import type { ImageSummary, VolumeSummary } from '../../src/protocol/requests';
import { capitalize, formatAmount, formatOffset, formatSize, formatType } from '../words/formats';
import { visibleText } from '../words/names';
import { renderMessage } from './message';

const schemes = { none: 'none', mbr: 'MBR', gpt: 'GPT' } as const;

/** Stands in place of the files of a volume that cannot be opened: what is known of it, and why. */
export function renderClosedVolume(
  image: ImageSummary,
  volume: VolumeSummary | null,
): TemplateResult {
  return renderMessage({
    ...titleOf(volume),
    text: visibleText(volume?.unreadable ?? 'Nothing in this image says what it holds.'),
    facts: [...(volume ? volumeFacts(volume) : []), ...imageFacts(image)],
  });
}

function titleOf(volume: VolumeSummary | null): { icon: string; title: string } {
  if (volume?.foreign) return { icon: 'lock', title: capitalize(volume.foreign) };
  if (!volume || volume.type === 'unknown') {
    return { icon: 'question', title: 'No known filesystem' };
  }
  return { icon: 'error', title: `This ${formatType(volume.type)} filesystem cannot be opened` };
}

function volumeFacts(volume: VolumeSummary): [string, string][] {
  const { index, offset, length, label, uuid, partition } = volume;
  const facts: [string, string][] = [
    ['Volume', `${index}, from ${formatOffset(offset)}`],
    ['Length', `${formatSize(length)} (${formatAmount(length, 'byte')})`],
  ];
  if (partition) facts.push(['Partition', formatPartition(partition)]);
  if (label) facts.push(['Label', visibleText(label)]);
  if (uuid) facts.push(['UUID', visibleText(uuid)]);
  return facts;
}

function formatPartition({ number, type, name }: NonNullable<VolumeSummary['partition']>): string {
  const named = name ? ` "${visibleText(name)}"` : '';
  return `${number}${named}, type ${visibleText(type)}`;
}

function imageFacts({ image, scheme, volumes }: ImageSummary): [string, string][] {
  return [
    ['Image', `${formatSize(image.size)} (${formatAmount(image.size, 'byte')})`],
    ['Partition table', schemes[scheme]],
    ['Volumes', String(volumes.length)],
  ];
}
