import { formatSize } from '../protocol/sizes';
import type { VolumeSummary } from '../session/answers';
import { attempt } from '../session/entry-facts';
import type { ImageSession } from '../session/image-session';
import { documentCommand, showReplayed, withImage, type ImageOptions, type Verb } from './context';
import type { Output } from './output';
import { count, printable, printJson } from './print';

export const info: Verb = (program, { output }) => {
  documentCommand(program, 'info', 'tell what an image holds').action(
    (image: string, options: ImageOptions) =>
      withImage(image, options, async (session) => {
        showReplayed(session, options);
        const summary = session.summary();
        const volumes = summary.volumes
          .filter(({ index }) => index === (options.partition ?? index))
          .map((volume) => ({ ...volume, freeBlocksCounted: countFree(session, volume) }));
        if (volumes.length === 0) session.volume(options.partition); // says which there are
        const document = { ...summary, volumes };
        if (options.json) await printJson(output, document);
        else await printInfo(output, document);
        await output.flush();
        // Contents that are recognised, but not read, are an answer as well.
        const known = volumes.some(({ unreadable, foreign }) => unreadable === null || foreign);
        if (!known) session.volume(options.partition);
      }),
  );
};

type CountedVolume = VolumeSummary & { readonly freeBlocksCounted: number | null };

/** What the bitmaps or the FAT say is free; null where there are none to read. */
function countFree(session: ImageSession, { index, unreadable }: VolumeSummary): number | null {
  if (unreadable !== null) return null;
  const free = attempt(() => session.volume(index).freeSpace().free);
  return typeof free === 'string' ? null : free;
}

async function printInfo(
  output: Output,
  document: ReturnType<ImageSession['summary']> & { readonly volumes: readonly CountedVolume[] },
): Promise<void> {
  const { image, scheme, notes, volumes } = document;
  const table = scheme === 'none' ? 'no partition table' : scheme.toUpperCase();
  const sizes = `${formatSize(image.size)}, ${formatSize(image.allocated)} allocated`;
  await output.line(`image: ${sizes}; ${table}`);
  for (const note of notes) await output.line(`note: ${printable(note)}`);
  for (const volume of volumes) await printVolume(output, volume);
}

async function printVolume(output: Output, volume: CountedVolume): Promise<void> {
  const { index, type, foreign, label, offset, length, partition, notes, unreadable } = volume;
  const names = [label && `"${label}"`, partition?.name && `(${partition.name})`];
  const title = [foreign ?? type, ...names.filter(Boolean)].join(' ');
  await output.line(
    `volume ${index}: ${printable(title)}, ${formatSize(length)} at byte ${offset}`,
  );
  if (partition) {
    await output.line(`  partition ${partition.number} of type ${partition.type}`);
  }
  if (unreadable !== null) await output.line(`  ${printable(unreadable)}`);
  if (volume.unit) {
    const said = volume.freeBlocks === null ? 'nothing' : volume.freeBlocks;
    const free = `${volume.freeBlocksCounted} free (its own count says ${said})`;
    const units = count(volume.unit.count, volume.unit.name);
    await output.line(`  ${units} of ${volume.unit.size} bytes, ${free}`);
  }
  if (volume.inodes !== null) {
    await output.line(`  ${count(volume.inodes, 'inode')}, ${volume.freeInodes} free`);
  }
  if (unreadable === null) await output.line(`  ${volume.state}; UUID ${volume.uuid || 'none'}`);
  if (volume.features.length > 0) await output.line(`  features: ${volume.features.join(' ')}`);
  for (const note of notes) await output.line(`  note: ${printable(note)}`);
}
