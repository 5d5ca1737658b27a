import type { NodeId, NodeType } from '../../filesystem/node';
import type { FoundEntry, OpenVolume } from '../open-volume';

/** What had a name before an import. */
export interface OldEntry extends FoundEntry {
  readonly type: NodeType;
}

/** A directory of the volume that an import fills. */
export class TargetFolder {
  private readonly taken = new Set<string>();

  /** @param isNew made by the import itself: nothing was in it before */
  constructor(
    private readonly before: OpenVolume,
    readonly node: NodeId,
    private readonly isNew: boolean,
  ) {}

  /** What had the name before the import. */
  old(name: string): OldEntry | undefined {
    const found = this.isNew ? undefined : this.before.entryNamed(this.node, name);
    return found && { ...found, type: this.before.fileSystem.node(found.key.node).type };
  }

  /** Takes a name for what is brought in. @returns false when it has been taken already */
  take(name: string): boolean {
    const key = this.before.fileSystem.ignoresCase ? name.toLocaleLowerCase('en') : name;
    if (this.taken.has(key)) return false;
    this.taken.add(key);
    return true;
  }
}
