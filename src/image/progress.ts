/** How long work tells how far it is, and learns that nobody waits for it any more. */
export interface Progress {
  /**
   * Called every few thousand steps.
   * @throws ImageError `cancelled` when the work should end; callers let it pass
   */
  report(done: number, total: number): void;
}

export const noProgress: Progress = { report: () => undefined };
