import type { StructureBranch } from '../../src/protocol/requests';
import { messageOf } from '../inspection/errors';

/** A branch or leaf, and what is known of what is below it. */
export interface TreeItem {
  /** Names it among all that were ever shown of an image: the keys from the top to it. */
  readonly id: string;
  /** Null for structures of the image itself. */
  readonly volume: number | null;
  readonly branch: StructureBranch;
  /** 1 at the top. */
  readonly level: number;
  readonly parent: TreeItem | null;
  /** From 0, among those that have the same parent. */
  readonly position: number;
  readonly siblings: number;
}

/** What is below an item: it has not come yet, it has, or it cannot be read. */
export type Below =
  | { readonly state: 'asked' }
  | { readonly state: 'known'; readonly items: readonly TreeItem[] }
  | { readonly state: 'failed'; readonly message: string };

export type AskBranches = (
  volume: number | null,
  key: string | null,
) => Promise<readonly StructureBranch[]>;

/** The tree of structures, a level at a time, as far as it has been unfolded. */
export class StructureTree {
  /** What is in sight, from the top down. */
  rows: readonly TreeItem[] = [];
  /** Why there is no tree, or not all of it. */
  failure: string | null = null;
  /** Whether the top has come. */
  ready = false;

  private tops: readonly TreeItem[] = [];
  private readonly below = new Map<string, Below>();
  private readonly unfolded: Set<string>;
  private loads = 0;

  /** @param unfolded the ids of items that were unfolded before */
  constructor(
    private readonly ask: AskBranches,
    private readonly changed: () => void,
    unfolded: readonly string[] = [],
  ) {
    this.unfolded = new Set(unfolded);
  }

  get unfoldedIds(): readonly string[] {
    return [...this.unfolded];
  }

  isUnfolded({ id }: TreeItem): boolean {
    return this.unfolded.has(id);
  }

  belowOf({ id }: TreeItem): Below | undefined {
    return this.below.get(id);
  }

  /** Reads the tree anew: the structures of the image, then those of a volume. */
  async load(volume: number | null): Promise<void> {
    const load = ++this.loads;
    const sources = volume === null ? [null] : [null, volume];
    const failures: string[] = [];
    const tops: TreeItem[] = [];
    for (const source of sources) {
      try {
        tops.push(...itemsOf(await this.ask(source, null), source, null));
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    if (load !== this.loads) return;
    this.below.clear();
    this.tops = tops;
    this.failure = failures.at(0) ?? null;
    this.ready = true;
    this.flatten();
  }

  unfold(item: TreeItem): void {
    if (!item.branch.hasChildren) return;
    this.unfolded.add(item.id);
    this.flatten();
  }

  /** Folds an item; what is unfolded below it stays so for when it is unfolded again. */
  fold(item: TreeItem): void {
    this.unfolded.delete(item.id);
    this.flatten();
  }

  private flatten(): void {
    const rows: TreeItem[] = [];
    const add = (items: readonly TreeItem[]) => {
      for (const item of items) {
        rows.push(item);
        if (!item.branch.hasChildren || !this.unfolded.has(item.id)) continue;
        const below = this.below.get(item.id);
        if (below?.state === 'known') add(below.items);
        else if (!below) void this.askBelow(item);
      }
    };
    add(this.tops);
    this.rows = rows;
    this.changed();
  }

  private async askBelow(item: TreeItem): Promise<void> {
    const load = this.loads;
    this.below.set(item.id, { state: 'asked' });
    const below = await this.ask(item.volume, item.branch.key).then(
      (branches): Below => ({ state: 'known', items: itemsOf(branches, item.volume, item) }),
      (error: unknown): Below => ({ state: 'failed', message: messageOf(error) }),
    );
    if (load !== this.loads) return;
    this.below.set(item.id, below);
    this.flatten();
  }
}

function itemsOf(
  branches: readonly StructureBranch[],
  volume: number | null,
  parent: TreeItem | null,
): TreeItem[] {
  return branches.map((branch, position) => ({
    // A damaged directory may hold itself: its key alone would name two items.
    id: parent ? `${parent.id}\n${branch.key}` : `${volume ?? ''}\n${branch.key}`,
    volume,
    branch,
    level: parent ? parent.level + 1 : 1,
    parent,
    position,
    siblings: branches.length,
  }));
}
