/** A moment, counted from 1970-01-01 UTC; FAT's local times are taken as if they were UTC. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** ISO 8601 in UTC; nanoseconds are printed where there are any. */
export function formatTimestamp(time: Timestamp): string {
  const whole = new Date(time.seconds * 1000).toISOString().replace('.000Z', '');
  const fraction = time.nanoseconds ? `.${String(time.nanoseconds).padStart(9, '0')}` : '';
  return `${whole}${fraction}Z`;
}
