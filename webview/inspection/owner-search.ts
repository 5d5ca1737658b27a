import type { VolumeSummary } from '../../src/protocol/requests';
import { hasEnded, isCancelled, messageOf } from './errors';
import type { Host } from './host';
import type { Task, Tasks } from './tasks';

/** How far it is known who owns what. */
export type OwnerKnowledge =
  | { readonly state: 'unknown' | 'known' | 'stopped' }
  | { readonly state: 'finding'; readonly done: number; readonly total: number }
  | { readonly state: 'failed'; readonly message: string };

/**
 * Files, inode tables and clusters up to which owners are looked for without being asked: what it
 * takes grows with them, not with the size of the volume, and up to here it is a matter of a
 * second or two, which one would rather wait for than press a button.
 */
const most = { inodesInUse: 50_000, inodes: 262_144, clusters: 262_144 };

/** Whether finding out who owns what takes so little that it is done at once. */
export function isQuickToSearch({ inodes, freeInodes, unit }: VolumeSummary): boolean {
  if (inodes === null) return (unit?.count ?? 0) <= most.clusters;
  return inodes <= most.inodes && inodes - (freeInodes ?? 0) <= most.inodesInUse;
}

/** Has the engine find out who owns what. */
export class OwnerSearch {
  knowledge: OwnerKnowledge = { state: 'unknown' };
  private running: Task<void> | null = null;

  constructor(
    private readonly host: Host,
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  start(volume: number): void {
    this.running?.cancel();
    const task = this.tasks.start(
      (id) => this.host.findOwners(volume, id),
      (done, total) => {
        if (this.running === task) this.know({ state: 'finding', done, total });
      },
    );
    this.running = task;
    this.know({ state: 'finding', done: 0, total: 0 });
    void task.answer.then(
      () => this.end(task, { state: 'known' }),
      (error: unknown) => this.end(task, afterFailure(error)),
    );
  }

  /** Gives it up. */
  stop(): void {
    const { running } = this;
    this.running = null;
    running?.cancel();
    this.know({ state: 'stopped' });
  }

  /** The image, the engine or the volume is another: nothing is known any more. */
  forget(): void {
    const { running } = this;
    this.running = null;
    running?.cancel();
    this.knowledge = { state: 'unknown' };
  }

  /** The engine knows already. */
  learn(): void {
    if (this.knowledge.state === 'unknown') this.know({ state: 'known' });
  }

  private end(task: Task<void>, knowledge: OwnerKnowledge): void {
    if (this.running !== task) return;
    this.running = null;
    this.know(knowledge);
  }

  private know(knowledge: OwnerKnowledge): void {
    this.knowledge = knowledge;
    this.changed();
  }
}

function afterFailure(error: unknown): OwnerKnowledge {
  if (isCancelled(error)) return { state: 'stopped' };
  if (hasEnded(error)) return { state: 'unknown' };
  return { state: 'failed', message: messageOf(error) };
}
