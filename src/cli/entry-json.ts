import { createHash } from 'node:crypto';
import type { Extent } from '../filesystem/extents';
import type { EntryFacts } from '../session/answers';
import type { OpenVolume } from '../session/open-volume';

/** What is printed of an entry only when it is asked for. */
export interface EntryExtras {
  readonly sha256?: boolean;
  readonly extents?: boolean;
}

/** An entry as JSON has it; `id` is the inode number, or the first cluster on FAT. */
export interface EntryJson {
  readonly path: string;
  readonly name: string;
  readonly nameHex?: string;
  readonly type: string;
  readonly size: number;
  readonly id: number;
  readonly modified: string | null;
  readonly created?: string | null;
  readonly accessed?: string | null;
  readonly changed?: string | null;
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly links?: number;
  readonly attributes?: readonly string[];
  readonly target?: string;
  readonly deleted?: boolean;
  /** Why it, or what was asked for of it, cannot be read. */
  readonly problem?: string;
  readonly sha256?: string;
  readonly extents?: readonly Extent[];
}

export function entryJson(
  volume: OpenVolume,
  path: string,
  facts: EntryFacts,
  extras: EntryExtras = {},
): EntryJson {
  const { name, nameHex, type, size, number, modified, attributes, target, problem } = facts;
  const { created, accessed, changed, mode, uid, gid, links, deleted } = facts;
  const entry = {
    path,
    name,
    nameHex,
    type,
    size,
    id: number,
    modified,
    created,
    accessed,
    changed,
    mode,
    uid,
    gid,
    links,
    attributes: attributes.length > 0 ? attributes : undefined,
    target,
    deleted: deleted || undefined,
    problem,
  };
  if (deleted || problem !== undefined) return entry;
  const content = extras.extents || extras.sha256 ? volume.tryContent(facts.node) : undefined;
  if (typeof content === 'string') return { ...entry, problem: content };
  return {
    ...entry,
    sha256: extras.sha256 && type === 'file' ? sha256(volume, facts.node) : undefined,
    extents: extras.extents ? content?.extents : undefined,
  };
}

function sha256(volume: OpenVolume, node: number): string {
  const hash = createHash('sha256');
  for (const chunk of volume.chunks(node)) hash.update(chunk);
  return hash.digest('hex');
}
