import { formatSize } from '../protocol/sizes';
import type { EntryFacts } from '../session/answers';
import { documentCommand, withVolume, type ImageOptions, type Verb } from './context';
import { entryJson } from './entry-json';
import { formatField } from './fields';
import { formatExtents } from './ls';
import { printableName } from './names';
import { count, formatMode, printable, printJson } from './print';

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
        await output.line(`${printableName(path)}: ${entry.type} ${entry.number}`);
        const pieces = count(fragments, 'fragment');
        await output.line(
          `  ${count(entry.size, 'byte')}, ${formatSize(allocated)} allocated in ${pieces}`,
        );
        for (const line of factLines(entry)) await output.line(`  ${line}`);
        if (device) await output.line(`  device ${device.major}:${device.minor}`);
        await output.line(`  extents ${formatExtents(details.extents)}`);
        for (const { message } of problems) await output.line(`  problem: ${printable(message)}`);
        for (const field of fields) {
          await output.line(`  ${String(field.offset).padStart(12)}  ${formatField(field)}`);
        }
      }),
    );
};

/** What the inode or slot says, in words. */
function* factLines(entry: EntryFacts): Generator<string> {
  const { type, mode, uid, gid, links, attributes, target } = entry;
  if (mode !== undefined) {
    const octal = (mode & 0o7777).toString(8).padStart(4, '0');
    yield `mode ${octal} (${formatMode(type, mode)})`;
  }
  if (uid !== undefined) yield `owner ${uid}, group ${gid ?? 'unknown'}`;
  if (links !== undefined) yield count(links, 'link');
  if (attributes.length > 0) yield `attributes ${attributes.join(', ')}`;
  for (const key of ['modified', 'changed', 'accessed', 'created'] as const) {
    if (entry[key] === undefined) continue;
    yield `${key} ${formatTime(entry[key], mode !== undefined)}`;
  }
  if (target !== undefined) yield `leads to ${printableName(target)}`;
}

/** FAT keeps local times of an unknown place: only the others are in UTC. */
function formatTime(iso: string | null, isUtc: boolean): string {
  if (iso === null) return 'at an unknown time';
  return iso.replace('T', ' ').replace(/Z$/, isUtc ? ' UTC' : '');
}
