import type { AllocationPlan, PreallocationRequest } from '../../filesystem/editing';
import { appendExtent, countFragments, type Extent } from '../../filesystem/extents';
import type { NodeId } from '../../filesystem/node';
import type { Timestamp } from '../../filesystem/timestamp';
import { ImageError } from '../../image/errors';
import { ClusterRuns, followChain } from '../chain';
import { chainProblems, firstClusterProblem, largestFile } from '../content';
import { slotSize } from '../boot-sector';
import { attributeBits, firstClusterOf, isDirectory, type ShortSlot } from '../slots';
import type { ClusterAllocator } from './cluster-allocator';
import { modifiedFields } from './slot-maker';
import { firstClusterFields, type WritableFat } from './writable-fat';

const mebibyte = 1024 * 1024;

/** A file that is changed. */
interface EditedFile {
  readonly node: NodeId;
  readonly slot: ShortSlot;
  /** Its whole chain. */
  readonly runs: ClusterRuns;
}

/** Changes what files hold: their chains, sizes and bytes. */
export class FileContents {
  /** The chain that was followed last: a large file is written in many parts. */
  private known: { readonly node: NodeId; readonly runs: ClusterRuns } | undefined;

  constructor(
    private readonly volume: WritableFat,
    private readonly allocator: ClusterAllocator,
    private readonly now: Timestamp,
  ) {}

  /** @param size in bytes */
  setSize(node: NodeId, size: number): void {
    checkRange(0, size);
    const file = this.open(node);
    if (size > file.slot.DIR_FileSize) {
      this.grow(file, size);
      this.zero(file, file.slot.DIR_FileSize, size);
    } else {
      const keep = this.clustersFor(size);
      if (keep > file.runs.count) throw shortChain(file);
      this.cut(file, keep);
    }
    this.changed(file, size);
  }

  /** @param offset in bytes */
  write(node: NodeId, offset: number, bytes: Uint8Array): void {
    checkRange(offset, bytes.length);
    const file = this.open(node);
    if (bytes.length === 0) return;
    const { DIR_FileSize: size } = file.slot;
    const end = offset + bytes.length;
    this.grow(file, Math.max(size, end));
    if (offset > size) this.zero(file, size, offset);
    this.visitRange(file, offset, end, (place, from, to) => {
      this.volume.bytes.write(place, bytes.subarray(from - offset, to - offset));
    });
    this.changed(file, Math.max(size, end));
  }

  /** By the rules of the Linux driver (`fat_fallocate` in fs/fat/file.c). */
  preallocate(node: NodeId, request: PreallocationRequest): AllocationPlan {
    const { offset, length, keepSize, zero } = request;
    checkRange(offset, length);
    const file = this.open(node);
    const before = file.runs.count;
    const { DIR_FileSize: size } = file.slot;
    const end = offset + length;
    const sectorsBefore = this.allocator.sectorsWritten;
    const newSize = keepSize ? size : Math.max(size, end);
    const extents = this.grow(file, Math.max(size, end));
    const zeroedTo = keepSize && !zero ? size : Math.max(size, end);
    this.zero(file, size, zeroedTo);
    // As the driver: where the size stays, the slot is given the first cluster and no time.
    const isSlotWritten = newSize !== size || (before === 0 && extents.length > 0);
    if (newSize !== size) this.changed(file, newSize);
    else if (isSlotWritten) this.volume.changeSlot(node, this.startOf(file));
    const hints = extents.length > 0 && this.allocator.hasHints ? 1 : 0;
    return {
      extents,
      fragments: countFragments(file.runs.extents()),
      allocatedUnits: file.runs.count - before,
      metadataWrites:
        this.allocator.sectorsWritten - sectorsBefore + (isSlotWritten ? 1 : 0) + hints,
      bytesZeroed: zeroedTo - size,
      notes: this.planNotes(file, newSize, keepSize, length),
    };
  }

  /** Gives back all clusters of a file or directory that is removed. */
  free(node: NodeId, slot: ShortSlot): void {
    this.allocator.cut(this.chain(node, slot), 0);
    this.known = undefined;
  }

  /** What was followed under a node's name is not believed any more. */
  forget(): void {
    this.known = undefined;
  }

  private planNotes(file: EditedFile, size: number, keepSize: boolean, length: number): string[] {
    const notes: string[] = [];
    if (file.runs.count > this.clustersFor(size)) {
      notes.push(
        'The clusters of the file run past its size: Linux takes that, but fsck.fat would cut them.',
      );
    }
    if (!keepSize && length < mebibyte) {
      notes.push('For so few bytes it is simpler to write zeros.');
    }
    return notes;
  }

