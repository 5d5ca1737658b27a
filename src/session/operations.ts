/**
 * What can be asked to be changed, as plain data: menus, the webview and the command line all ask
 * with these, and each becomes one named step that can be undone.
 */
import type { AllocationPolicy } from '../filesystem/allocation';
import type { AllocationPlan, PreallocationRequest } from '../filesystem/editing';
import type { NodeId } from '../filesystem/node';
import type { ByteRange, EditId } from '../image/edits';

export type { EditId, ByteRange as ChangedRange, SaveOptions, SaveReport } from '../image/edits';

/** An entry as a listing showed it. It is looked up anew: it may have gone since. */
export interface EntryRef {
  readonly directory: NodeId;
  readonly node: NodeId;
  /** As `EntryFacts.name`. */
  readonly name: string;
}

/** As `NodeChanges`, with times in ISO 8601. */
export interface AttributeChanges {
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly modified?: string;
  readonly accessed?: string;
  readonly created?: string;
  readonly set?: readonly string[];
  readonly clear?: readonly string[];
}

interface OnVolume {
  readonly volume: number;
}

/** A write into the middle of a file. */
interface Write extends OnVolume {
  readonly node: NodeId;
  /** In the file, in bytes. */
  readonly offset: number;
  /** As `EditOptions.chunk`, in bytes. */
  readonly chunk?: number;
}

/** Changes that name nothing of the host: also the webview may ask for them. */
export type Operation =
  | (OnVolume & {
      readonly kind: 'preallocate';
      readonly node: NodeId;
      readonly request: PreallocationRequest;
      readonly policy: AllocationPolicy;
    })
  /** @property minimum free extents below this many bytes are left alone */
  | (OnVolume & { readonly kind: 'trim'; readonly minimum: number })
  | (OnVolume & {
      readonly kind: 'create';
      readonly type: 'file' | 'directory';
      readonly directory: NodeId;
      readonly name: string;
    })
  | (OnVolume & {
      readonly kind: 'symlink';
      readonly directory: NodeId;
      readonly name: string;
      readonly target: string;
    })
  | (OnVolume & {
      readonly kind: 'link';
      readonly directory: NodeId;
      readonly name: string;
      readonly node: NodeId;
    })
  /** Directories with all that they hold. */
  | (OnVolume & { readonly kind: 'remove'; readonly entries: readonly EntryRef[] })
  | (OnVolume & {
      readonly kind: 'move';
      readonly entry: EntryRef;
      readonly directory: NodeId;
      readonly name: string;
      /** A file of that name gives way. */
      readonly replace: boolean;
    })
  | (OnVolume & { readonly kind: 'truncate'; readonly node: NodeId; readonly size: number })
  /** The whole content of a file anew. */
  | (OnVolume & { readonly kind: 'content'; readonly node: NodeId; readonly bytes: Uint8Array })
  | (OnVolume & {
      readonly kind: 'attributes';
      readonly node: NodeId;
      readonly changes: AttributeChanges;
    })
  | (OnVolume & { readonly kind: 'label'; readonly label: string })
  /** Bytes of the image as they are: hex edits. @property offset in the image */
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Uint8Array }
  /** A field of a structure. @property value as a person writes it */
  | {
      readonly kind: 'field';
      /** Where the structure and its field start in the image, in bytes, and which they are. */
      readonly structure: number;
      readonly structureKind: string;
      readonly field: string;
      readonly value: string;
    };

/** Changes that only the extension host and the command line ask for: most bring in content. */
export type HostOperation =
  | Operation
  | (OnVolume & {
      readonly kind: 'import';
      readonly directory: NodeId;
      /** Files and folders of the host, each under its own name or the one that is given. */
      readonly sources: readonly { readonly path: string; readonly name?: string }[];
      /** Files that are there already give way; else the change is refused. */
      readonly replace: boolean;
    })
  /** New directories. @property names the first one in `directory`, each other in that before it */
  | (OnVolume & {
      readonly kind: 'folders';
      readonly directory: NodeId;
      readonly names: readonly string[];
    })
  /** @property path a file of the host */
  | (Write & { readonly kind: 'writeFrom'; readonly path: string })
  | (Write & { readonly kind: 'writeAt'; readonly bytes: Uint8Array });

/** What a trim punches, or would. */
export interface TrimReport {
  /** Free extents that become holes, at least in part. */
  readonly extents: number;
  /** Bytes of these that are no holes yet. */
  readonly bytes: number;
  /** Free extents that are holes already. */
  readonly skippedHoles: number;
  /** What the allocation of the host's file falls by, in bytes: expected before, measured after. */
  readonly reclaimed: number;
}

/** What a preallocation takes, or would. */
export interface AllocationReport extends AllocationPlan {
  /** How many extents there are. Of these, `extents` has the first ones alone for a screen. */
  readonly extentCount: number;
}

/** What a change did, or would do. */
export interface EditReport {
  /** A few words for menus: `Delete old.c`. */
  readonly label: string;
  /** In the order of their place; long lists are cut. */
  readonly changed: readonly ByteRange[];
  readonly changedRanges: number;
  readonly changedBytes: number;
  readonly allocation?: AllocationReport;
  readonly trim?: TrimReport;
  /** How many entries an import left out, each of which the notes tell, as far as they go. */
  readonly leftOut?: number;
  /** Whole sentences: a directory that is no longer indexed, a name that was changed to fit. */
  readonly notes: readonly string[];
}

export interface Edit extends EditReport {
  /** Null where nothing had to change. */
  readonly id: EditId | null;
}

/** What the session holds that is not in the file. */
export interface EditState {
  readonly isDirty: boolean;
  /** Bytes of the file that a save would have to keep for undo. */
  readonly keptForUndo: number;
}

/** What differs between two states of an image, for a person. */
export interface ImageDifference {
  /** Whole sentences; empty where nothing that was looked at differs. */
  readonly sentences: readonly string[];
}

/** What is kept of an image to tell later what has changed. */
export interface Remembered {
  /** What the image holds now, as text for the next time. */
  readonly snapshot: string;
  /** What has changed since the time before; null where that is not known. */
  readonly difference: ImageDifference | null;
}
