import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser } from '../../vscode/browser.mjs';
import { launchBrowser } from '../../vscode/browser.mjs';
import type { Host } from '../../vscode/host.mjs';
import { repository, startHost } from '../../vscode/host.mjs';
import { VSCode } from './vscode';

export interface WindowOptions {
  /** Fills the folder that VS Code is going to open. */
  prepare?: (folder: string) => Promise<void> | void;
  /** User settings on top of `test/vscode/settings.json`. */
  settings?: Record<string, unknown>;
  /** Variables of the environment that its extensions run in. */
  environment?: Record<string, string>;
  /** The unpacked extension to run; by default this repository. */
  extension?: string;
}

/** A running VS Code; its members may be used inside of tests and hooks. */
export interface Window {
  readonly vscode: VSCode;
  /** The folder that it has open; absolute. */
  readonly folder: string;
}

/**
 * Gives all tests of a file one VS Code window, on a folder and with settings of their own. When a
 * test fails, a picture of the window and what was on its console go to `test-results/`.
 */
export function withVSCode(options: WindowOptions = {}): Window {
  let root: string | undefined;
  let host: Host | undefined;
  let browser: Browser | undefined;
  let vscode: VSCode | undefined;

  const folder = () => join(started(root), 'workspace');
  const keepEvidence = async (moment: string) => {
    if (!vscode) return;
    const results = join(repository, 'test-results');
    const test = `${basename(expect.getState().testPath ?? '')} ${moment}`;
    const file = join(results, test.replace(/[^\w.-]+/g, '-'));
    mkdirSync(results, { recursive: true });
    writeFileSync(`${file}.log`, vscode.consoleErrors.join('\n'));
    await vscode.page.screenshot({ path: `${file}.png` });
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'vscode-e2e-'));
    mkdirSync(folder());
    await options.prepare?.(folder());
    host = await startHost({
      folder: folder(),
      data: join(root, 'data'),
      settings: options.settings,
      environment: options.environment,
      extension: options.extension,
      endWhenUnused: true,
    });
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    vscode = new VSCode(await context.newPage());
    try {
      await vscode.open(host.url());
    } catch (error) {
      await keepEvidence('start');
      throw error;
    }
  }, 180_000);

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await keepEvidence(task.name);
    // A dialog or menu that it left open must not fail the tests after it.
    await vscode?.page.keyboard.press('Escape');
  });

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    if (root) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    get vscode() {
      return started(vscode);
    },
    get folder() {
      return folder();
    },
  };
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('VS Code has not been started yet.');
  return value;
}
