import { InvalidArgumentError } from 'commander';
import { parseTimestamp } from '../filesystem/timestamp';
import { ImageError } from '../image/errors';
import { editCommand, parseIndex, type ImageOptions, type Verb } from './context';
import { largestId } from '../session/edits/attributes';
import { changeImage } from './edit';

interface AttrOptions extends ImageOptions {
  readonly mode?: number;
  readonly owner?: number;
  readonly group?: number;
  readonly modified?: string;
  readonly accessed?: string;
  readonly created?: string;
  readonly set?: readonly string[];
  readonly clear?: readonly string[];
}

export const attr: Verb = (program, streams) => {
  const time = 'as 2024-03-01T12:00:00Z';
  editCommand(program, 'attr', 'set mode, owner, times and attributes of a file or directory')
    .argument('<path>', 'absolute path inside the image; symlinks are not followed')
    .option('--mode <octal>', 'permission bits, as 644', parseMode)
    .option('--owner <uid>', 'number of the owner', parseOwner)
    .option('--group <gid>', 'number of the group', parseOwner)
    .option('--modified <time>', `when its content last changed, ${time}`, parseTime)
    .option('--accessed <time>', `when it was last read, ${time}`, parseTime)
    .option('--created <time>', `when it was created, ${time}`, parseTime)
    .option('--set <names...>', 'attributes to set, by the names that stat tells')
    .option('--clear <names...>', 'attributes to clear')
    .action(async (image: string, path: string, options: AttrOptions) => {
      const { mode, owner: uid, group: gid, modified, accessed, created, set, clear } = options;
      const changes = { mode, uid, gid, modified, accessed, created, set, clear };
      if (Object.values(changes).every((value) => value === undefined)) {
        throw new ImageError(
          'usage',
          'There is nothing to set: fsimg help attr lists what can be.',
        );
      }
      await changeImage(streams, image, options, (volume, opened) => {
        const { node } = opened.resolve(path).slice(-1)[0];
        return { kind: 'attributes', volume, node, changes };
      });
    });
};

function parseOwner(text: string): number {
  const value = parseIndex(text);
  if (value <= largestId) return value;
  throw new InvalidArgumentError(`It must be at most ${largestId}.`);
}

function parseTime(text: string): string {
  if (parseTimestamp(text)) return text;
  throw new InvalidArgumentError('It is no time such as 2024-03-01T12:00:00Z, in ISO 8601.');
}

function parseMode(text: string): number {
  if (!/^(0o?)?[0-7]{1,4}$/.test(text)) {
    throw new InvalidArgumentError('It must be permission bits in octal digits, such as 644.');
  }
  return Number.parseInt(text.replace('o', ''), 8);
}
