import type { FreeSpace } from '../filesystem/free-space';
import type { FreeExtentPage, FreeExtentQuery } from './layout-answers';
import { LeastRecent } from './least-recent';

const keptSelections = 4;
const digitBits = 16;
const digits = 1 << digitBits;

/** Free extents as a table asks for them: by place or by length, without the short ones. */
export class FreeExtentList {
  private knownOrder: Uint32Array | undefined;
  private readonly selections = new LeastRecent<number, Uint32Array>(keptSelections);

  constructor(private readonly free: FreeSpace) {}

  page(query: Omit<FreeExtentQuery, 'volume'>): FreeExtentPage {
    const order = query.sort === 'length' ? this.byLength(query) : this.byPlace(query);
    const start = Math.max(0, Math.min(query.start, order.length));
    const count = Math.max(0, Math.min(query.count, order.length - start));
    const { starts, lengths } = this.free;
    const extents = Array.from({ length: count }, (_, i) => {
      const row = start + i;
      const index = order[query.descending ? order.length - 1 - row : row];
      return [starts[index], lengths[index]] as const;
    });
    return { total: order.length, start, extents };
  }

  private byLength({ minimum }: Pick<FreeExtentQuery, 'minimum'>): Uint32Array {
    const { lengths } = this.free;
    const order = (this.knownOrder ??= orderOf(lengths, this.free.largest));
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lengths[order[middle]] < minimum) low = middle + 1;
      else high = middle;
    }
    return order.subarray(low);
  }

  private byPlace({ minimum }: Pick<FreeExtentQuery, 'minimum'>): Uint32Array {
    return this.selections.get(minimum, () => {
      const { lengths } = this.free;
      const selected = new Uint32Array(lengths.length);
      let count = 0;
      for (let index = 0; index < lengths.length; index++) {
        if (lengths[index] >= minimum) selected[count++] = index;
      }
      return selected.slice(0, count);
    });
  }
}

/** Indices by value, equal ones in their order: a radix sort, as most values need but one pass. */
function orderOf(values: Float64Array, largest: number): Uint32Array {
  let order = Uint32Array.from(values.keys());
  for (let divisor = 1; divisor <= largest; divisor *= digits) {
    const digit = (index: number) => Math.floor(values[index] / divisor) % digits;
    const places = new Uint32Array(digits + 1);
    for (const index of order) places[digit(index) + 1] += 1;
    for (let i = 0; i < digits; i++) places[i + 1] += places[i];
    const sorted = new Uint32Array(order.length);
    for (const index of order) sorted[places[digit(index)]++] = index;
    order = sorted;
  }
  return order;
}
