import type { TaskId } from '../../src/protocol/requests';

/** A request that can be cancelled; its answer is then rejected or no longer wanted. */
export interface Task<Answer> {
  readonly answer: Promise<Answer>;
  cancel(): void;
}

/** Tells how far a request is; `total` is 0 where that is not known. */
export type ProgressListener = (done: number, total: number) => void;

/** Numbers the requests that run, cancels them, and hands on what they tell of their progress. */
export class Tasks {
  private last: TaskId = 0;
  private readonly running = new Map<TaskId, ProgressListener | undefined>();

  constructor(private readonly cancelAtHost: (task: TaskId) => void) {}

  start<Answer>(ask: (task: TaskId) => Promise<Answer>, progress?: ProgressListener): Task<Answer> {
    const task = ++this.last;
    this.running.set(task, progress);
    return {
      answer: ask(task).finally(() => this.running.delete(task)),
      cancel: () => {
        if (this.running.delete(task)) this.cancelAtHost(task);
      },
    };
  }

  progress(task: TaskId, done: number, total: number): void {
    this.running.get(task)?.(done, total);
  }
}