  /** @throws ImageError `corrupt` when the chain is broken; `not-a-file` */
  private open(node: NodeId): EditedFile {
    if (node === 0) throw notFile();
    const slot = this.volume.slot(node);
    if (isDirectory(slot)) throw notFile();
    return { node, slot, runs: this.chain(node, slot) };
  }

  private chain(node: NodeId, slot: ShortSlot): ClusterRuns {
    if (this.known?.node === node) return this.known.runs;
    const runs = this.followWhole(node, slot);
    this.known = { node, runs };
    return runs;
  }

  private followWhole(node: NodeId, slot: ShortSlot): ClusterRuns {
    const first = firstClusterOf(slot, this.volume.boot.bits);
    if (first === 0 && slot.DIR_FileSize === 0) return new ClusterRuns();
    const owner = { offset: node, length: slotSize, firstCluster: first, size: slot.DIR_FileSize };
    const startProblem = firstClusterProblem(this.volume, owner);
    if (startProblem) throw broken(startProblem.message);
    const chain = followChain(this.volume.table, first, this.clustersFor(largestFile));
    const problem = chainProblems(this.volume, chain).at(0);
    if (problem) throw broken(problem.message);
    return chain.runs;
  }

  /** Makes room for so many bytes. @returns the new extents */
  private grow(file: EditedFile, size: number): Extent[] {
    const { runs, slot } = file;
    if (runs.count < this.clustersFor(slot.DIR_FileSize)) throw shortChain(file);
    const missing = this.clustersFor(size) - runs.count;
    if (missing <= 0) return [];
    const last = runs.count > 0 ? runs.cluster(runs.count - 1) : undefined;
    const extents: Extent[] = [];
    for (const { start, length } of this.allocator.allocate(missing, last)) {
      appendExtent(extents, { logical: runs.count, physical: start, length });
      runs.add(start, length);
    }
    return extents;
  }

  /** Gives back the clusters beyond the first ones. */
  private cut(file: EditedFile, keep: number): void {
    this.allocator.cut(file.runs, keep);
    file.runs.cut(keep);
  }

  /** Writes the slot: its first cluster, a size, and that it was written to. */
  private changed(file: EditedFile, size: number): void {
    this.volume.changeSlot(file.node, {
      ...this.startOf(file),
      ...modifiedFields(this.now),
      DIR_FileSize: size,
      DIR_Attr: file.slot.DIR_Attr | attributeBits.archive,
    });
  }

  private startOf({ runs }: EditedFile): Partial<ShortSlot> {
    return firstClusterFields(runs.count > 0 ? runs.start(0) : 0, this.volume.boot.bits);
  }

  private zero(file: EditedFile, from: number, to: number): void {
    this.visitRange(file, from, to, (place, start, end) => {
      this.volume.bytes.zero(place, end - start);
    });
  }

  /** Visits the pieces of a range of the content, which must have its clusters. In bytes. */
  private visitRange(
    { runs }: EditedFile,
    from: number,
    to: number,
    visit: (place: number, from: number, to: number) => void,
  ): void {
    const { clusterSize } = this.volume.boot;
    if (from >= to) return;
    for (let run = runs.find(Math.floor(from / clusterSize)), at = from; at < to; run++) {
      const start = runs.logical(run) * clusterSize;
      const end = Math.min(to, start + runs.length(run) * clusterSize);
      visit(this.volume.clusterStart(runs.start(run)) + (at - start), at, end);
      at = end;
    }
  }

  private clustersFor(bytes: number): number {
    return Math.ceil(bytes / this.volume.boot.clusterSize);
  }
}

function checkRange(offset: number, length: number): void {
  const isWhole = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
  if (!isWhole || offset < 0 || length < 0) {
    throw new ImageError('usage', 'Places and sizes are whole numbers of bytes, 0 or more.');
  }
  if (offset + length > largestFile) {
    throw new ImageError('usage', `A file on FAT has at most ${largestFile} bytes.`);
  }
}

const notFile = () => new ImageError('not-a-file', 'It is a directory, not a file.');
const broken = (message: string) =>
  new ImageError('corrupt', `The file cannot be changed. ${message}`);
const shortChain = ({ runs, slot }: EditedFile) =>
  broken(
    `Its cluster chain has ${runs.count} clusters, too few for its ${slot.DIR_FileSize} bytes.`,
  );
