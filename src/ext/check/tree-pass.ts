import { inodeStructure, rootInode } from '../inode';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import { inodeFacts } from './inode-columns';

/** The third pass: whether every directory hangs in the tree, and knows where. */
export class TreePass {
  private readonly connected = new Set<number>();
  private readonly lost = new Map<number, number>();

  constructor(private readonly context: CheckContext) {}

  run(): void {
    const { directories, inodes, report, superblockPlace } = this.context;
    if (!inodes.has(rootInode, inodeFacts.directory)) {
      const message = 'The root directory, inode 2, is not in use as a directory.';
      report.add('ext-root-missing', message, {
        offset: superblockPlace,
        length: 1024,
        inode: rootInode,
      });
    }
    this.connected.add(rootInode);
    for (const directory of directories.all) this.follow(directory);
    for (const directory of directories.all) this.checkParent(directory);
  }

  /** Goes up until something is known, and then knows all that lay on the way. */
  private follow(from: DirectoryFacts): void {
    const way: DirectoryFacts[] = [];
    const seen = new Set<number>();
    let at: DirectoryFacts | undefined = from;
    while (at && !this.connected.has(at.number) && !this.lost.has(at.number)) {
      if (seen.has(at.number)) {
        this.lose(
          at,
          `Directory inode ${at.number} lies in a loop that does not hang in the tree.`,
        );
        break;
      }
      seen.add(at.number);
      way.push(at);
      if (at.parent === 0) {
        this.lose(at, `No name leads to directory inode ${at.number}.`);
        break;
      }
      at = this.context.directories.find(at.parent);
    }
    const isConnected = at !== undefined && this.connected.has(at.number);
    for (const { number } of way) {
      if (isConnected) this.connected.add(number);
      else if (!this.lost.has(number)) this.lost.set(number, -1);
    }
  }

  private lose(directory: DirectoryFacts, message: string): void {
    const finding = this.context.report.add('ext-directory-unconnected', message, {
      offset: directory.place,
      length: inodeStructure.size,
      inode: directory.number,
    });
    this.lost.set(directory.number, finding);
  }

  private checkParent(directory: DirectoryFacts): void {
    const { number, dotDot, place } = directory;
    const parent = number === rootInode ? rootInode : directory.parent;
    if (dotDot === parent) return;
    const lies = parent === 0 ? 'no directory lists it' : `it lies in ${parent}`;
    const message = `The '..' of directory inode ${number} leads to ${dotDot}, but ${lies}.`;
    const cause = this.lost.get(number);
    const run = this.context.directories.run(directory.firstRun);
    const isRun = directory.endRun > directory.firstRun && run.physical > 0;
    const { volume } = this.context;
    const offset = isRun
      ? volume.bytes.offset + run.physical * volume.geometry.blockSize + 12
      : place;
    this.context.report.add('ext-directory-parent', message, {
      offset,
      length: 12,
      inode: number,
      cause,
    });
  }
}
