/**
 * The vocabulary of change: what an editor of a volume can do, and what an allocation would take.
 * Both families speak it; whoever edits never asks which one it is.
 */
import type { WritableVolume } from '../image/bytes';
import type { AllocationPolicy } from './allocation';
import type { Extent } from './extents';
import type { NodeId } from './node';
import type { Progress } from './progress';
import type { Timestamp } from './timestamp';

/** How a volume can be changed, or the sentence that says why it cannot. */
export type Editing =
  | { readonly whyNot: string }
  | {
      readonly whyNot: null;
      /**
       * Starts to edit. One editor serves one change; it reads what it has written, and no other
       * reader of the volume is used while it works.
       * @param volume the same volume, within a transaction: what fails is rolled back by whoever
       *   holds that, so an editor may stop anywhere
       */
      open(volume: WritableVolume, options: EditOptions): VolumeEditor;
    };

export interface EditOptions {
  /** Now: what new and changed nodes are stamped with. */
  readonly now: Timestamp;
  /** Where units are taken from. */
  readonly policy: AllocationPolicy;
  /**
   * A write into unwritten blocks writes whole pieces of so many bytes, with zeros around what is
   * written, so that many small writes do not make as many extents. As Linux where it is left out.
   */
  readonly chunk?: number;
  readonly progress: Progress;
}

/** A name in a directory: the bytes as the directory's `EntryTable` has them, and the node. */
export interface EntryKey {
  readonly directory: NodeId;
  readonly node: NodeId;
  readonly name: Uint8Array;
}

/** What a new node is given beside its name; what is absent, or unknown to FAT, is the default. */
export interface NewNode {
  /** Permission bits. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly modified?: Timestamp;
}

/** What is changed of a node; what is absent stays. */
export interface NodeChanges {
  /** Permission bits with set-user-ID, set-group-ID and sticky; ext only. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly modified?: Timestamp;
  readonly accessed?: Timestamp;
  /** FAT only. */
  readonly created?: Timestamp;
  /** Names of attributes, as `Node.attributes` has them, to set and to clear. */
  readonly set?: readonly string[];
  readonly clear?: readonly string[];
}

export interface PreallocationRequest {
  /** The range of the content that shall have units, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** Units beyond the end without a change of the size; FAT, and files of ext4 with extents. */
  readonly keepSize: boolean;
  /**
   * Zero also what lies beyond the size (with `keepSize`), and what could be marked as unwritten
   * instead; else zeroed is what would show what was left there.
   */
  readonly zero: boolean;
}

/** What a preallocation takes. Numbers are units unless they say bytes. */
export interface AllocationPlan {
  /** The new extents of the content, in logical order. */
  readonly extents: readonly Extent[];
  /** Pieces that the whole file lies in afterwards. */
  readonly fragments: number;
  /** New units: those of `extents`, and blocks of pointers. */
  readonly allocatedUnits: number;
  /** Sectors (FAT) or blocks (ext) of metadata that are written, each copy counted. */
  readonly metadataWrites: number;
  readonly bytesZeroed: number;
  /** Whole sentences on what a person should know before it is applied. */
  readonly notes: readonly string[];
}

/**
 * Changes one volume. Every method leaves it consistent but for what `finish` writes: counts and
 * hints. All throw `ImageError`: `full` when there is no room, `corrupt` when the structures that
 * would have to change are broken, `read-only` for nodes that must not be changed.
 */
export interface VolumeEditor {
  /**
   * Whole sentences on what a person should know of the edit so far: an index that a directory
   * lost, a name that was changed to fit. Empty where there is nothing to tell.
   */
  readonly notes: readonly string[];

  /**
   * Each of these adds a name that is not there yet, and returns the new node.
   * @throws ImageError `exists`; `usage` for a name that the format cannot hold
   */
  createFile(directory: NodeId, name: string, details: NewNode): NodeId;
  createDirectory(directory: NodeId, name: string, details: NewNode): NodeId;
  /** @throws ImageError `unsupported` on FAT */
  createSymlink(directory: NodeId, name: string, target: string, details: NewNode): NodeId;
  /** Gives a node that is no directory a further name. @throws ImageError `unsupported` on FAT */
  createLink(directory: NodeId, name: string, node: NodeId): void;

  /**
   * Removes a name, and with its last name the node and its content.
   * @throws ImageError `not-empty` for a directory that holds anything; `not-found` when the entry
   *   is not there (any more)
   */
  remove(entry: EntryKey): void;

  /**
   * Gives a node another name, in the same directory or another one.
   * @returns the node as it is called afterwards
   * @throws ImageError `exists`, `not-found`; `usage` for a directory moved into itself
   */
  move(entry: EntryKey, directory: NodeId, name: string): NodeId;

  /** Cuts a file, or lengthens it with zeros. @param size in bytes */
  setSize(node: NodeId, size: number): void;

  /** Writes into a file, which grows where it has to. @param offset in bytes */
  write(node: NodeId, offset: number, bytes: Uint8Array): void;

  /** @throws ImageError `unsupported` for `keepSize` where a file has block pointers */
  preallocate(node: NodeId, request: PreallocationRequest): AllocationPlan;

  /** @throws ImageError `unsupported` for what the format does not keep */
  change(node: NodeId, changes: NodeChanges): void;

  /** @throws ImageError `usage` for a label that the format cannot hold */
  setLabel(label: string): void;

  /** Writes what is written once for the whole change: counts, hints, times. Called once, last. */
  finish(): void;
}
