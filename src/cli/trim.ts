import type { HostOperation } from '../session/operations';
import { formatSize } from '../protocol/sizes';
import { editCommand, type ImageOptions, type Verb } from './context';
import { editImage, planEdit, type Ask } from './edit';
import { count, printJson } from './print';
import { parseSize } from './sizes';

interface TrimOptions extends ImageOptions {
  readonly minimum: number;
  readonly plan?: boolean;
}

export const trim: Verb = (program, { output, note }) => {
  editCommand(program, 'trim', 'make holes in the image file of what is free in a volume')
    .option(
      '--minimum <bytes>',
      'leave free extents alone that are smaller: 4096, 64K, 1MiB',
      parseSize,
      0,
    )
    .option('--plan', 'tell what would become holes, and change nothing')
    .action(async (image: string, options: TrimOptions) => {
      const { minimum } = options;
      const ask: Ask<HostOperation> = (volume) => ({ kind: 'trim', volume, minimum });
      const { trim: report, notes } = options.plan
        ? await planEdit(image, options, ask)
        : await measured(image, options, ask);
      if (!report) return;
      if (options.json) {
        await printJson(output, { ...report, ...(notes.length > 0 && { notes }) });
        return;
      }
      const { extents, bytes, skippedHoles, reclaimed } = report;
      const [punched, took] = options.plan
        ? ['would punch', 'would reclaim']
        : ['punched', 'reclaimed'];
      await output.line(
        `${punched} ${formatSize(bytes)} in ${count(extents, 'extent')}; ` +
          `already holes: ${count(skippedHoles, 'extent')}`,
      );
      await output.line(`${took} ${formatSize(reclaimed)} of the host's room`);
      await output.flush();
      for (const sentence of notes) note(sentence);
    });
};

/** Trims, and says what the host's file has really given up. */
async function measured(image: string, options: TrimOptions, ask: Ask) {
  const { edit, saved, notes } = await editImage(image, options, ask);
  const report = edit?.trim;
  return { trim: report && { ...report, reclaimed: saved?.reclaimed ?? 0 }, notes };
}
