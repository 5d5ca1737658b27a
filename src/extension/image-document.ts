import * as vscode from 'vscode';
import type { EditStep } from './image-edits';
import { showError } from './messages';
import type { EditOwner, OpenImage } from './open-image';
import type { ImageLease } from './open-images';

type DocumentEvent =
  | vscode.CustomDocumentEditEvent<ImageDocument>
  | vscode.CustomDocumentContentChangeEvent<ImageDocument>;

/** An image as VS Code has it: with one undo stack, and one or more editors that show it. */
export class ImageDocument implements vscode.CustomDocument, EditOwner {
  private readonly ownership: vscode.Disposable;
  /** What VS Code cannot hear yet: it does not know the document before it is open. */
  private waiting: (() => void)[] | null = [];

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
      // There is no other way to say so; a save finds nothing to write.
      else void vscode.workspace.save(this.uri).then(undefined, showError);
    });
  }

  dispose(): void {
    this.ownership.dispose();
    this.lease.dispose();
  }

  private tell(tell: () => void): void {
    if (this.waiting) this.waiting.push(tell);
    else tell();
  }
}
