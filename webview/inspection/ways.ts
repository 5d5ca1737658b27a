import type { NodeId, NodeType, OwnerAnswer } from '../../src/protocol/requests';
import type { Host } from './host';
import type { Inquiries } from './inquiries';
import type { Place, Step } from './selection';

/** A step, which may end at something else than a directory. */
export interface TypedStep extends Step {
  readonly type: NodeType;
}

/** Finds the way to nodes, and from units to the nodes that own them. */
export class Ways {
  constructor(
    private readonly host: Host,
    private readonly inquiries: Inquiries,
  ) {}

  /**
   * The steps from the root to a node, the node being the last; none where nothing leads to it.
   * @param place where one is: what lies on the way there need not be looked for
   */
  async to(volume: number, node: NodeId, place: Place | null): Promise<readonly TypedStep[]> {
    if (place?.volume === volume) {
      const steps = place.trail.map((step) => ({ ...step, type: 'directory' as const }));
      const depth = steps.findIndex((step) => step.node === node);
      if (depth >= 0) return steps.slice(0, depth + 1);
      if (place.chosen?.node === node) return [...steps, place.chosen];
    }
    const paths = await this.inquiries.ask('Looking for the way there…', (task) =>
      this.host.pathsOf(volume, node, task),
    );
    return paths.length === 0 ? [] : this.host.resolve(volume, paths[0]);
  }

  /** A trail to a directory that nothing leads to: it hangs at the root, under its number. */
  async toLost(volume: number, directory: NodeId): Promise<readonly Step[]> {
    const [root] = await this.host.resolve(volume, '/');
    const { number } = await this.host.details(volume, directory, 0);
    return [root, { name: `#${number}`, node: directory }];
  }

  /** Who owns a unit; finds out who owns what first, where that is not known yet. */
  async toOwner(volume: number, unit: number): Promise<OwnerAnswer> {
    await this.inquiries.ask('Finding out who owns what…', (task) =>
      this.host.findOwners(volume, task),
    );
    return this.inquiries.ask('Looking for the owner…', (task) =>
      this.host.owner(volume, unit, task),
    );
  }
}
