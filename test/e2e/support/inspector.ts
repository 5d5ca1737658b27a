import type { FrameLocator, Locator } from '../../vscode/browser.mjs';
import { expect } from 'vitest';

/** The inspector inside a webview, by what a person reads in it. */
export class InspectorPage {
  constructor(readonly frame: FrameLocator) {}

  get grid(): Locator {
    return this.frame.locator('[role=grid]').first();
  }

  /** The rows that exist; only what is in sight does. */
  get rows(): Locator {
    return this.grid.locator('[role=row][data-index]:not(.waiting)');
  }

  row(name: string): Locator {
    return this.rows.filter({ has: this.frame.getByText(name, { exact: true }) }).first();
  }

  /** The names in sight, from the top. */
  async names(): Promise<string[]> {
    const rows = await this.rows.evaluateAll((elements) =>
      elements
        .map((element) => ({
          index: Number(element.getAttribute('data-index')),
          name: element.querySelector('.cell.name')?.textContent ?? '',
        }))
        .sort((a, b) => a.index - b.index),
    );
    return rows.map(({ name }) => name.trim());
  }

  async enter(...names: string[]): Promise<void> {
    for (const name of names) await this.row(name).dblclick();
  }

  async sortBy(column: string): Promise<void> {
    await this.grid.getByRole('columnheader', { name: column }).getByRole('button').click();
  }

  get filter(): Locator {
    return this.frame.locator('.filter input');
  }

  get breadcrumb(): Locator {
    return this.frame.locator('fsimg-breadcrumb');
  }

  get panel(): Locator {
    return this.frame.locator('fsimg-selected-panel');
  }

  /** Waits until a text is somewhere in the inspector. */
  async says(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor();
  }

  /** Waits until the names in sight are these, in this order. */
  async shows(names: string[]): Promise<void> {
    await expect.poll(() => this.names(), { timeout: 20_000 }).toEqual(names);
  }
}
