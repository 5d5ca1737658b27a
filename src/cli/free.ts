import { volumeCommand, parseIndex, withVolume, type VolumeOptions, type Verb } from './context';
import { count, formatBytes, printJson, printJsonList } from './print';

interface FreeOptions extends VolumeOptions {
  readonly list?: boolean;
  readonly minimum: number;
}

export const free: Verb = (program, { output }) => {
  volumeCommand(program, 'free', 'tell what is free, as the bitmaps or the FAT have it')
    .option('--list', 'list the free extents')
    .option(
      '--minimum <n>',
      'list only those of at least so many blocks or clusters',
      parseIndex,
      0,
    )
    .action((image: string, options: FreeOptions) =>
      withVolume(image, options, async (volume) => {
        const summary = volume.freeSpace();
        const { name } = volume.fileSystem.unit;
        const list = options.list ? volume.freeList(options.minimum) : [];
        if (options.json) {
          if (options.list) await printJsonList(output, summary, 'list', list);
          else await printJson(output, summary);
          return;
        }
        const amount = formatBytes(summary.free * summary.unit);
        const total = count(summary.total, name);
        await output.line(`${summary.free} of ${total} free (${amount})`);
        await output.line(
          `${count(summary.extents, 'extent')}, the largest of ${count(summary.largest, name)}`,
        );
        for (const { minimum, extents, units } of summary.histogram) {
          const range = `${minimum} to ${2 * minimum - 1} ${name}s`;
          await output.line(`  ${range.padEnd(28)} ${count(extents, 'extent')}, ${units} ${name}s`);
        }
        for (const [start, length] of list) await output.line(`${start} ${length}`);
      }),
    );
};
