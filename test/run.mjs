/**
 * `npm test`: brings packages and system tools, builds, and runs every check there is. Ends with
 * one line `N passed, N failed` over all of them, and exit 0 when nothing failed.
 * Imports nothing that npm installs, so that it runs on a fresh clone.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './vscode/install.mjs';
import { ensureTools } from './vscode/system-tools.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reports = join(root, 'test-results');

/** Runs one of package.json's scripts in the open. @returns whether it passed */
function script(...parameters) {
  const shell = process.platform === 'win32';
  return (
    spawnSync('npm', ['run', ...parameters], { cwd: root, stdio: 'inherit', shell }).status === 0
  );
}

/** Runs a test suite and counts its tests; a suite that cannot even report is one failure. */
function suite(name) {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const passed = script(`test:${name}`, '--', ...options);
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const failed = numFailedTests + (numFailedTests === 0 && numFailedTestSuites > 0 ? 1 : 0);
    return { passed: numPassedTests, failed: failed || (passed ? 0 : 1) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const check = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });

mkdirSync(reports, { recursive: true });
try {
  await installPackages([root, join(root, 'test/vscode')], console.log);
  ensureTools(['chromium', 'e2fsprogs', 'dosfstools', 'mtools', 'fdisk'], console.log);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const results = [
  check(script('build')),
  check(script('typecheck')),
  check(script('lint')),
  suite('unit'),
  suite('oracle'),
  suite('e2e'),
];
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
