import { ImageError } from '../../image/errors';
import { rootInode } from '../inode';
import type { EditContext } from './context';
import { nodeTypesByRecord } from '../records';
import { EditedDirectory } from './edited-directory';
import { FileWriter } from './file-writer';
import { takeContentOut } from './inline-content';

/** Directories that are kept at a time; no operation needs more than a few. */
const mostKept = 16;

/** The directories that an editor works on. */
export class EditedDirectories {
  /** The last one that was asked for stands last. */
  private readonly kept = new Map<number, EditedDirectory>();

  /** @param notes is told of directories that lose their index */
  constructor(
    private readonly context: EditContext,
    private readonly notes: string[],
  ) {}

  /** @throws ImageError as `EditedDirectory` */
  get(number: number): EditedDirectory {
    const directory = this.kept.get(number) ?? this.open(number);
    this.kept.delete(number);
    this.kept.set(number, directory);
    for (const [oldest] of this.kept) {
      if (this.kept.size <= mostKept) break;
      this.kept.delete(oldest);
    }
    return directory;
  }

  /**
   * Moves the names that a directory keeps in its inode to a block.
   * @throws ImageError `full`
   */
  moveToBlocks(number: number): EditedDirectory {
    const before = this.get(number);
    const { entries, parent } = before;
    if (parent === null) throw new ImageError('corrupt', `Directory inode ${number} has no “..”.`);
    takeContentOut(this.context, number);
    this.forget(number);
    const moved = this.get(number);
    const { features } = this.context.volume.geometry;
    moved.start(parent, features.has('filetype') ? nodeTypesByRecord.indexOf('directory') : 0);
    for (const entry of entries) moved.add(entry);
    return moved;
  }

  /** A directory is gone; its number may soon be that of another one. */
  forget(number: number): void {
    this.kept.delete(number);
  }

  /**
   * Climbs from a directory to the root.
   * @throws ImageError `usage` where it meets `moved`, `corrupt` where it does not get there
   */
  requireOutside(directory: number, moved: number): void {
    const met = new Set<number>();
    for (let at: number | null = directory; at !== rootInode; at = this.open(at).parent) {
      if (at === moved) {
        throw new ImageError('usage', 'A directory cannot be moved into itself.');
      }
      if (at === null || met.has(at)) {
        const message = `No way leads from directory inode ${directory} up to the root.`;
        throw new ImageError('corrupt', message);
      }
      met.add(at);
    }
  }

  private open(number: number): EditedDirectory {
    const growth = {
      append: (grown: number) => new FileWriter(this.context, grown).appendBlock(),
    };
    return new EditedDirectory(this.context.writer, number, growth, this.notes);
  }
}
