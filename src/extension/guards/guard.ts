/** Checks of values that come from where nobody can be trusted. */

export type Guard<Value> = (value: unknown) => value is Value;
type GuardsOf<Args extends unknown[]> = { readonly [Index in keyof Args]: Guard<Args[Index]> };
/** For each function the guards of its arguments. */
export type Guards<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => unknown
    ? GuardsOf<Args>
    : never;
};

/** 4096 bytes is the longest path that hosts take, 255 the longest name; both grow as UTF-8. */
const longestText = 16 * 1024;
/** More rows or bytes than a view can use at a time. */
export const mostRows = 10_000;
export const mostBytes = 16 * 1024 * 1024;

export const isCount: Guard<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

export const atMost =
  (limit: number): Guard<number> =>
  (value): value is number =>
    isCount(value) && value <= limit;

export const isFlag: Guard<boolean> = (value): value is boolean => typeof value === 'boolean';

/** Of bounded length, and able to stand in a URI: without half a surrogate pair. */
export const isText: Guard<string> = (value): value is string =>
  typeof value === 'string' && value.length <= longestText && !/\p{Surrogate}/u.test(value);

export function isRecord<Value>(guards: {
  readonly [Key in keyof Value]-?: Guard<Value[Key]>;
}): Guard<Value> {
  const entries = Object.entries<Guard<unknown>>(guards);
  return (value): value is Value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const record = value as Record<string, unknown>;
    return entries.every(([key, guard]) => guard(record[key]));
  };
}

export function optional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}

export function nullable<Value>(guard: Guard<Value>): Guard<Value | null> {
  return (value): value is Value | null => value === null || guard(value);
}

/** One of the keys of a record: the compiler sees to it that none is missing there. */
export function isKeyOf<Key extends string>(keys: Readonly<Record<Key, true>>): Guard<Key> {
  return (value): value is Key => typeof value === 'string' && Object.hasOwn(keys, value);
}
