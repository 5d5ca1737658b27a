import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { ImageError } from '../image/errors';
import { attr } from './attr';
import { cat } from './cat';
import { check } from './check';
import type { Streams } from './context';
import { free } from './free';
import { get } from './get';
import { hex } from './hex';
import { info } from './info';
import { label } from './label';
import { ln } from './ln';
import { ls } from './ls';
import { mkdir } from './mkdir';
import { mv } from './mv';
import { Output, ReaderGone } from './output';
import { owner } from './owner';
import { preallocate } from './preallocate';
import { printable } from './print';
import { put } from './put';
import { records } from './records';
import { rm } from './rm';
import { stat } from './stat';
import { trim } from './trim';
import { truncate } from './truncate';
import { write } from './write';

const exitCodes = { done: 0, refused: 8, usage: 16 };

function complain(line: string): void {
  process.stderr.write(`fsimg: ${printable(line)}\n`);
}

/** What a person should know of what was done all the same. */
function note(line: string): void {
  process.stderr.write(`note: ${printable(line)}\n`);
}

let outcome = exitCodes.done;
const streams: Streams = {
  output: new Output(process.stdout),
  note,
  exitWith: (code) => {
    outcome = code;
  },
};

const readingVerbs = [info, ls, stat, records, cat, get, free, owner, hex, check];
const editingVerbs = [put, mkdir, rm, mv, ln, truncate, write, preallocate, trim, attr, label];

function makeProgram(): Command {
  const program = new Command('fsimg')
    .description('Looks into FAT12/16/32 and ext2/3/4 filesystem images, and changes them.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      outputError: (text) =>
        complain(
          text
            .trim()
            .replace(/^error: /, '')
            .replace(/\n+/g, ' '),
        ),
    });
  for (const verb of [...readingVerbs, ...editingVerbs]) verb(program, streams);
  // The library's own prints all help for a command that there is not.
  program
    .command('help')
    .description('tell how a command is used')
    .argument('[command]')
    .action((name?: string) => {
      if (name === undefined) program.help();
      const command = program.commands.find((candidate) => candidate.name() === name);
      if (!command) return program.error(`unknown command '${name}'`);
      command.help();
    });
  return program;
}

/** Runs one command. @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  try {
    if (args.length === 0) {
      complain('A command is missing; fsimg --help lists them.');
      return exitCodes.usage;
    }
    await makeProgram().parseAsync(args, { from: 'user' });
    await streams.output.flush();
    return outcome;
  } catch (error) {
    return explain(error);
  }
}

/** Says in one line why a command failed. @returns the exit code */
function explain(error: unknown): number {
  if (error instanceof ReaderGone) return exitCodes.done;
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage; // it has said why already
  }
  if (error instanceof ImageError) {
    complain(error.message);
    return error.code === 'usage' ? exitCodes.usage : exitCodes.refused;
  }
  complain(`internal error: ${error instanceof Error ? error.message : String(error)}`);
  return exitCodes.refused;
}

process.on('uncaughtException', (error) => process.exit(explain(error)));
process.stderr.on('error', () => undefined); // nobody is there to be told
void run(process.argv.slice(2)).then((code) => (process.exitCode = code));
