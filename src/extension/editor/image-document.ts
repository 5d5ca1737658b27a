import * as vscode from 'vscode';
import type { EditStep } from '../image/image-edits';
import type { EditOwner, OpenImage } from '../image/open-image';
import type { ImageLease } from '../image/open-images';
import { showError } from '../shared/messages';

/** How often VS Code is told that nothing has changed, and how long it has for that each time. */
const mostAttempts = 10;
const attemptTime = 500;

type DocumentEvent =
  | vscode.CustomDocumentEditEvent<ImageDocument>
  | vscode.CustomDocumentContentChangeEvent<ImageDocument>;

/** An image as VS Code has it: with one undo stack, and one or more editors that show it. */
export class ImageDocument implements vscode.CustomDocument, EditOwner {
  private readonly ownership: vscode.Disposable;
  /** What VS Code cannot hear yet: it does not know the document before it is open. */
  private waiting: (() => void)[] | null = [];
  private settling = false;
  private closed = false;

  /** @param lease ends with the document */
  constructor(
    readonly uri: vscode.Uri,
    private readonly lease: ImageLease,
    private readonly fire: (event: DocumentEvent) => void,
  ) {
    this.ownership = lease.image.own(this);
  }

  get image(): OpenImage {
    return this.lease.image;
  }

  /** VS Code knows the document from now on. */
  start(): void {
    const { waiting } = this;
    this.waiting = null;
    for (const tell of waiting ?? []) tell();
  }

  stepped({ label, undo, redo }: EditStep): void {
    this.tell(() => this.fire({ document: this, label, undo, redo }));
  }

  /** VS Code counts steps to know what is saved; where that is wrong it has to be told. */
  outOfStep(isDirty: boolean): void {
    this.tell(() => {
      if (isDirty) this.fire({ document: this });
      else this.settle().catch(showError);
    });
  }

  /** Whether VS Code saves only because it shall learn that nothing has changed. */
  get isSettling(): boolean {
    return this.settling;
  }

  /** Whether it has been closed. */
  get isClosed(): boolean {
    return this.closed;
  }

  dispose(): void {
    this.closed = true;
    this.ownership.dispose();
    this.lease.dispose();
  }

  /**
   * Has VS Code save what has not changed: there is no other way to say so. It does not listen
   * while it still opens the document.
   */
  private async settle(): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (this.closed || this.image.edits.isDirty) return;
      this.settling = true;
      try {
        await vscode.workspace.save(this.uri);
      } finally {
        this.settling = false;
      }
      await new Promise((resolve) => setTimeout(resolve, attemptTime));
      if (!isShownDirty(this.uri)) return;
    }
  }

  private tell(tell: () => void): void {
    if (this.waiting) this.waiting.push(tell);
    else tell();
  }
}

function isShownDirty(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(
    ({ input, isDirty }) =>
      isDirty && input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
  );
}
