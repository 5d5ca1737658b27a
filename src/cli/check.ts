import { pathToFileURL } from 'node:url';
import { version } from '../../package.json';
import type { CheckReport, Problem } from '../filesystem/check';
import { checkDocument } from '../session/check-document';
import { toSarif } from '../session/sarif';
import { choiceNotes, documentCommand, withVolume, type ImageOptions, type Verb } from './context';
import type { Output } from './output';
import { count, printable, printJson } from './print';

/** What `check` exits with when there is something to repair; e2fsck uses the same number. */
const errorsLeft = 4;

interface CheckOptions extends ImageOptions {
  readonly sarif?: boolean;
  readonly explain?: boolean;
}

export const check: Verb = (program, streams) => {
  const { output, exitWith } = streams;
  documentCommand(program, 'check', 'look for everything that is wrong; exits with 4 on errors')
    .option('--sarif', 'print the findings as a SARIF 2.1.0 log')
    .option('--explain', 'say of each kind of finding what it means')
    .action((image: string, options: CheckOptions) =>
      withVolume(image, options, async (volume, session) => {
        const { facts } = volume.fileSystem;
        const report = volume.check();
        const table = volume.problemTable;
        if (report.counts.error > 0) exitWith(errorsLeft);
        if (!options.json || options.sarif) {
          choiceNotes(session, options, 'checked').forEach((line) => streams.note(line));
        }
        if (options.sarif) {
          const uri = pathToFileURL(image).href;
          await printJson(output, toSarif(report, { image: uri, version, table }));
          return;
        }
        if (options.json) {
          await printJson(output, checkDocument(session, options.partition));
          return;
        }
        await printReport(output, report, options.explain ? table : []);
        const { error, warning, note } = report.counts;
        await output.line(
          `${facts.type}, ${facts.state}: ${count(error, 'error')}, ${count(warning, 'warning')}, ${count(note, 'note')}`,
        );
      }),
    );
};

/** @param table rows that explain the findings; each is printed once */
async function printReport(
  output: Output,
  { findings, isCut }: CheckReport,
  table: readonly Problem[],
): Promise<void> {
  const unexplained = new Map(table.map((row) => [row.code, row]));
  for (const { code, severity, message, offset, length, path, cause } of findings) {
    const place = path === undefined ? '' : ` ${printable(path)}`;
    const indent = cause === undefined ? '' : '  ';
    await output.line(
      `${indent}${severity}: ${printable(message)} [${code}]${place}, byte ${offset}, ${count(length, 'byte')}`,
    );
    const row = unexplained.get(code);
    if (!row) continue;
    unexplained.delete(code);
    await output.line(`  ${row.title}: ${row.explanation}`);
  }
  if (isCut) await output.line('There are more findings than are listed.');
}
