/**
 * `npm start`: from a fresh clone to VS Code in a browser with the inspector open on a sample image.
 * Needs Node and npm alone; imports nothing that npm installs before it has been installed.
 *
 *   npm start                    opens the person's browser
 *   npm start -- --headless      a browser without a window, and a screenshot; the default where
 *                                there is no display
 *   npm start -- --check         the same, and ends: 0 if the inspector was seen, else 1
 */
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { repository, startHost } from './host.mjs';
import { installPackages, npm } from './install.mjs';
import { unpackSamples } from './samples.mjs';
import { ensureTools } from './system-tools.mjs';

const data = join(repository, '.vscode-host');
const workspace = join(data, 'workspace');
const screenshot = join(data, 'inspector.png');

/** @param {string} line */
const report = (line) => console.log(line);

async function main() {
  const { values } = parseArgs({
    options: { headless: { type: 'boolean' }, check: { type: 'boolean' } },
  });
  const headless = values.check || values.headless || !hasDisplay();

  await installPackages([repository, join(repository, 'test/vscode')], report);
  report('Building…');
  await npm(repository, ['run', 'build']);
  const [sample = ''] = await unpackSamples(join(repository, 'test/samples'), workspace);
  if (headless) ensureTools(['chromium'], report);

  report('Starting VS Code…');
  // The exit of this process ends the server.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0));
  const host = await startHost({ folder: workspace, data, openAtStart: join(workspace, sample) });
  const url = host.url();
  if (headless) {
    await seeInspector(url);
    report(`The inspector is open on ${sample}; see ${relative('', screenshot)}.`);
  } else {
    openBrowser(url);
  }
  if (values.check) return host.stop();

  report(`VS Code shows ${sample} at ${url} until Ctrl+C.`);
  throw new Error(`VS Code has ended: ${await host.ended}`);
}

function hasDisplay() {
  if (process.env['CI']) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/**
 * Opens the window in a browser without a display, and waits until the inspector shows its table.
 *
 * @param {string} url
 */
async function seeInspector(url) {
  // Only here, since it needs what has been installed meanwhile.
  const { launchBrowser, webview, workbench } = await import('./browser.mjs');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(120_000);
    await page.goto(url, { waitUntil: 'commit' });
    const seen = await Promise.all([
      page.locator(workbench).waitFor(),
      webview(page).locator('[role=grid]').first().waitFor(),
    ]).then(
      () => true,
      () => false,
    );
    await page.screenshot({ path: screenshot });
    if (!seen) {
      throw new Error(
        `The inspector did not appear within two minutes; see ${relative('', screenshot)}.`,
      );
    }
  } finally {
    await browser.close();
  }
}

/**
 * Opens an address in the person's own browser.
 *
 * @param {string} url
 */
function openBrowser(url) {
  const [program, ...parameters] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program ?? '', parameters, { stdio: 'ignore', detached: true });
  const apologise = () => report('No browser could be opened from here; please open the address.');
  child.once('error', apologise);
  child.once('exit', (status) => {
    if (status !== 0) apologise();
  });
  child.unref();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
