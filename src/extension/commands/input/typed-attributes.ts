/** How attributes of a file are written and typed. Each reader gives null for what it is not. */

/** Permission bits with set-user-ID, set-group-ID and sticky, as an octal number. */
export function readMode(typed: string): number | null {
  return /^0?[0-7]{1,4}$/.test(typed.trim()) ? parseInt(typed.trim(), 8) : null;
}

/** @param mode with or without the bits of the type */
export function writeMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, '0');
}

/** A user or group: 0 up to 2^32 - 1. */
export function readNumber(typed: string): number | null {
  const value = /^\d{1,10}$/.test(typed.trim()) ? Number(typed) : NaN;
  return value <= 0xffff_ffff ? value : null;
}

/** `2024-03-01 12:00:00`, or a part of it from the left, as ISO 8601 in UTC. */
export function readTime(typed: string): string | null {
  const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)?Z?$/;
  const parts = form.exec(typed.trim());
  if (!parts) return null;
  const [, date, time = '00:00', seconds = ':00'] = parts;
  const iso = `${date}T${time}${seconds}Z`;
  const read = new Date(iso);
  // The 31st of February would be taken for a day in March.
  const isDay = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date);
  return isDay ? iso : null;
}

/** @param iso as the engine has it; null shows nothing */
export function showTime(iso: string | null): string {
  return iso?.replace('T', ' ').replace(/Z$/, '') ?? '';
}
