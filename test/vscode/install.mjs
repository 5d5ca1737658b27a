/** Brings the packages of a folder up to date. Imports nothing that npm installs. */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Runs `npm ci` in each folder whose packages are missing or older than its lock file.
 *
 * @param {string[]} folders
 * @param {(line: string) => void} report Is told before the installation starts.
 * @throws {Error} in one line, with what npm said.
 */
export async function installPackages(folders, report) {
  const stale = folders.filter(isStale);
  if (stale.length === 0) return;
  report('Installing packages…');
  await Promise.all(stale.map((folder) => npm(folder, ['ci'])));
}

/**
 * Runs npm quietly.
 *
 * @param {string} folder
 * @param {string[]} parameters
 * @throws {Error} in one line, with what npm said.
 */
export async function npm(folder, parameters) {
  // The npm that started us, if one did, is the one to use.
  const script = process.env['npm_execpath'] ?? '';
  const known = /^npm.*\.c?js$/.test(basename(script));
  const child = known
    ? spawn(process.execPath, [script, ...parameters], { cwd: folder })
    : spawn('npm', parameters, { cwd: folder, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-65536);
    });
  }
  /** @type {number | null} */
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) {
    throw new Error(`"npm ${parameters.join(' ')}" failed in ${folder}: ${mainLine(output)}`);
  }
}

/** @param {string} folder */
function isStale(folder) {
  // npm writes this file when it has finished.
  const installed = changedAt(join(folder, 'node_modules/.package-lock.json'));
  return installed === undefined || installed < (changedAt(join(folder, 'package-lock.json')) ?? 0);
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * What npm complains of first, else the last line.
 *
 * @param {string} output
 */
function mainLine(output) {
  const lines = output.split('\n').filter((line) => line.trim());
  const complaints = lines
    .map((line) => /^npm (?:error|ERR!) (?!(?:code|errno|syscall|path) )(.+)/.exec(line)?.[1])
    .concat(lines.find((line) => /\berror\b/i.test(line)));
  return (complaints.find(Boolean) ?? lines.at(-1) ?? 'it said nothing').trim();
}
