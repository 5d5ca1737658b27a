import type { TemplateResult } from 'lit';
import type { ImageSummary, VolumeSummary } from '../../src/protocol/requests';
import { formatAmount, formatOffset, formatSize, formatType } from '../formats';
import { visibleText } from '../names';
import { renderMessage } from './message';

const schemes = { none: 'none', mbr: 'MBR', gpt: 'GPT' } as const;

/** Stands in place of the files of a volume that cannot be opened: what is known of it, and why. */
export function renderClosedVolume(
  image: ImageSummary,
  volume: VolumeSummary | null,
): TemplateResult {
  const known = volume && volume.type !== 'unknown';
  return renderMessage({
    icon: known ? 'lock' : 'question',
    title: known
      ? `${formatType(volume.type)} is only named here, not opened`
      : 'No known filesystem',
    text: visibleText(volume?.unreadable ?? 'Nothing in this image says what it holds.'),
    facts: [...(volume ? volumeFacts(volume) : []), ...imageFacts(image)],
  });
}

function volumeFacts(volume: VolumeSummary): [string, string][] {
  const facts: [string, string][] = [
    ['Volume', `${volume.index}, from ${formatOffset(volume.offset)}`],
    ['Length', `${formatSize(volume.length)} (${formatAmount(volume.length, 'byte')})`],
  ];
  if (volume.label) facts.push(['Label', visibleText(volume.label)]);
  if (volume.uuid) facts.push(['UUID', visibleText(volume.uuid)]);
  return facts;
}

function imageFacts({ image, scheme, volumes }: ImageSummary): [string, string][] {
  return [
    ['Image', `${formatSize(image.size)} (${formatAmount(image.size, 'byte')})`],
    ['Partition table', schemes[scheme]],
    ['Volumes', String(volumes.length)],
  ];
}
