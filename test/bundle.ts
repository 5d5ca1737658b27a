import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** A folder that is gone when the test file has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fsimg-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Bundles a program for Node as the build does, beside nothing that others use. */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, 'program.js');
  // The library that calls the operating system is not bundled.
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(join(root, 'node_modules'), packages, 'junction');
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
