// Bundles the four programs: extension host, engine worker, command line, webview.
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
};
const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
};
const programs = [
  { ...node, entryPoints: ['src/extension/extension.ts'], outfile: 'dist/extension.js' },
  { ...node, entryPoints: ['src/worker/main.ts'], outfile: 'dist/worker.js' },
  {
    ...node,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.js',
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    ...shared,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    tsconfig: 'webview/tsconfig.json',
    entryPoints: ['webview/main.ts'],
    outfile: 'dist/webview.js',
  },
];

function copyCodicons() {
  const codicons = dirname(createRequire(import.meta.url).resolve('@vscode/codicons/package.json'));
  for (const file of ['codicon.css', 'codicon.ttf']) {
    copyFileSync(join(codicons, 'dist', file), join(root, 'dist', file));
  }
}

/** The library that calls the operating system finds its machine code beside itself: no bundle. */
function copyNativeLibrary() {
  const packages = join(root, 'node_modules');
  const shipped = join(root, 'dist/node_modules');
  for (const file of [
    'package.json',
    'LICENSE.txt',
    'index.cjs',
    'src/koffi/index.cjs',
    'src/koffi/src/static.cjs',
  ]) {
    cpSync(join(packages, 'koffi', file), join(shipped, 'koffi', file));
  }
  // Of the machine code, what npm has installed: that for the processor it was asked for.
  const machineCode = join(packages, '@koromix');
  if (!existsSync(machineCode)) return;
  for (const name of readdirSync(machineCode)) {
    cpSync(join(machineCode, name), join(shipped, '@koromix', name), { recursive: true });
  }
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
if (watch) {
  for (const program of programs) await (await esbuild.context(program)).watch();
} else {
  await Promise.all(programs.map((program) => esbuild.build(program)));
}
copyCodicons();
copyNativeLibrary();
