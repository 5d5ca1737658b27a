import type { TaskId } from '../../src/protocol/requests';
import type { Task, Tasks } from './tasks';

/** What is not answered sooner is shown, in milliseconds. */
const announceAfter = 200;

/** A question on the way to a place that takes its time. */
export interface Inquiry {
  /** What is being done, in words. */
  readonly text: string;
  /** From 0 to 1; null where that is not known. */
  readonly share: number | null;
  cancel(): void;
}

/** Questions that the person waits for: one at a time, shown, and given up at will. */
export class Inquiries {
  current: Inquiry | null = null;
  private running: Task<unknown> | null = null;

  constructor(
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  /** Asks; gives up what was asked before and is not answered yet. */
  async ask<Answer>(text: string, ask: (task: TaskId) => Promise<Answer>): Promise<Answer> {
    this.running?.cancel();
    const task = this.tasks.start(ask, (done, total) => {
      if (this.running !== task || !this.current || total <= 0) return;
      this.show({ ...this.current, share: done / total });
    });
    this.running = task;
    const cancel = () => task.cancel();
    const timer = setTimeout(() => this.show({ text, share: null, cancel }), announceAfter);
    try {
      return await task.answer;
    } finally {
      clearTimeout(timer);
      if (this.running === task) {
        this.running = null;
        this.show(null);
      }
    }
  }

  private show(inquiry: Inquiry | null): void {
    if (inquiry === this.current) return;
    this.current = inquiry;
    this.changed();
  }
}
