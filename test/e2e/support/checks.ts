import type { FrameLocator, Locator } from '../../vscode/browser.mjs';

/** The checks view inside a webview, by what a person reads in it. */
export class ChecksPage {
  constructor(readonly frame: FrameLocator) {}

  get tab(): Locator {
    return this.frame.getByRole('tab', { name: 'Checks' });
  }

  get list(): Locator {
    return this.frame.getByRole('treegrid', { name: 'Findings' });
  }

  get rows(): Locator {
    return this.list.locator('[role=row][data-index]');
  }

  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  get panel(): Locator {
    return this.frame.getByRole('region', { name: 'Selected finding' });
  }

  get filter(): Locator {
    return this.frame.locator('fsimg-checks .filter input');
  }

  severity(name: RegExp): Locator {
    return this.frame.locator('fsimg-checks').getByRole('button', { name });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** What is said in place of the list. */
  message(text: string | RegExp): Locator {
    return this.frame.locator('fsimg-checks .message').getByText(text);
  }
}
