import { parseIndex, documentCommand, withVolume, type Verb, type ImageOptions } from './context';
import { count, printable, printJson } from './print';

export const owner: Verb = (program, { output }) => {
  documentCommand(program, 'owner', 'tell what a block or cluster is used for, and by whom')
    .argument('<unit>', 'number of the block or cluster', parseIndex)
    .action((image: string, unit: number, options: ImageOptions) =>
      withVolume(image, options, async (volume) => {
        volume.layout.findOwners();
        const answer = volume.layout.owner(unit);
        const { start, length, offset, role, name, number, logical, paths, markedFree } = answer;
        if (options.json) {
          await printJson(output, {
            unit,
            role,
            name,
            id: number,
            paths,
            logical: logical === undefined ? undefined : logical + unit - start,
            run: { start, length, offset },
            markedFree,
          });
          return;
        }
        const noun = volume.fileSystem.unit.name;
        await output.line(
          `${noun} ${unit}: ${role === name ? role : `${role}, ${printable(name)}`}`,
        );
        if (logical !== undefined) {
          await output.line(`  ${noun} ${logical + unit - start} of it, counted from 0`);
        }
        await output.line(
          `  in a run of ${count(length, noun)} from ${start} on, at byte ${offset}`,
        );
        if (markedFree)
          await output.line('  in use, but marked free: whoever writes next may take it');
        for (const path of paths?.slice(1) ?? []) await output.line(`  also ${printable(path)}`);
      }),
    );
};
