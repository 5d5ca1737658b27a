import type { FrameLocator, Locator } from '../../vscode/browser.mjs';
import { expect } from 'vitest';
import type { VSCode } from './vscode';

/** The structures view inside a webview, by what a person reads in it. */
export class StructuresPage {
  constructor(readonly frame: FrameLocator) {}

  /** The name of the structure whose fields are listed. */
  get structure(): Locator {
    return this.frame.locator('fsimg-structures').getByRole('heading').first();
  }

  get tree(): Locator {
    return this.frame.getByRole('tree');
  }

  item(name: string): Locator {
    return this.tree.getByRole('treeitem').filter({
      has: this.frame.locator('.tree-name').getByText(name, { exact: true }),
    });
  }

  /** The row of a field, by its name. */
  field(name: string): Locator {
    return this.frame
      .locator('fsimg-field-table')
      .getByRole('row')
      .filter({
        has: this.frame.locator('.cell.name').getByText(name, { exact: true }),
      });
  }

  /** The bytes; the keyboard goes here. */
  get hex(): Locator {
    return this.frame.getByRole('grid', { name: 'Bytes of the image' });
  }

  byte(offset: number): Locator {
    return this.frame.locator(`#byte-${offset}`);
  }

  get owner(): Locator {
    return this.frame.locator('fsimg-owner-line');
  }

  get searchField(): Locator {
    return this.frame.locator('.search input');
  }

  get searchState(): Locator {
    return this.frame.locator('.search-state');
  }

  /** What the bytes at the selection say, taken for a kind of value. */
  value(kind: string): Locator {
    return this.frame
      .getByRole('table', { name: 'Values at the first selected byte' })
      .getByRole('row')
      .filter({ has: this.frame.getByRole('rowheader', { name: kind, exact: true }) });
  }

  /** Where the selected bytes begin and end in the image, as far as they are in sight. */
  async selected(): Promise<[first: number, last: number] | null> {
    const offsets = await this.hex
      .locator('[role=gridcell][aria-selected=true]')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('data-at'))));
    return offsets.length === 0 ? null : [Math.min(...offsets), Math.max(...offsets)];
  }

  /** Waits until these bytes are selected. */
  async selects(first: number, last = first): Promise<void> {
    await expect.poll(() => this.selected(), { timeout: 20_000 }).toEqual([first, last]);
  }
}

/** The question of "Go to…", which is or will be open. */
export class GoTo {
  constructor(private readonly vscode: VSCode) {}

  static async open(vscode: VSCode): Promise<GoTo> {
    await vscode.palette('Filesystem Image: Go to…');
    await vscode.page.locator('.quick-input-title').getByText('Go to…').waitFor();
    return new GoTo(vscode);
  }

  /** Types a place and waits until the question says what it means, or what is wrong with it. */
  async type(text: string, says: string | RegExp): Promise<this> {
    await this.vscode.quickInput().fill(text);
    await this.vscode.page.locator('.quick-input-message').getByText(says).waitFor();
    return this;
  }

  async accept(): Promise<void> {
    await this.vscode.quickInput().press('Enter');
    await this.vscode.quickInput().waitFor({ state: 'hidden' });
  }

  async cancel(): Promise<void> {
    await this.vscode.quickInput().press('Escape');
    await this.vscode.quickInput().waitFor({ state: 'hidden' });
  }
}
