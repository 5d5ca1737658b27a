/** An extension host that answers from a small tree, for tests of what asks it. */
import { vi } from 'vitest';
import type {
  EditReport,
  EntryRow,
  ImageSummary,
  ListQuery,
  NodeDetails,
  PathStep,
  VolumeSummary,
} from '../../src/protocol/requests';
import type { LayoutRequests } from '../../src/protocol/layout-requests';
import { RemoteError } from '../../src/protocol/rpc';
import type { Host } from '../../webview/inspection/host';
import { Inspection } from '../../webview/inspection/inspection';
import { Tasks } from '../../webview/inspection/tasks';

const nothingKnown = {
  label: '',
  uuid: '',
  blockSize: null,
  blocks: null,
  freeBlocks: null,
  inodes: null,
  freeInodes: null,
  state: 'unknown',
  features: [],
  notes: [],
  unit: null,
  partition: null,
  foreign: null,
  replayed: false,
  whyReadOnly: null,
} as const;

export const fatVolume: VolumeSummary = {
  ...nothingKnown,
  index: 0,
  offset: 0,
  length: 64 * 2 ** 20,
  type: 'fat32',
  label: 'BOOT',
  blockSize: 512,
  blocks: 129_000,
  state: 'clean',
  unit: { name: 'cluster', size: 512, first: 2, count: 129_000, offset: 0x8000 },
  unreadable: null,
};

export const xfsVolume: VolumeSummary = {
  ...nothingKnown,
  index: 1,
  offset: 64 * 2 ** 20,
  length: 2 ** 30,
  type: 'xfs',
  foreign: 'XFS',
  unreadable: 'It is XFS, which is recognised, but not read.',
};

/** The row of a file by its number. */
export function row(number: number, change: Partial<EntryRow> = {}): EntryRow {
  return {
    name: `file-${number}`,
    node: 1000 + number,
    number: 1000 + number,
    type: 'file',
    size: number,
    modified: null,
    attributes: [],
    fragments: 1,
    deleted: false,
    offset: 0x10000 + 32 * number,
    ...change,
  };
}

const emptyReport: EditReport = {
  label: 'Change',
  changed: [],
  changedRanges: 0,
  changedBytes: 0,
  notes: [],
};

export const rootNode = 2;

/** Lets everything happen that waits for nothing but promises. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export class FakeTree {
  volumes: VolumeSummary[] = [fatVolume, xfsVolume];
  /** The entries of each directory. */
  readonly directories = new Map<number, EntryRow[]>([[rootNode, []]]);
  readonly saved: unknown[] = [];

  add(directory: number, entry: EntryRow): EntryRow {
    this.directories.get(directory)?.push(entry);
    if (entry.type === 'directory') this.directories.set(entry.node, []);
    return entry;
  }

  remove(directory: number, name: string): void {
    const left = this.directories.get(directory)?.filter((entry) => entry.name !== name);
    this.directories.set(directory, left ?? []);
  }

  rows({ directory, filter, deleted }: ListQuery): EntryRow[] {
    const entries = this.directories.get(directory);
    if (!entries) throw new RemoteError('not-a-directory', `${directory} is not a directory.`);
    return entries.filter((entry) => entry.name.includes(filter) && (deleted || !entry.deleted));
  }

  resolve(path: string): PathStep[] {
    const steps: PathStep[] = [{ name: '', node: rootNode, type: 'directory' }];
    for (const name of path.split('/').filter(Boolean)) {
      const directory = steps[steps.length - 1].node;
      const entry = this.directories.get(directory)?.find((one) => one.name === name);
      if (!entry) throw new RemoteError('not-found', `There is no ${path}.`);
      steps.push({ name, node: entry.node, type: entry.type });
    }
    return steps;
  }

  details(node: number): NodeDetails {
    const all = [...this.directories.values()].flat();
    const entry = all.find((one) => one.node === node);
    if (!entry) throw new RemoteError('not-found', `There is no node ${node}.`);
    return {
      ...entry,
      fragments: 1,
      allocated: 0,
      extents: [],
      extentCount: 0,
      structures: [],
      problems: [],
    };
  }

  summary(): ImageSummary {
    const first = this.volumes.find(({ unreadable }) => unreadable === null)?.index ?? null;
    return {
      image: { size: 2 ** 31, allocated: 2 ** 20 },
      scheme: 'mbr',
      notes: [],
      volumes: this.volumes,
      first,
      whyReadOnly: null,
    };
  }

  readonly host = {
    ...({} as Pick<Host, keyof LayoutRequests>), // what is tested here asks none of them
    summary: vi.fn(async () => this.summary()),
    list: vi.fn(async (query: ListQuery) => {
      const rows = this.rows(query);
      return {
        total: this.directories.get(query.directory)?.length ?? 0,
        matched: rows.length,
        start: query.start,
        rows: rows.slice(query.start, query.start + query.count),
        problems: [],
      };
    }),
    locatePrefix: vi.fn<Host['locatePrefix']>(async () => -1),
    locateNode: vi.fn(async (query: ListQuery, node: number) =>
      this.rows(query).findIndex((entry) => entry.node === node),
    ),
    resolve: vi.fn(async (_volume: number, path: string) => this.resolve(path)),
    details: vi.fn(async (_volume: number, node: number) => this.details(node)),
    read: vi.fn(async () => new Uint8Array()),
    freeSpace: vi.fn(async () => ({
      unit: 512,
      total: 100,
      free: 61,
      extents: 5,
      largest: 50,
      histogram: [],
    })),
    problemTable: vi.fn<Host['problemTable']>(async () => []),
    runCheck: vi.fn<Host['runCheck']>(async () => undefined),
    lastCheck: vi.fn<Host['lastCheck']>(async () => null),
    cancel: vi.fn<Host['cancel']>(async () => undefined),
    openContent: vi.fn(async () => undefined),
    runCommand: vi.fn(async () => undefined),
    selectionChanged: vi.fn<Host['selectionChanged']>(async () => undefined),
    plan: vi.fn<Host['plan']>(async () => emptyReport),
    editState: vi.fn<Host['editState']>(async () => ({ isDirty: false, keptForUndo: 0 })),
    edit: vi.fn<Host['edit']>(async () => ({ ...emptyReport, id: null })),
    importDropped: vi.fn<Host['importDropped']>(async () => undefined),
    importBytes: vi.fn<Host['importBytes']>(async () => undefined),
  } satisfies Host;

  /** A webview on this tree, with the state of an earlier one. */
  open(state?: unknown): Inspection {
    const tasks = new Tasks((task) => void this.host.cancel(task));
    return new Inspection(this.host, tasks, {
      getState: () => state,
      setState: (next) => this.saved.push(next),
    });
  }
}
