import type * as vscode from 'vscode';
import { OpenImage, type ImageEnvironment } from './open-image';

/** The use of an image by an editor; disposing it ends the use. */
export interface ImageLease extends vscode.Disposable {
  readonly image: OpenImage;
}

/** The images that are open, each with one engine, however many editors show it. */
export class OpenImages implements vscode.Disposable {
  private readonly images = new Map<string, { readonly image: OpenImage; uses: number }>();

  constructor(private readonly environment: ImageEnvironment) {}

  /** Opens the image, or joins those who have; it closes when the last one is done with it. */
  acquire(uri: vscode.Uri): ImageLease {
    const key = uri.toString();
    let open = this.images.get(key);
    if (!open) {
      open = { image: new OpenImage(uri, this.environment), uses: 0 };
      this.images.set(key, open);
    }
    const entry = open;
    entry.uses += 1;
    const release = () => {
      entry.uses -= 1;
      if (entry.uses > 0) return;
      this.images.delete(key);
      entry.image.dispose();
    };
    return { image: entry.image, dispose: once(release) };
  }

  dispose(): void {
    for (const { image } of this.images.values()) image.dispose();
    this.images.clear();
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
