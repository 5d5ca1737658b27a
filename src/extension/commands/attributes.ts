import * as vscode from 'vscode';
import type {
  AttributeChanges,
  NodeDetails,
  Operation,
  VolumeSummary,
} from '../../protocol/requests';
import { formatSize, readSize } from '../../protocol/sizes';
import type { Target } from '../editor/active-inspector';
import type { Inspector } from '../editor/inspector';
import { displayed } from '../shared/messages';
import { changeImage, tell, tellNotes } from './edit-image';
import { askOperation, wrong } from './input/ask-name';
import { readMode, readNumber, readTime, showTime, writeMode } from './input/typed-attributes';

/** Those that people change, by the names that the engine has for them. */
const fatAttributes = ['read-only', 'hidden', 'system', 'archive'];
const inodeAttributes = [
  'immutable',
  'append-only',
  'no-dump',
  'no-atime',
  'synchronous-updates',
  'synchronous-directory-updates',
];

/** Cuts the chosen file, or lengthens it with zeros. */
export async function resize({ inspector, volume, node, path, type }: Target): Promise<void> {
  if (type !== 'file') return tell(vscode.l10n.t('Choose a file first.'));
  const { image } = inspector;
  const { size } = await image.engine.request('details', [volume, node, 0]);
  const title = vscode.l10n.t('Resize {0}', displayed(path));
  const operation = await askOperation(image, {
    title,
    prompt: vscode.l10n.t(
      'It is {0} long now. Beyond that it is filled with zeros, and what is cut off is lost.',
      formatSize(size),
    ),
    placeHolder: vscode.l10n.t('Bytes, or 4K, 16MiB, 1G'),
    value: String(size),
    operation: (typed) => {
      const wanted = readSize(typed.replaceAll(/[\s,]/g, ''));
      if (wanted === null) throw wrong(vscode.l10n.t('A size is written like 4096, 4K or 16MiB.'));
      return { kind: 'truncate', volume, node, size: wanted };
    },
  });
  if (operation) tellNotes(await changeImage(image, title, operation));
}

/** Names the volume that is shown. */
export async function editLabel(inspector: Inspector, volume: VolumeSummary): Promise<void> {
  const { image } = inspector;
  const title = vscode.l10n.t('Volume Label');
  const operation = await askOperation(image, {
    title,
    prompt: vscode.l10n.t('What the volume is called'),
    value: volume.label,
    operation: (label) => ({ kind: 'label', volume: volume.index, label }),
  });
  if (operation) tellNotes(await changeImage(image, title, operation));
}

/** Something of a node that can be changed: what it is now, and how it is asked for. */
interface Facet extends vscode.QuickPickItem {
  ask(title: string): Promise<Operation | undefined>;
}

/** Changes the mode, the owner, the times or the attributes of the chosen node. */
export async function editAttributes(target: Target, volume: VolumeSummary): Promise<void> {
  const { inspector, node, path } = target;
  const { image } = inspector;
  const details = await image.engine.request('details', [volume.index, node, 0]);
  const title = vscode.l10n.t('Attributes of {0}', displayed(path));
  const facets = facetsOf(target, volume, details);
  const placeHolder = vscode.l10n.t('What shall be changed?');
  const facet = await vscode.window.showQuickPick(facets, { title, placeHolder });
  const operation = await facet?.ask(title);
  if (operation) tellNotes(await changeImage(image, title, operation));
}

function facetsOf(target: Target, volume: VolumeSummary, details: NodeDetails): Facet[] {
  const { mode, uid, gid, attributes } = details;
  const isFat = volume.inodes === null;
  const change = (changes: AttributeChanges): Operation => ({
    kind: 'attributes',
    volume: volume.index,
    node: target.node,
    changes,
  });
  const inField = (
    label: string,
    value: string,
    prompt: string,
    read: (typed: string) => AttributeChanges,
  ): Facet => ({
    label,
    description: value,
    ask: (title) => {
      const operation = (typed: string) => change(read(typed));
      return askOperation(target.inspector.image, { title, prompt, value, operation });
    },
  });
  const time = (label: string, name: 'modified' | 'accessed' | 'created') =>
    inField(
      label,
      showTime(details[name] ?? null),
      isFat
        ? vscode.l10n.t('As the clock showed it: 2024-03-01 12:00:00')
        : vscode.l10n.t('In UTC: 2024-03-01 12:00:00'),
      (typed) => ({ [name]: understood(readTime(typed)) }),
    );
  const owner = (label: string, name: 'uid' | 'gid', value: number | undefined) =>
    inField(label, String(value ?? 0), vscode.l10n.t('Its number'), (typed) => ({
      [name]: understood(readNumber(typed)),
    }));
  const checkboxes: Facet = {
    label: vscode.l10n.t('Attributes'),
    description: attributes.join(', '),
    ask: async (title) => {
      const changes = await askAttributes(
        title,
        isFat ? fatAttributes : inodeAttributes,
        attributes,
      );
      return changes && change(changes);
    },
  };
  if (isFat) {
    return [
      checkboxes,
      time(vscode.l10n.t('Modified'), 'modified'),
      time(vscode.l10n.t('Accessed'), 'accessed'),
      time(vscode.l10n.t('Created'), 'created'),
    ];
  }
  return [
    inField(
      vscode.l10n.t('Mode'),
      writeMode(mode ?? 0),
      vscode.l10n.t('Permissions as an octal number: 644, 755, 4755'),
      (typed) => ({ mode: understood(readMode(typed)) }),
    ),
    owner(vscode.l10n.t('Owner'), 'uid', uid),
    owner(vscode.l10n.t('Group'), 'gid', gid),
    time(vscode.l10n.t('Modified'), 'modified'),
    time(vscode.l10n.t('Accessed'), 'accessed'),
    checkboxes,
  ];
}

/** Undefined when the person gave up, or left all as it is. */
async function askAttributes(
  title: string,
  names: readonly string[],
  present: readonly string[],
): Promise<AttributeChanges | undefined> {
  const items = names.map((label) => ({ label, picked: present.includes(label) }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Those that shall be set'),
    canPickMany: true,
  });
  if (!picked) return undefined;
  const wanted = picked.map(({ label }) => label);
  const set = wanted.filter((name) => !present.includes(name));
  const clear = names.filter((name) => present.includes(name) && !wanted.includes(name));
  return set.length + clear.length === 0 ? undefined : { set, clear };
}

function understood<Value>(value: Value | null): Value {
  if (value === null) throw wrong(vscode.l10n.t('That cannot be understood.'));
  return value;
}
