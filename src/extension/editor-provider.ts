import type * as vscode from 'vscode';
import type { ActiveInspector } from './active-inspector';
import { Inspector, type InspectorServices } from './inspector';
import type { OpenImages } from './open-images';
import type { OpenImage } from './open-image';

/** For `*.img`, and for any other file: VS Code takes one priority for each view type. */
export const viewTypes = ['fsimg.inspector', 'fsimg.inspectorOption'] as const;

/** An image that is shown by one or more editors. */
interface ImageDocument extends vscode.CustomDocument {
  readonly image: OpenImage;
}

/** Shows images in inspectors. */
export class InspectorProvider implements vscode.CustomReadonlyEditorProvider<ImageDocument> {
  constructor(
    private readonly images: OpenImages,
    private readonly active: ActiveInspector,
    private readonly services: InspectorServices,
  ) {}

  openCustomDocument(uri: vscode.Uri): ImageDocument {
    const { image, dispose } = this.images.acquire(uri);
    return { uri, image, dispose };
  }

  resolveCustomEditor({ image }: ImageDocument, panel: vscode.WebviewPanel): void {
    this.active.add(new Inspector(image, panel, this.services));
  }
}
