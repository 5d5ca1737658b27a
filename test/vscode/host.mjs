/**
 * Runs real VS Code on this machine: the server inside the code-server package, started directly,
 * and a browser as its window. The outer server of code-server is never started.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const server = join(here, 'node_modules/code-server/lib/vscode');

/** The root of this repository, which is the extension that the host runs from source. */
export const repository = resolve(here, '../..');

/** What the companion extension says on the console once all extensions are registered. */
export const extensionsReady = 'host companion: extensions are ready';

/**
 * @typedef {object} HostOptions
 * @property {string} folder The folder that VS Code opens; absolute.
 * @property {string} data Where the server keeps settings, logs and extensions; absolute.
 * @property {string} [extension] The unpacked extension to run; by default this repository.
 * @property {string} [openAtStart] A file in the folder that is opened, by the editor that VS Code
 *   chooses for it, as soon as all extensions are registered and no editor is open; absolute.
 * @property {Record<string, unknown>} [settings] User settings on top of `settings.json`.
 * @property {Record<string, string>} [environment] Variables of the server and its extension host.
 * @property {number} [port] 0 lets the system choose one.
 * @property {boolean} [endWhenUnused] The server ends by itself five minutes after its last window
 *   has gone, in case nobody lived to end it.
 */

/**
 * @typedef {object} AddressOptions
 * @property {[name: string, path: string][]} [payload] More of what VS Code is told at start, each
 *   with an absolute path on the host: `openFile`, `extensionTestsPath`, …
 */

/**
 * @typedef {object} Host
 * @property {(options?: AddressOptions) => string} url The address of a VS Code window.
 * @property {() => Promise<void>} stop Ends the server and all its processes.
 * @property {Promise<string>} ended Settles when the server has ended, with the last it had to say.
 */

/**
 * Starts the server and resolves once it listens.
 *
 * @param {HostOptions} options
 * @returns {Promise<Host>}
 * @throws {Error} in one line, when the host is not installed or the server ends early.
 */
export async function startHost(options) {
  if (!existsSync(join(server, 'out/server-main.js'))) {
    throw new Error('VS Code is not installed: run "npm ci" in test/vscode.');
  }
  linkModules();
  shareOneServiceWorker();
  prepareData(options);

  const token = randomBytes(16).toString('hex');
  const child = spawn(process.execPath, serverArguments(options, token), {
    // A group of its own, so that ending it reaches extension hosts and watchers too.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...options.environment,
      // No extension gallery: nothing is looked up outside of this machine.
      EXTENSIONS_GALLERY: '{}',
      HOST_OPEN_AT_START: options.openAtStart ? hostPath(options.openAtStart) : '',
    },
  });
  const endNow = () => endGroup(child, 'SIGKILL');
  process.once('exit', endNow);
  const output = collectOutput(child);
  const ended = output.last.finally(() => process.off('exit', endNow));
  const port = await Promise.race([output.port, ended]);
  if (typeof port === 'string') throw new Error(`The VS Code server did not start: ${port}`);
  return {
    ended,
    url: (address = {}) => windowAddress(options, port, token, address),
    stop: async () => {
      endGroup(child, 'SIGTERM');
      const impatience = setTimeout(endNow, 5000);
      await ended;
      clearTimeout(impatience);
      // The server can be gone before its extension host is.
      endNow();
    },
  };
}

