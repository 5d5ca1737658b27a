import { formatSize } from '../protocol/sizes';
import { ImageError } from '../image/errors';
import { documentCommand, parseIndex, withVolume, type ImageOptions, type Verb } from './context';
import { count, printJson, printJsonList } from './print';

interface FreeOptions extends ImageOptions {
  readonly list?: boolean;
  readonly minimum?: number;
}

export const free: Verb = (program, { output }) => {
  documentCommand(program, 'free', 'tell what is free, as the bitmaps or the FAT have it')
    .option('--list', 'list the free extents')
    .option(
      '--minimum <n>',
      'with --list: only those of at least so many blocks or clusters',
      parseIndex,
    )
    .action((image: string, options: FreeOptions) => {
      if (options.minimum !== undefined && !options.list) {
        throw new ImageError('usage', 'The option --minimum needs --list, which it shortens.');
      }
      return withVolume(image, options, async (volume) => {
        const summary = volume.freeSpace();
        const { name } = volume.fileSystem.unit;
        const list = options.list ? volume.freeList(options.minimum ?? 0) : [];
        if (options.json) {
          if (options.list) await printJsonList(output, summary, 'list', list);
          else await printJson(output, summary);
          return;
        }
        const size = formatSize(summary.free * summary.unit);
        const total = count(summary.total, name);
        await output.line(`${summary.free} of ${total} free (${size})`);
        const largest = count(summary.largest, name);
        if (summary.extents === 1) await output.line(`1 extent of ${largest}`);
        else if (summary.extents > 1) {
          await output.line(`${summary.extents} extents, the largest of ${largest}`);
        }
        for (const { minimum, extents, units } of summary.histogram) {
          const range =
            minimum === 1 ? count(1, name) : `${minimum} to ${2 * minimum - 1} ${name}s`;
          const amount = count(units, name);
          await output.line(`  ${range.padEnd(28)} ${count(extents, 'extent')}, ${amount}`);
        }
        for (const [start, length] of list) await output.line(`${start} ${length}`);
      });
    });
};
