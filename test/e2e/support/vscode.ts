import type {
  ConsoleMessage,
  FrameLocator,
  Locator,
  Page,
  Request,
} from '../../vscode/browser.mjs';
import { expect } from 'vitest';
import { webview, workbench } from '../../vscode/browser.mjs';
import { extensionsReady } from '../../vscode/host.mjs';

/** How long anything may take, and how long a whole window; both in milliseconds, under load. */
const patience = 20_000;
const loadingPatience = 90_000;

/** How long the input box of a file dialog stays the same when it is at rest; milliseconds. */
const settling = 250;

/** VS Code in a browser writes down its open editors and backups every five seconds when idle. */
const stateIsKept = 8_000;

/** What this build of VS Code says on every start, because parts are left out of it on purpose. */
const knownErrors = [
  /\/favicon[\w-]*\.\w+$/,
  /\/vsda\//,
  /\/update\/check$/,
  /serviceWorker\.js|bad HTTP response code \(404\) was received when fetching the script/,
  // What it still had to log when its window was loaded anew.
  /Unable to write file 'vscode-log:.*IndexedDB database 'vscode-web-db' is closed/,
  // A backup that a further change or a save has overtaken.
  /ERR color: #f33 Canceled: Canceled\s/,
  /Long running operations during shutdown are unsupported in the web/,
];

/** Whether an address is answered on this machine. */
function isLocal({ protocol, hostname }: URL): boolean {
  if (!/^(http|ws)s?:$/.test(protocol)) return true;
  // What a webview takes from its extension; the service worker of the window answers it.
  if (hostname.endsWith('.vscode-resource.vscode-cdn.net')) return true;
  return ['127.0.0.1', 'localhost'].includes(hostname);
}

/** A VS Code window in a browser, as a person would handle it. */
export class VSCode {
  /** Errors on the console, of the window, its webviews and its extensions, since the start. */
  readonly consoleErrors: string[] = [];

  /** Addresses outside of this machine that anything in the window has asked for. */
  readonly externalRequests: string[] = [];

