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

const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d\d:\d\d)?$/i;

/** Reads ISO 8601, to the nanosecond; in UTC unless it names another offset. Else undefined. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const parts = isoTime.exec(text.trim());
  if (!parts) return undefined;
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = parts;
  const moment = Date.parse(`${date}T${time}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(moment)) return undefined;
  return { seconds: moment / 1000, nanoseconds: Number(fraction.padEnd(9, '0')) };
}

/** The present moment; what hosts tell is no finer than milliseconds. */
export function presentTime(): Timestamp {
  const now = Date.now();
  return { seconds: Math.floor(now / 1000), nanoseconds: (now % 1000) * 1_000_000 };
}
