import type { Extent } from '../filesystem/extents';
import { documentCommand, withVolume, type ImageOptions, type Streams, type Verb } from './context';
import { entryJson, type EntryExtras, type EntryJson } from './entry-json';
import { printableName, printablePath } from './names';
import { count, formatMode, printable, printJsonList } from './print';

interface LsOptions extends ImageOptions, EntryExtras {
  readonly recursive?: boolean;
  readonly deleted?: boolean;
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

export const ls: Verb = (program, streams) => {
  documentCommand(program, 'ls', 'list a directory, or a single file')
    .argument('<path>', 'absolute path inside the image')
    .option('-R, --recursive', 'list what is below as well, each directory before what it holds')
    .option('--deleted', 'list deleted names that survive on disk as well')
    .option('--sha256', 'add the SHA-256 of the content of regular files')
    .option('--extents', 'add where the content lies, in blocks or clusters')
    .action((image: string, path: string, options: LsOptions) =>
      withVolume(image, options, async (volume) => {
        const problems: Problem[] = [];
        const report = (at: string, message: string) => problems.push({ path: at, message });
        const { recursive = false, deleted = false } = options;
        const found = volume.entriesAt(path, report, { recursive, deleted });
        let unreadable = 0;
        const entries = mapped(found, (walked) => {
          const entry = entryJson(volume, walked.path, walked, options);
          if (entry.problem !== undefined) unreadable += 1;
          return entry;
        });
        if (options.json) {
          const tail = () => (problems.length > 0 ? { problems } : {});
          await printJsonList(streams.output, {}, 'entries', entries, tail);
        } else {
          for (const entry of entries) await printEntry(streams, entry, recursive);
          await streams.output.flush();
          noteProblems(streams, problems, unreadable);
        }
      }),
    );
};

function* mapped<From, To>(items: Iterable<From>, map: (item: From) => To): Generator<To> {
  for (const item of items) yield map(item);
}

async function printEntry(
  { output }: Streams,
  entry: EntryJson,
  recursive: boolean,
): Promise<void> {
  const name = recursive
    ? printablePath(entry.path, entry.name, entry.nameHex)
    : printableName(entry.name, entry.nameHex);
  const columns = [
    entry.mode === undefined
      ? (entry.attributes ?? [])
          .map((attribute) => attribute[0])
          .join('')
          .padEnd(5)
      : formatMode(entry.type, entry.mode),
    String(entry.size).padStart(12),
    (entry.modified ?? '-').replace(/\.\d+Z$/, 'Z').padEnd(20),
    String(entry.id).padStart(8),
    entry.type === 'directory' ? `${name}/` : name,
  ];
  if (entry.target !== undefined) columns.push(`-> ${printableName(entry.target)}`);
  if (entry.deleted) columns.push('(deleted)');
  if (entry.problem !== undefined) columns.push(`(${printable(entry.problem)})`);
  await output.line(columns.join(' '));
  if (entry.sha256 !== undefined) await output.line(`    sha256 ${entry.sha256}`);
  if (entry.extents) await output.line(`    extents ${formatExtents(entry.extents)}`);
}

/** Each as `logical → first-last`. */
export function formatExtents(extents: readonly Extent[]): string {
  if (extents.length === 0) return 'none';
  const texts = extents.map(({ logical, physical, length, unwritten }) => {
    const last = physical + length - 1;
    return `${logical}→${physical}-${last}${unwritten ? ' (unwritten)' : ''}`;
  });
  return texts.join(', ');
}

const notedProblems = 10;

/** Says what is wrong with directories, and in a last line how much is wrong in all. */
function noteProblems({ note }: Streams, problems: readonly Problem[], unreadable: number): void {
  for (const { path, message } of problems.slice(0, notedProblems)) note(`${path}: ${message}`);
  const parts: string[] = [];
  if (unreadable > 0) parts.push(`${count(unreadable, 'entry', 'entries')} could not be read`);
  if (problems.length > 0) parts.push(`${count(problems.length, 'problem')} with directories`);
  if (problems.length > notedProblems) parts.push('--json lists them all');
  if (parts.length > 0) note(`${parts.join('; ')}.`);
}
