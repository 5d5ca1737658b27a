import { InvalidArgumentError, type Command } from 'commander';
import { ImageError } from '../image/errors';
import { knownCodePages } from '../session/families';
import { ImageSession } from '../session/image-session';
import type { OpenVolume } from '../session/open-volume';
import type { Output } from './output';
import { count } from './print';

/** The options that every verb has; `json` only where it prints a document. */
export interface ImageOptions {
  readonly partition?: number;
  readonly codePage?: number;
  readonly replayed?: boolean;
  readonly json?: boolean;
}

/** Where a verb prints to. */
export interface Streams {
  readonly output: Output;
  /** Prints a line beside the result: what is wrong with what was read. */
  readonly note: (line: string) => void;
  /** What the program ends with when the verb is done; 0 if it says nothing. */
  readonly exitWith: (code: number) => void;
}

/** A verb: adds itself to the program. */
export type Verb = (program: Command, streams: Streams) => void;

function commandOn(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument('<image>', 'image file')
    .option('--partition <n>', 'volume of a partitioned image, from 0', parseIndex)
    .option(
      '--code-page <n>',
      'OEM code page of short names on FAT: 437, 850, 932…',
      parseCodePage,
    );
}

/** Starts a command that reads an image, with the options that every such verb has. */
export function imageCommand(program: Command, name: string, description: string): Command {
  return commandOn(program, name, description).option(
    '--replayed',
    'show the volume as it will be after its journal is replayed; the image stays as it is',
  );
}

/** Starts a command that changes an image and tells what it changed. */
export function editCommand(program: Command, name: string, description: string): Command {
  return commandOn(program, name, description).option('--json', 'print one JSON document');
}

/** As `imageCommand`, for a command that prints one JSON document when asked. */
export function documentCommand(program: Command, name: string, description: string): Command {
  return imageCommand(program, name, description).option('--json', 'print one JSON document');
}

/** Opens an image for as long as `use` works on it. */
export async function withImage<Result>(
  path: string,
  { codePage }: ImageOptions,
  use: (session: ImageSession) => Promise<Result>,
): Promise<Result> {
  const session = ImageSession.open(path, { codePage });
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** Opens the volume that the options choose. */
export async function withVolume<Result>(
  path: string,
  options: ImageOptions,
  use: (volume: OpenVolume, session: ImageSession) => Promise<Result>,
): Promise<Result> {
  return withImage(path, options, (session) => {
    showReplayed(session, options);
    return use(session.volume(options.partition), session);
  });
}

/**
 * Which volume was taken, where nobody chose one of several.
 * @param done what was done with it: `checked`
 */
export function choiceNotes(
  { first, readableVolumes }: ImageSession,
  { partition }: ImageOptions,
  done: string,
): string[] {
  if (partition !== undefined || readableVolumes < 2) return [];
  return [
    `Volume ${first} was ${done}, one of ${readableVolumes} that can be read; ` +
      '--partition chooses another.',
  ];
}

/** Shows the volume that the options choose as they want it. */
export function showReplayed(session: ImageSession, options: ImageOptions): void {
  const index = options.partition ?? session.first;
  if (options.replayed && index !== null) session.showReplayed(index, true);
}

/**
 * Ends a copy, when it has been told of.
 * @throws ImageError `unreadable` where some of it was left out
 */
export async function requireWhole({ output }: Streams, leftOut: number): Promise<void> {
  if (leftOut === 0) return;
  await output.flush();
  const missing = `${count(leftOut, 'entry', 'entries')} ${leftOut === 1 ? 'was' : 'were'}`;
  throw new ImageError('unreadable', `The copy is incomplete: ${missing} left out.`);
}

function parseCodePage(text: string): number {
  const number = parseIndex(text);
  if (knownCodePages.some((known) => known === number)) return number;
  throw new InvalidArgumentError(`It must be one of ${knownCodePages.join(', ')}.`);
}

/** A whole number from 0 on, in decimal digits. */
export function parseIndex(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return value;
}
