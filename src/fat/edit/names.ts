import { ImageError } from '../../image/errors';

/** UTF-16 units of a long name. */
const longestName = 255;

/** What a name shall be stored as, with what a person should know of it. */
export interface AcceptedName {
  readonly name: string;
  readonly notes: readonly string[];
}

/**
 * Holds a name against the rules of the Linux driver, which are those of long names.
 * @throws ImageError `usage` for one that cannot be stored
 */
export function acceptName(given: string): AcceptedName {
  const name = given.replace(/\.+$/, ''); // the driver leaves them out
  const refuse = (why: string) => new ImageError('usage', `${why}: ${JSON.stringify(given)}`);
  if (given === '') throw new ImageError('usage', 'A file needs a name.');
  if (given === '.' || given === '..') throw refuse('This is no name of a file');
  if (name === '') throw refuse('A name on FAT cannot consist of dots alone');
  // eslint-disable-next-line no-control-regex
  const forbidden = /[\0-\x1f"*/:<>?\\|]/.exec(name);
  if (forbidden) throw refuse(`A name on FAT cannot hold ${JSON.stringify(forbidden[0])}`);
  if (name.length > longestName) {
    throw new ImageError(
      'usage',
      `A name on FAT has at most ${longestName} UTF-16 units, this one has ${name.length}.`,
    );
  }
  return { name, notes: nameNotes(given, name) };
}

function nameNotes(given: string, name: string): string[] {
  const notes: string[] = [];
  if (name !== given) {
    notes.push(`FAT keeps no dots at the end of a name: ${given} is called ${name}.`);
  }
  if (name.endsWith(' ')) {
    notes.push(`The name “${name}” ends in a space: Windows cannot open it.`);
  }
  if (/^(con|prn|aux|nul|(com|lpt)[1-9])(\.|$)/i.test(name)) {
    notes.push(`${name} is the name of a device to DOS and Windows: they cannot open it.`);
  }
  return notes;
}

/** Names with the same key are the same name: letters count without their case. */
export function nameKey(name: string): string {
  const upper = name.toUpperCase();
  if (upper.length === name.length) return upper;
  // Drivers fold unit by unit, so ß stays what it is and does not become SS.
  return Array.from(name, (character) => {
    const folded = character.toUpperCase();
    return folded.length === character.length ? folded : character;
  }).join('');
}