  constructor(readonly page: Page) {
    page.setDefaultTimeout(patience);
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') this.noteError(message.text(), message.location().url);
    });
    page.on('pageerror', (error: Error) => this.noteError(error.message));
    page.on('request', (request: Request) => {
      if (!isLocal(new URL(request.url()))) this.externalRequests.push(request.url());
    });
    // Leaving a window with unsaved changes asks the person whether to.
    page.on('dialog', (dialog) => void dialog.accept());
  }

  /** Opens a window; resolves when all extensions are registered. */
  async open(url: string): Promise<void> {
    await this.whileLoading(() =>
      this.page.goto(url, { waitUntil: 'commit', timeout: loadingPatience }),
    );
  }

  /**
   * Reloads the window as a person would who has not just done something else; resolves when all
   * extensions are registered again.
   */
  async reload(): Promise<void> {
    await this.page.waitForTimeout(stateIsKept);
    await this.whileLoading(() =>
      this.page.reload({ waitUntil: 'commit', timeout: loadingPatience }),
    );
  }

  /**
   * Does what makes the window load anew, such as adding a second folder, and waits for it. Only
   * then does VS Code know which editor a file opens in: before, a custom editor loses to the
   * "binary file" page.
   */
  async whileLoading(action: () => Promise<unknown>): Promise<void> {
    await Promise.all([
      this.page.waitForEvent('console', {
        predicate: (message: ConsoleMessage) => message.text().includes(extensionsReady),
        timeout: loadingPatience,
      }),
      action(),
    ]);
    await this.page.locator(workbench).waitFor({ timeout: loadingPatience });
  }

  /** A file or folder in the explorer, by its name. */
  file(name: string): Locator {
    return this.page
      .locator('.explorer-folders-view')
      .getByRole('treeitem')
      .filter({ has: this.page.locator('.label-name').getByText(name, { exact: true }) });
  }

  /** Opens a file of the explorer and waits until its custom editor shows. */
  async openCustom(name: string): Promise<void> {
    await this.file(name).dblclick();
    await this.activeTab(name).waitFor();
    const shown = this.page.locator('iframe.webview.ready').filter({ visible: true }).last();
    const refused = this.page.locator('.monaco-editor-pane-placeholder').first();
    await shown.or(refused).first().waitFor();
    if (await refused.isVisible()) {
      throw new Error(`${name} did not open in a custom editor: ${await refused.innerText()}`);
    }
  }

  /** The tab of an open editor, by the name of its file. */
  tab(name: string): Locator {
    return this.page.locator(`.tab[data-resource-name=${JSON.stringify(name)}]`);
  }

  /** The same, only while it is the one that shows. */
  activeTab(name: string): Locator {
    return this.page.locator(`.tab.active[data-resource-name=${JSON.stringify(name)}]`);
  }

  /** The same, only while its editor has unsaved changes. */
  dirtyTab(name: string): Locator {
    return this.page.locator(`.tab.dirty[data-resource-name=${JSON.stringify(name)}]`);
  }

  /** The content of a shown webview, counted in the order in which they were made. */
  webview(index = 0): FrameLocator {
    return webview(this.page, index);
  }

  /** Runs a command of the palette by its full title, such as `File: Save`. */
  async palette(title: string): Promise<void> {
    // Through the title bar: a webview that has the focus keeps F1 to itself.
    const type = async () => {
      await this.page.locator('.command-center .command-center-quick-pick').first().click();
      await this.quickInput().fill(`>${title}`, { timeout: 4000 });
    };
    // What has just been shown anew may take the focus, and the palette closes with that.
    await type().catch(type);
    await this.quickRow(title).click();
    await this.quickRow(title).waitFor({ state: 'hidden' });
  }

  /** The input box of the palette, of a quick pick, or of an extension's question. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget input[type=text]').first();
  }

  /** A row of the palette or of a quick pick, by its full label. */
  quickRow(label: string): Locator {
    const quoted = JSON.stringify(label).slice(1, -1);
    return this.page
      .locator('.quick-input-list')
      .locator(
        `.monaco-list-row[aria-label="${quoted}"], .monaco-list-row[aria-label^="${quoted},"]`,
      )
      .first();
  }

  /** Chooses a row of a quick pick that is or will be open. */
  async choose(label: string): Promise<void> {
    await this.quickRow(label).click();
  }

  /** Answers an input box that is or will be open. */
  async enter(text: string): Promise<void> {
    await this.quickInput().fill(text);
    await this.quickInput().press('Enter');
  }

  /**
   * Answers VS Code's own file dialog, for opening or saving, with an absolute path.
   *
   * @param options.accept The label of its button.
   * @param options.overwrite Whether it is going to ask if an existing file may be replaced.
   */
  async chooseFile(path: string, { overwrite = false, accept: name = 'OK' } = {}): Promise<void> {
    const dialog = this.page.locator('.quick-input-widget');
    const accept = dialog.getByRole('button', { name, exact: true });
    await accept.waitFor();
    await this.fillSettled(path);
    await accept.click();
    if (overwrite) {
      await dialog.locator('.quick-input-title').getByText('already exists').waitFor();
      await accept.click();
    }
    // A folder is entered by the first press and chosen by the second.
    await expect
      .poll(async () => !(await accept.isVisible()) || (await this.quickInput().inputValue()), {
        timeout: patience,
      })
      .toSatisfy((value) => value === true || value === `${path}/`);
    if (await accept.isVisible()) await accept.click();
    await accept.waitFor({ state: 'hidden' });
  }

  /** Opens the context menu of something and chooses an item, through submenus where several. */
  async contextMenu(target: Locator, ...items: string[]): Promise<void> {
    await target.click({ button: 'right' });
    for (const item of items) {
      const entry = this.menuItem(item);
      await entry.waitFor();
      // A menu takes no click in its first moments, so that the press that opened it chooses nothing.
      await this.page.waitForTimeout(300);
      await entry.hover();
      await entry.click();
    }
    await this.page.locator('.monaco-menu').first().waitFor({ state: 'detached' });
  }

  /** An item of the open menu. */
  menuItem(label: string): Locator {
    return this.page
      .locator('.monaco-menu .action-item')
      .filter({ has: this.page.locator('.action-label').getByText(label, { exact: true }) })
      .first();
  }

  /** Presses a button of the modal dialog that is or will be open; returns what it asked. */
  async answer(button: string): Promise<string> {
    const dialog = this.page.locator('.monaco-dialog-box');
    const message = await dialog.locator('.dialog-message-container').innerText();
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    return message;
  }

  /** A notification that shows a text; its buttons are `getByRole('button')` inside. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-list-item').filter({ hasText: text }).first();
  }

  /** The text on the clipboard; a command that fills it may take a moment after its choice. */
  async clipboard(): Promise<string> {
    return String(await this.page.evaluate('navigator.clipboard.readText()'));
  }

  /**
   * Fills the input box of a file dialog. The dialog writes into it by itself, some time after it
   * has opened and after each look at a folder, so this waits until what was filled in stays.
   */
  private async fillSettled(text: string): Promise<void> {
    for (let waited = 0; waited < patience;) {
      const before = await this.quickInput().inputValue();
      await this.page.waitForTimeout(settling);
      waited += settling;
      const after = await this.quickInput().inputValue();
      if (after === '' || after !== before) continue;
      if (after === text) return;
      await this.quickInput().fill(text);
    }
    throw new Error(`The file dialog does not keep the path ${text}`);
  }

  private noteError(text: string, address = ''): void {
    if (knownErrors.some((known) => known.test(text) || known.test(address))) return;
    this.consoleErrors.push(address ? `${text} (${address})` : text);
  }
}
