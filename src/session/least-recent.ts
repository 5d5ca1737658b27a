/** Keeps the values that were used last. */
export class LeastRecent<Key, Value> {
  /** In order of use, the least recent first: a Map iterates in insertion order. */
  private readonly values = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  /** The value under the key; made, and kept, where there is none. */
  get(key: Key, make: () => Value): Value {
    const value = this.values.has(key) ? (this.values.get(key) as Value) : make();
    this.values.delete(key);
    this.values.set(key, value);
    const oldest = this.values.keys().next();
    if (this.values.size > this.limit && !oldest.done) this.values.delete(oldest.value);
    return value;
  }

  /** What is kept, the most recent first. */
  all(): Value[] {
    return [...this.values.values()].reverse();
  }
}
