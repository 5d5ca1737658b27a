import type {
  DirectoryRecord,
  NodeId,
  NodeType,
  RawDirectorySummary,
} from '../../src/protocol/requests';
import { hasEnded, messageOf } from '../inspection/errors';
import { HashTree } from './hash-tree';
import type { Inspection } from '../inspection/inspection';
import { RecordBlocks } from './record-blocks';
import { RecordList, type RecordFilter } from './record-list';
import { namesOf } from '../words/record-words';
import type { Chosen } from '../inspection/selection';

/** A directory as it lies on disk, as far as it has been asked for. */
export interface ShownDirectory {
  readonly node: NodeId;
  readonly summary: RawDirectorySummary;
  readonly blocks: RecordBlocks;
  readonly tree: HashTree;
}

/**
 * The records of the directory that is shown. Follows the inspection from one directory to the
 * next, and keeps those of the last one until the next has come.
 */
export class DirectoryRecords {
  shown: ShownDirectory | null = null;
  /** Why the directory cannot be shown. */
  failure: string | null = null;
  /** The records that pass the filter; null until the directory is shown. */
  list: RecordList | null = null;
  /** Counts what has come. */
  version = 0;

  private key = '';
  private pending = '';
  private filter: RecordFilter | null = null;
  private readonly types = new Map<NodeId, NodeType>();

  constructor(
    private readonly inspection: Inspection,
    private readonly changed: () => void,
  ) {}

  /** Whether what is shown is not yet the directory of the place. */
  get waiting(): boolean {
    return this.pending !== '';
  }

  /** Asks for what the inspection now shows, if that is something else. */
  follow(filter: RecordFilter): void {
    const { place, revision } = this.inspection;
    const directory = place?.trail.at(-1)?.node;
    const key = place && directory !== undefined ? `${revision} ${place.volume} ${directory}` : '';
    if (key !== this.key) {
      this.key = key;
      this.pending = key;
      if (place && directory !== undefined) void this.open(key, place.volume, directory);
    }
    if (filter !== this.filter) {
      this.filter = filter;
      this.gather();
    }
  }

  close(): void {
    this.key = '';
    this.list?.close();
    this.shown?.blocks.close();
  }

  /**
   * Where the record lies that the selection means: the chosen one, the one that holds the chosen
   * bytes, or else one that leads to the chosen entry. Null while it has not come, and where there
   * is none.
   */
  findChosen(): number | null {
    const { place, bytes } = this.inspection;
    if (!place || !this.shown || this.waiting) return null;
    const offset = place.record ?? bytes?.offset;
    if (offset === undefined) return place.chosen && this.findEntry(place.chosen);
    const { blocks } = this.shown;
    const block = blocks.find(offset);
    // A failure is told where the rest of the records is.
    if (block >= 0 && !blocks.get(block)) void blocks.load(block).catch(() => undefined);
    return this.recordAt(offset)?.offset ?? null;
  }

  /** The record at a byte of the image, if it has come. */
  recordAt(offset: number): DirectoryRecord | undefined {
    const blocks = this.shown?.blocks;
    // What lies in the slack of another one comes behind it.
    return blocks
      ?.get(blocks.find(offset))
      ?.filter((record) => offset >= record.offset && offset < record.offset + record.length)
      .at(-1);
  }

  /** The entry that a record makes, or is a part of; null where it makes none. */
  entryOf(record: DirectoryRecord): Omit<Chosen, 'type'> | null {
    const { state, name, node, partOf } = record;
    if (name === '.' || name === '..') return null;
    if (node === undefined) {
      const isPart = partOf !== undefined && (state === 'long' || state === 'deleted');
      const whole = isPart ? this.recordAt(partOf) : undefined;
      return whole?.node === undefined ? null : this.entryOf(whole);
    }
    const named = { node, name: namesOf(record).filter(Boolean).at(-1) ?? '' };
    return { ...named, offset: record.offset, ...(state === 'deleted' && { deleted: true }) };
  }

  /** What a node is; `unknown` where nobody can tell. */
  async typeOf(node: NodeId): Promise<NodeType> {
    const known = this.types.get(node);
    const volume = this.inspection.place?.volume;
    if (known || volume === undefined) return known ?? 'unknown';
    const details = await this.inspection.host.details(volume, node, 0).catch(() => null);
    const type = details?.type ?? 'unknown';
    this.types.set(node, type);
    return type;
  }

  /** The same, if it has been asked for before. */
  knownType(node: NodeId): NodeType {
    return this.types.get(node) ?? 'unknown';
  }

  private async open(key: string, volume: number, directory: NodeId): Promise<void> {
    const { host } = this.inspection;
    try {
      const summary = await host.rawDirectory(volume, directory);
      if (this.key !== key) return;
      this.shown?.blocks.close();
      const blocks: RecordBlocks = new RecordBlocks(
        summary.blocks,
        (first, count) => host.records(volume, directory, first, count),
        () => {
          if (this.shown?.blocks === blocks) this.tell();
        },
      );
      const tree = new HashTree(summary.index, blocks);
      this.shown = { node: directory, summary, blocks, tree };
      this.failure = null;
      this.types.clear();
    } catch (error) {
      // The engine's successor will be asked again.
      if (this.key !== key || hasEnded(error)) return;
      this.shown = null;
      this.failure = messageOf(error);
    }
    this.pending = '';
    this.gather();
    this.tell();
  }

  private gather(): void {
    this.list?.close();
    this.list = null;
    if (!this.shown || !this.filter) return;
    this.list = new RecordList(this.shown.blocks, this.filter, () => this.tell());
    void this.list.gather();
  }

  private findEntry({ node, name }: Chosen): number | null {
    const rows = this.list?.found ?? [];
    const leading = rows.filter(({ record }) => record.node === node && this.entryOf(record));
    const named = leading.find(({ record }) => namesOf(record).includes(name));
    return (named ?? leading.at(0))?.record.offset ?? null;
  }

  private tell(): void {
    this.version++;
    this.changed();
  }
}
