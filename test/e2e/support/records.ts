import type { FrameLocator, Locator } from '../../vscode/browser.mjs';

/** The records view inside a webview, by what a person reads in it. */
export class RecordsPage {
  constructor(readonly frame: FrameLocator) {}

  async open(): Promise<void> {
    await this.frame.getByRole('tab', { name: 'Records' }).click();
    await this.strips.waitFor();
  }

  get strips(): Locator {
    return this.frame.locator('[role=listbox][aria-label^="Records of"]');
  }

  /** The records that are drawn, or those of them whose description holds a text. */
  segments(text?: string | RegExp): Locator {
    const all = this.strips.getByRole('option');
    return text === undefined ? all : this.strips.getByRole('option', { name: text });
  }

  /** What stands over the strip of each block in sight. */
  get heads(): Locator {
    return this.strips.locator('.strip-head');
  }

  get tree(): Locator {
    return this.frame.getByRole('tree', { name: 'Hash tree' });
  }

  get chosenRow(): Locator {
    return this.frame.locator('fsimg-records [role=row][aria-selected=true]');
  }

  get rows(): Locator {
    return this.frame.locator('fsimg-records [role=row][data-index]');
  }

  get count(): Locator {
    return this.frame.locator('fsimg-records .toolbar-count');
  }

  get zoom(): Locator {
    return this.frame.locator('.zoom-length');
  }

  /** Shows the records of one state alone. */
  async show(states: string): Promise<void> {
    await this.frame.locator('vscode-dropdown[aria-label="Records shown"]').click();
    await this.frame.getByRole('option', { name: states, exact: true }).click();
  }

  /** Chooses a record where it starts: others may lie in its slack. */
  async choose(text: string | RegExp): Promise<void> {
    await this.segments(text)
      .first()
      .click({ position: { x: 5, y: 10 } });
  }

  /** Width of a record in pixels, where it lies in one line. */
  async width(text: string | RegExp): Promise<number> {
    return (await this.segments(text).first().boundingBox())?.width ?? 0;
  }
}
