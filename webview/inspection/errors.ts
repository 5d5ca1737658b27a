/** The sentence of an error, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the engine stopped before it answered; its successor is announced by an event. */
export function hasEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ended';
}

/** Whether the person gave the request up. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'cancelled';
}
