/**
 * What a range of an image holds, as one number: 0 or more is where its bytes stand in the
 * `ByteStore`; below 0 it is one of `inFile`, `zeros` and `hole`.
 */
export type Content = number;

/** What the file of the image holds at that place. */
export const inFile: Content = -1;
export const zeros: Content = -2;
/** Reads as zeros, and is to take no room on the host. */
export const hole: Content = -3;

/** The content of a range from `distance` bytes after its start on. */
export const contentAfter = (content: Content, distance: number): Content =>
  content < 0 ? content : content + distance;

/** @param end in bytes, exclusive */
export type RangeVisitor = (start: number, end: number, content: Content) => void;

const leafLimit = 512; // ranges; what an insertion moves at most

interface Leaf {
  readonly starts: number[];
  readonly ends: number[];
  readonly contents: Content[];
}

/**
 * Disjoint ranges in order of their place, each with a content. They stand in leaves of bounded
 * length: a million ranges are 24 bytes each, appended in constant time and found, inserted or
 * replaced anywhere in little more.
 */
export class RangeMap {
  private leaves: Leaf[] = [];
  private ranges = 0;

  /** How many ranges there are; neighbours whose contents continue each other are one. */
  get count(): number {
    return this.ranges;
  }

  clear(): void {
    this.leaves = [];
    this.ranges = 0;
  }

  /** Gives a range a content, whatever was there. Empty ranges are none. */
  set(start: number, end: number, content: Content): void {
    if (start >= end) return;
    const last = this.leaves.at(-1);
    if (last && last.ends[last.ends.length - 1] > start) {
      this.delete(start, end);
      this.insert(start, end, content);
    } else {
      this.append(last, start, end, content);
    }
  }

  /** Takes a range out, whatever was there. */
  delete(start: number, end: number): void {
    let leafIndex = this.leafAt(start);
    while (leafIndex < this.leaves.length) {
      const leaf = this.leaves[leafIndex];
      if (leaf.starts[0] >= end) return;
      this.deleteInLeaf(leafIndex, start, end);
      if (leaf.starts.length > 0) leafIndex++;
      else this.leaves.splice(leafIndex, 1);
    }
  }

  /** Visits what lies in a range, cut to it, in order. Nothing is changed meanwhile. */
  visit(from: number, to: number, visitor: RangeVisitor): void {
    for (let leafIndex = this.leafAt(from); leafIndex < this.leaves.length; leafIndex++) {
      const { starts, ends, contents } = this.leaves[leafIndex];
      for (let i = firstAbove(ends, from); i < starts.length; i++) {
        if (starts[i] >= to) return;
        const start = Math.max(from, starts[i]);
        visitor(start, Math.min(to, ends[i]), contentAfter(contents[i], start - starts[i]));
      }
    }
  }

  /** As `visit`, for all ranges. */
  visitAll(visitor: RangeVisitor): void {
    for (const { starts, ends, contents } of this.leaves) {
      for (let i = 0; i < starts.length; i++) visitor(starts[i], ends[i], contents[i]);
    }
  }

  /** As `visit`, with the gaps between the ranges as `inFile`: every byte is visited. */
  cover(from: number, to: number, visitor: RangeVisitor): void {
    let at = from;
    this.visit(from, to, (start, end, content) => {
      if (at < start) visitor(at, start, inFile);
      visitor(start, end, content);
      at = end;
    });
    if (at < to) visitor(at, to, inFile);
  }

  private append(last: Leaf | undefined, start: number, end: number, content: Content): void {
    let leaf = last;
    if (leaf && joins(leaf, leaf.starts.length - 1, start, content)) {
      leaf.ends[leaf.ends.length - 1] = end;
      return;
    }
    if (!leaf || leaf.starts.length >= leafLimit) {
      leaf = { starts: [], ends: [], contents: [] };
      this.leaves.push(leaf);
    }
    leaf.starts.push(start);
    leaf.ends.push(end);
    leaf.contents.push(content);
    this.ranges++;
  }

  /** Adds a range where there is none. */
  private insert(start: number, end: number, content: Content): void {
    const leafIndex = this.leafAt(start);
    const leaf = this.leaves[leafIndex];
    if (!leaf) return this.append(undefined, start, end, content);
    const index = firstAbove(leaf.starts, start);
    const isContinued =
      leaf.starts[index] === end && leaf.contents[index] === contentAfter(content, end - start);
    if (index > 0 && joins(leaf, index - 1, start, content)) {
      leaf.ends[index - 1] = isContinued ? leaf.ends[index] : end;
      if (isContinued) this.removeInLeaf(leaf, index, 1);
    } else if (isContinued) {
      leaf.starts[index] = start;
      leaf.contents[index] = content;
    } else {
      this.insertInLeaf(leafIndex, index, start, end, content);
    }
  }

  private insertInLeaf(
    leafIndex: number,
    index: number,
    start: number,
    end: number,
    content: Content,
  ): void {
    const leaf = this.leaves[leafIndex];
    leaf.starts.splice(index, 0, start);
    leaf.ends.splice(index, 0, end);
    leaf.contents.splice(index, 0, content);
    this.ranges++;
    if (leaf.starts.length <= leafLimit) return;
    const half = leafLimit / 2;
    this.leaves.splice(leafIndex + 1, 0, {
      starts: leaf.starts.splice(half),
      ends: leaf.ends.splice(half),
      contents: leaf.contents.splice(half),
    });
  }

  private deleteInLeaf(leafIndex: number, start: number, end: number): void {
    const leaf = this.leaves[leafIndex];
    const { starts, ends, contents } = leaf;
    let first = firstAbove(ends, start);
    if (first < starts.length && starts[first] < start) {
      const [oldStart, oldEnd] = [starts[first], ends[first]];
      ends[first] = start;
      if (oldEnd > end) {
        const rest = contentAfter(contents[first], end - oldStart);
        return this.insertInLeaf(leafIndex, first + 1, end, oldEnd, rest);
      }
      first++;
    }
    const next = Math.max(first, firstAbove(ends, end));
    if (next < starts.length && starts[next] < end) {
      contents[next] = contentAfter(contents[next], end - starts[next]);
      starts[next] = end;
    }
    this.removeInLeaf(leaf, first, next - first);
  }

  private removeInLeaf(leaf: Leaf, index: number, count: number): void {
    leaf.starts.splice(index, count);
    leaf.ends.splice(index, count);
    leaf.contents.splice(index, count);
    this.ranges -= count;
  }

  /** The last leaf that starts at or before a place, or the first one. */
  private leafAt(offset: number): number {
    let low = 0;
    let high = this.leaves.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.leaves[middle].starts[0] <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Whether what starts at `start` with `content` continues a range of a leaf. */
function joins(leaf: Leaf, index: number, start: number, content: Content): boolean {
  if (leaf.ends[index] !== start) return false;
  return contentAfter(leaf.contents[index], start - leaf.starts[index]) === content;
}

/** The index of the first number above another in ascending ones; their count if there is none. */
function firstAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
