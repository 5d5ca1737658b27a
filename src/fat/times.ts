import type { Timestamp } from '../filesystem/timestamp';

/**
 * A date and time of a slot, taken as if it were UTC.
 * @param date bits 0-4 day, 5-8 month, 9-15 years since 1980
 * @param time bits 0-4 seconds halved, 5-10 minutes, 11-15 hours
 * @param hundredths 0 to 199, added to the seconds; ignored when larger
 * @returns null where it is unset or no moment of the calendar
 */
export function fatTimestamp(date: number, time: number, hundredths = 0): Timestamp | null {
  const year = 1980 + (date >> 9);
  const month = (date >> 5) & 0x0f;
  const day = date & 0x1f;
  const hours = time >> 11;
  const minutes = (time >> 5) & 0x3f;
  const seconds = 2 * (time & 0x1f);
  if (month < 1 || month > 12 || day < 1 || hours > 23 || minutes > 59 || seconds > 59) return null;
  const milliseconds = Date.UTC(year, month - 1, day, hours, minutes, seconds);
  if (new Date(milliseconds).getUTCDate() !== day) return null; // 30 February
  const extra = hundredths < 200 ? hundredths : 0;
  return {
    seconds: milliseconds / 1000 + Math.floor(extra / 100),
    nanoseconds: (extra % 100) * 10_000_000,
  };
}

/** A moment as slots keep it: a date, a time in steps of 2 s, and what that leaves in 10 ms. */
export interface SlotTime {
  readonly date: number;
  readonly time: number;
  /** 0 to 199. */
  readonly hundredths: number;
}

const earliest = Date.UTC(1980, 0, 1) / 1000;
const latest = Date.UTC(2107, 11, 31, 23, 59, 59) / 1000;

/** Whether slots can keep a moment: those of the years 1980 to 2107 they can. */
export function fitsSlot({ seconds }: Timestamp): boolean {
  return seconds >= earliest && seconds <= latest;
}

/** The moment for a slot; where slots cannot keep it the nearest one that they can, as Linux does. */
export function slotTime(moment: Timestamp): SlotTime {
  const isKept = fitsSlot(moment);
  const seconds = isKept ? moment.seconds : Math.max(earliest, Math.min(moment.seconds, latest));
  const parts = new Date(seconds * 1000);
  const hundredths = isKept ? Math.floor(moment.nanoseconds / 10_000_000) : 0;
  return {
    date:
      ((parts.getUTCFullYear() - 1980) << 9) |
      ((parts.getUTCMonth() + 1) << 5) |
      parts.getUTCDate(),
    time: (parts.getUTCHours() << 11) | (parts.getUTCMinutes() << 5) | (parts.getUTCSeconds() >> 1),
    hundredths: 100 * (parts.getUTCSeconds() % 2) + hundredths,
  };
}
