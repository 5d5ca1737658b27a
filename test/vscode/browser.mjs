/** A Chromium without a window, for driving VS Code. */
import { chromium } from 'playwright-core';
import { findChromium } from './system-tools.mjs';

/**
 * The types of what drives the browser, for those outside of this package.
 *
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('playwright-core').ConsoleMessage} ConsoleMessage
 * @typedef {import('playwright-core').Dialog} Dialog
 * @typedef {import('playwright-core').FrameLocator} FrameLocator
 * @typedef {import('playwright-core').Locator} Locator
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').Request} Request
 */

/** The workbench, once it has its colours; it stands there in others a second before. */
export const workbench = '.monaco-workbench[class*="vscode-theme-"]';

/**
 * The content of a webview that is shown, such as a custom editor.
 *
 * @param {Page} page
 * @param {number} [index] In the order in which the webviews were made.
 * @returns {FrameLocator}
 */
export function webview(page, index = 0) {
  return page
    .locator('iframe.webview.ready')
    .filter({ visible: true })
    .nth(index)
    .contentFrame()
    .frameLocator('iframe#active-frame');
}

/**
 * Starts the Chromium of this machine. It reaches this machine only.
 *
 * @returns {Promise<Browser>}
 * @throws {Error} in one line, when there is none.
 */
export async function launchBrowser() {
  const executablePath = findChromium();
  if (!executablePath) {
    throw new Error(
      'No Chromium was found. Run "node test/vscode/system-tools.mjs chromium", or set CHROMIUM to the path of one.',
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      // Its sandbox needs privileges that containers do not have; it shows our own pages only.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
