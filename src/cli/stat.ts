import { documentCommand, withVolume, type ImageOptions, type Verb } from './context';
import { entryJson } from './entry-json';
import { formatExtents } from './ls';
import { count, formatBytes, printable, printJson } from './print';

export const stat: Verb = (program, { output }) => {
  documentCommand(program, 'stat', 'tell all about one file or directory')
    .argument('<path>', 'absolute path inside the image')
    .action((image: string, path: string, options: ImageOptions) =>
      withVolume(image, options, async (volume) => {
        const entry = volume.entry(path);
        const details = volume.details(entry.node, Infinity);
        const { allocated, fragments, device, structures, problems } = details;
        const fields = structures.at(0)?.fields ?? [];
        const document = {
          ...entryJson(volume, path, entry, { extents: true }),
          allocated,
          fragments,
          device,
          fields,
          problems: problems.length > 0 ? problems : undefined,
        };
        if (options.json) {
          await printJson(output, document);
          return;
        }
        await output.line(`${printable(path)}: ${entry.type} ${entry.number}`);
        const pieces = count(fragments, 'fragment');
        await output.line(
          `  ${entry.size} bytes, ${formatBytes(allocated)} allocated in ${pieces}`,
        );
        for (const time of ['modified', 'changed', 'accessed', 'created'] as const) {
          if (entry[time]) await output.line(`  ${time} ${entry[time]}`);
        }
        if (entry.target !== undefined) await output.line(`  leads to ${printable(entry.target)}`);
        await output.line(`  extents ${formatExtents(details.extents)}`);
        for (const { message } of problems) await output.line(`  problem: ${printable(message)}`);
        for (const { name, offset, value } of fields) {
          await output.line(
            `  ${String(offset).padStart(12)}  ${name} = ${printable(String(value))}`,
          );
        }
      }),
    );
};
