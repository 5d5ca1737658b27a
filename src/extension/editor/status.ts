import * as vscode from 'vscode';
import type { ByteRange, NodeDetails } from '../../protocol/requests';
import { formatSize } from '../../protocol/sizes';
import { visibleText } from '../../protocol/visible-text';
import type { OpenImage } from '../image/open-image';
import { shortPath, withoutIcons } from '../shared/formats';
import type { ActiveInspector, Target } from './active-inspector';

const pathLength = 40;

/** Shows what is chosen in the active inspector, in the one status bar item of the extension. */
export class SelectionStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'fsimg.selection',
    vscode.StatusBarAlignment.Right,
    100,
  );
  /** Counts the selections; an answer about an earlier one is out of date. */
  private selections = 0;
  private text = '';
  private image: OpenImage | undefined;
  private following: vscode.Disposable | undefined;

  constructor(private readonly active: ActiveInspector) {
    this.item.name = vscode.l10n.t('Filesystem Image Selection');
    active.onDidChange(() => {
      this.follow(active.current?.image);
      void this.update();
    });
  }

  dispose(): void {
    this.following?.dispose();
    this.item.dispose();
  }

  private async update(): Promise<void> {
    const selection = ++this.selections;
    const facts = await this.describe().catch(() => []);
    if (selection !== this.selections) return;
    if (facts.length === 0) {
      this.item.hide();
      return;
    }
    const [place, ...rest] = facts;
    this.text = [withoutIcons(shortPath(place, pathLength)), ...rest].join(' · ');
    this.item.tooltip = facts.join('\n');
    this.show();
    this.item.show();
  }

  /** A check that nobody asked for tells how far it is, and is given up by a click. */
  private show(): void {
    const share = this.image?.background.share ?? null;
    const checking =
      share === null ? '' : vscode.l10n.t('Checking… {0} %', Math.floor(100 * share));
    this.item.text = checking ? `$(sync~spin) ${checking} · ${this.text}` : this.text;
    this.item.command = checking ? 'fsimg.stopCheck' : 'fsimg.goTo';
  }

  private follow(image: OpenImage | undefined): void {
    if (image === this.image) return;
    this.following?.dispose();
    this.image = image;
    this.following = image?.onDidProgress(() => this.show());
  }

  /** Where the selection is, and what it is; bytes where bytes are looked at. */
  private async describe(): Promise<string[]> {
    const { view, bytes } = this.active.current?.selection ?? {};
    if (view === 'structures' && bytes) return bytesFacts(bytes);
    const target = this.active.target();
    if (!target) return [];
    return [visibleText(target.path), ...(await factsOf(target).catch(() => []))];
  }
}

function bytesFacts({ offset, length }: ByteRange): string[] {
  const first = `0x${offset.toString(16)}`;
  if (length <= 1) return [first];
  return [`${first}–0x${(offset + length - 1).toString(16)}`, formatSize(length)];
}

async function factsOf({ inspector, volume, node }: Target): Promise<string[]> {
  const { engine } = inspector.image;
  const [{ volumes }, details] = await Promise.all([
    engine.request('summary', []),
    engine.request('details', [volume, node, 0]),
  ]);
  const hasInodes = volumes.find(({ index }) => index === volume)?.inodes !== null;
  return [numberOf(details, hasInodes), formatSize(details.size), fragmentsOf(details)];
}

function numberOf({ number }: NodeDetails, isInode: boolean): string {
  return isInode ? vscode.l10n.t('inode {0}', number) : vscode.l10n.t('cluster {0}', number);
}

function fragmentsOf({ fragments }: NodeDetails): string {
  return fragments === 1
    ? vscode.l10n.t('1 fragment')
    : vscode.l10n.t('{0} fragments', fragments.toLocaleString('en-US'));
}
