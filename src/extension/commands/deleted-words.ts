import * as vscode from 'vscode';
import { remainsOf, type Remains } from '../content/deleted-content';
import type { Target } from '../editor/active-inspector';
import { displayed } from '../shared/messages';

/** What a person should know of a deleted entry before its content is used. */
interface Doubt {
  readonly sentence: string;
  /** What is shown may be that of another file. */
  readonly isGrave: boolean;
}

/** Null for an entry that is not deleted. */
export async function doubtAbout({ inspector, volume, node, path }: Target): Promise<Doubt | null> {
  const remains = await remainsOf(inspector.image.engine, volume, node, path);
  if (!remains) return null;
  return { sentence: sentenceFor(displayed(path), remains), isGrave: isGrave(remains) };
}

const isGrave = ({ isReplaced, inUse }: Remains) => isReplaced || inUse > 0;

function sentenceFor(path: string, { isReplaced, unitName, units, inUse }: Remains): string {
  if (isReplaced) {
    return vscode.l10n.t(
      '{0} was deleted, and its inode is in use again: what opens is the content of another file.',
      path,
    );
  }
  if (inUse === 0) {
    return vscode.l10n.t('{0} was deleted: this is what is left of it.', path);
  }
  const [some, all] = [inUse, units].map((count) => count.toLocaleString('en-US'));
  return unitName === 'cluster'
    ? vscode.l10n.t(
        '{0} was deleted, and up to {1} of its {2} clusters are in use again: only what lies before them is left, and it may be another file’s.',
        path,
        some,
        all,
      )
    : vscode.l10n.t(
        '{0} was deleted, and {1} of its {2} blocks are in use again: what opens may be the bytes of another file.',
        path,
        some,
        all,
      );
}