/** VS Code looks for its dependencies beside itself; npm has put them into our folder. */
function linkModules() {
  try {
    symlinkSync(join(here, 'node_modules'), join(server, 'node_modules'), 'junction');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

/**
 * In this release every webview registers a service worker of its own in the one scope they all
 * share, so two that load at once can stay blank. One worker address for all avoids that; the page's
 * content security policy names the hash of its script, which is renewed.
 */
function shareOneServiceWorker() {
  const file = join(server, 'out/vs/workbench/contrib/webview/browser/pre/index.html');
  const page = readFileSync(file, 'utf8');
  const changed = page.replace('&id=${ID}&remoteAuthority', '&remoteAuthority');
  if (changed === page) return;
  // Renamed into place, since several hosts may start at once.
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, changed.replace(scriptHash(page), scriptHash(changed)));
  renameSync(temporary, file);
}

/** @param {string} page */
function scriptHash(page) {
  const script = /<script[^>]*>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/**
 * Where the window finds the extension: a link beside the data. By its own path it would hold our
 * server, and VS Code switches to a colour theme that it finds inside of the extension under
 * development, which the built-in ones then are.
 *
 * @param {HostOptions} options
 */
function extensionLink({ data }) {
  return join(data, 'extension');
}

/** @param {HostOptions} options */
function prepareData(options) {
  const { data, extension = repository, settings = {} } = options;
  const user = join(data, 'data/User');
  mkdirSync(user, { recursive: true });
  mkdirSync(join(data, 'data/logs'), { recursive: true });
  const file = join(user, 'settings.json');
  // What a person has set in this host before stays.
  if (!existsSync(file)) {
    const defaults = JSON.parse(readFileSync(join(here, 'settings.json'), 'utf8'));
    writeFileSync(file, JSON.stringify({ ...defaults, ...settings }, undefined, 2));
  }
  rmSync(extensionLink(options), { force: true });
  symlinkSync(extension, extensionLink(options), 'junction');

  const companion = join(data, 'extensions/vscode-host.companion-1.0.0');
  mkdirSync(companion, { recursive: true });
  for (const name of ['package.json', 'companion.cjs']) {
    copyFileSync(join(here, 'companion', name), join(companion, name));
  }
  // The server knows the extensions that this list names, and makes the list anew from the folder.
  rmSync(join(data, 'extensions/extensions.json'), { force: true });
}

/**
 * @param {HostOptions} options
 * @param {string} token
 */
function serverArguments({ data, port = 0, endWhenUnused = false }, token) {
  return [
    join(server, 'out/server-main.js'),
    ...['--host', '127.0.0.1'],
    ...['--port', String(port)],
    ...['--connection-token', token],
    ...['--telemetry-level', 'off'],
    ...['--server-data-dir', data],
    ...['--user-data-dir', join(data, 'data')],
    ...['--extensions-dir', join(data, 'extensions')],
    '--accept-server-license-terms',
    ...(endWhenUnused ? ['--enable-remote-auto-shutdown'] : []),
  ];
}

/**
 * Reads all that the server prints, since a full pipe would stop it.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {{ port: Promise<number>; last: Promise<string> }} The port it listens on, once it does;
 *   and when it has ended, the line that says why, or else its last.
 */
function collectOutput(child) {
  let output = '';
  /** @type {Promise<number>} */
  const port = new Promise((resolve) => {
    const read = (/** @type {Buffer} */ chunk) => {
      output = `${output}${chunk}`.slice(-65536);
      const found = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
  /** @type {Promise<string>} */
  const last = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => {
      const lines = output.trim().split('\n');
      resolve(lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '');
    });
  });
  return { port, last };
}

/**
 * @param {HostOptions} options
 * @param {number} port
 * @param {string} token
 * @param {AddressOptions} address
 */
function windowAddress(options, port, token, { payload = [] }) {
  const authority = `127.0.0.1:${port}`;
  /** @type {[name: string, path: string][]} */
  const paths = [['extensionDevelopmentPath', extensionLink(options)], ...payload];
  const url = new URL(`http://${authority}/`);
  url.searchParams.set('tkn', token);
  url.searchParams.set('folder', hostPath(options.folder));
  url.searchParams.set(
    'payload',
    JSON.stringify(
      paths.map(([name, path]) => [name, `vscode-remote://${authority}${hostPath(path)}`]),
    ),
  );
  return url.href;
}

/**
 * A path as VS Code writes it in a URI: `/C:/folder` on Windows.
 *
 * @param {string} path
 */
function hostPath(path) {
  return process.platform === 'win32' ? decodeURI(pathToFileURL(path).pathname) : path;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  if (!child.pid) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nobody of the group is left.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
