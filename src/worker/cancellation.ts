/** More than requests can wait in an engine; of two tasks that share a cell, the later one wins. */
const cells = 1024;

/**
 * Which tasks nobody waits for any more. The engine is synchronous and hears no message while it
 * works, so the two threads share a few cells of memory.
 */
export class Cancellation {
  private readonly tasks: Int32Array;

  /** @param memory that of the other thread's; new memory on the thread that starts the engine */
  constructor(readonly memory = new SharedArrayBuffer(4 * cells)) {
    this.tasks = new Int32Array(memory);
  }

  /** @param task 1 or more */
  cancel(task: number): void {
    Atomics.store(this.tasks, task % cells, task);
  }

  isCancelled(task: number): boolean {
    return task !== 0 && Atomics.load(this.tasks, task % cells) === task;
  }
}
