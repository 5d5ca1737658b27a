/**
 * The programs of the system that tests compare with or drive: found, or installed where that needs
 * no question.
 *
 *   node test/vscode/system-tools.mjs chromium e2fsprogs dosfstools mtools
 *
 * Imports nothing that npm installs, so that it runs on a fresh clone.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { argv, env, platform } from 'node:process';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Tool
 * @property {() => string[]} missing The programs of it that are not there.
 * @property {string[]} brew What to give to `brew install`.
 */

/** Each by the name of its Debian package. @type {Record<string, Tool>} */
const tools = {
  chromium: {
    missing: () => (findChromium() ? [] : ['chromium']),
    brew: ['--cask', 'chromium'],
  },
  e2fsprogs: {
    missing: () => missingPrograms('mke2fs', 'e2fsck', 'debugfs', 'dumpe2fs'),
    brew: ['e2fsprogs'],
  },
  dosfstools: {
    missing: () => missingPrograms('mkfs.fat', 'fsck.fat'),
    brew: ['dosfstools'],
  },
  mtools: {
    missing: () => missingPrograms('mcopy', 'mdir', 'minfo'),
    brew: ['mtools'],
  },
  fdisk: {
    missing: () => missingPrograms('sfdisk'),
    brew: ['util-linux'],
  },
};

/** Folders that hold such programs and that a user's PATH may lack: Debian's, then Homebrew's. */
const programFolders = [
  ...['/usr/sbin', '/sbin', '/opt/homebrew/sbin', '/usr/local/sbin'],
  ...['/opt/homebrew/opt/e2fsprogs', '/usr/local/opt/e2fsprogs'].flatMap((folder) => [
    `${folder}/bin`,
    `${folder}/sbin`,
  ]),
];

const chromiumCommands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chromium-headless-shell',
];

const chromiumApplications = {
  darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    folder
      ? [
          join(folder, 'Chromium/Application/chrome.exe'),
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]
      : [],
  ),
};

/** Makes system programs reachable by name for this process and those that it starts. */
export function extendPath() {
  if (platform === 'win32') return;
  const folders = (env['PATH'] ?? '').split(delimiter);
  env['PATH'] = [...folders, ...programFolders.filter((folder) => !folders.includes(folder))].join(
    delimiter,
  );
}

/**
 * A browser of the Chromium family: the one that `CHROMIUM` names, else one in the usual places.
 *
 * @returns {string | undefined} Its absolute path.
 * @throws {Error} in one line, when `CHROMIUM` names no program.
 */
export function findChromium() {
  const chosen = env['CHROMIUM'];
  if (chosen && !isProgram(chosen)) throw new Error(`CHROMIUM names no program: ${chosen}`);
  if (chosen) return chosen;
  const applications =
    platform === 'darwin' || platform === 'win32' ? chromiumApplications[platform] : [];
  return chromiumCommands.map(findProgram).find(Boolean) ?? applications.find(isProgram);
}

/**
 * Sees to it that all the named tools are there, and installs what is missing through apt-get (as
 * root, or with a sudo that asks nothing) or Homebrew.
 *
 * @param {string[]} names
 * @param {(line: string) => void} [report] Is told before an installation starts.
 * @throws {Error} in one line, which says what to install by hand.
 */
export function ensureTools(names, report = () => undefined) {
  extendPath();
  const unknown = names.filter((name) => !Object.hasOwn(tools, name));
  if (unknown.length > 0) {
    throw new Error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(tools).join(', ')}.`);
  }
  const missing = names.filter((name) => tools[name]?.missing().length);
  if (missing.length === 0) return;
  const problem = install(missing, report);
  const left = missing.filter((name) => tools[name]?.missing().length);
  if (left.length === 0) return;
  const programs = left.flatMap((name) => tools[name]?.missing() ?? []);
  throw new Error(
    `Please install ${left.join(' ')} (missing here: ${programs.join(', ')}; ${problem}).`,
  );
}

/**
 * @param {string[]} names
 * @param {(line: string) => void} report
 * @returns {string} Why something may still be missing.
 */
function install(names, report) {
  if (findProgram('apt-get')) {
    const prefix = rootPrefix();
    if (!prefix) return 'apt-get needs root here';
    report(`Installing ${names.join(', ')} with apt-get…`);
    const apt = [...prefix, 'apt-get', '-y', '-o', 'DPkg::Lock::Timeout=120'];
    return (
      run([...apt, 'update']) ??
      run([...apt, 'install', '--no-install-recommends', ...names]) ??
      'apt-get has installed them, but not where this looks'
    );
  }
  if (findProgram('brew')) {
    report(`Installing ${names.join(', ')} with Homebrew…`);
    const problems = names.map((name) => run(['brew', 'install', ...(tools[name]?.brew ?? [])]));
    return problems.find(Boolean) ?? 'Homebrew has installed them, but not where this looks';
  }
  return 'there is neither apt-get nor Homebrew to do it';
}

/** What must stand before a command so that it runs as root; undefined when nothing does it. */
function rootPrefix() {
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  if (process.getuid?.() === 0) return environment;
  // -n: never asks for a password.
  const sudo = findProgram('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0;
  return sudo ? ['sudo', '-n', ...environment] : undefined;
}

/**
 * @param {string[]} command
 * @returns {string | undefined} Why it failed, in one line.
 */
function run([program = '', ...parameters]) {
  const result = spawnSync(program, parameters, { encoding: 'utf8' });
  if (result.status === 0) return undefined;
  const lastLine = result.stderr?.trim().split('\n').at(-1);
  return lastLine || `${program} could not do it`;
}

/** @param {string[]} names */
function missingPrograms(...names) {
  return names.filter((name) => !findProgram(name));
}

/**
 * @param {string} name
 * @returns {string | undefined}
 */
function findProgram(name) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const file = platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  try {
    ensureTools(argv.slice(2), (line) => console.log(line));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
