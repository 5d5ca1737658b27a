import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../bundle';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
/** What is no source, and would make the copy slow. */
const leftOut = ['node_modules', 'dist', 'coverage', 'test-results', '.git', '.vscode-host'];

/** The names in a zip archive, as its central directory has them (APPNOTE.TXT, 4.3.12). */
function namesIn(archive: Buffer): string[] {
  const names: string[] = [];
  const entryHeader = Buffer.from('PK\x01\x02', 'latin1');
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  while (names.length < count) {
    expect(archive.subarray(at, at + 4)).toEqual(entryHeader);
    const nameLength = archive.readUInt16LE(at + 28);
    const extraLength = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    names.push(archive.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + extraLength;
  }
  return names;
}

let names: string[];
let archive: Buffer;

// In a copy: other tests run on the build that is there.
beforeAll(() => {
  cpSync(root, folder, {
    recursive: true,
    filter: (source) => !leftOut.includes(basename(source)) && !source.endsWith('.vsix'),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, 'notes'));
  for (const stray of ['.env', 'notes/private.md', 'media/draft.png', 'stray.js']) {
    writeFileSync(join(folder, stray), 'must not be shipped');
  }
  const shell = process.platform === 'win32';
  const made = spawnSync('npm', ['run', 'package'], { cwd: folder, encoding: 'utf8', shell });
  expect(made.status, made.stdout + made.stderr).toBe(0);
  archive = readFileSync(join(folder, 'filesystem-image-inspector.vsix'));
  names = namesIn(archive);
});

/** What calls the operating system, with the machine code for where this runs. */
const machineCode = readdirSync(join(root, 'node_modules/@koromix'), { recursive: true })
  .map((name) => join('@koromix', String(name)))
  .filter((name) => /\.\w+$/.test(name));
const nativeLibrary = [
  'koffi/package.json',
  'koffi/LICENSE.txt',
  'koffi/index.cjs',
  'koffi/src/koffi/index.cjs',
  'koffi/src/koffi/src/static.cjs',
  ...machineCode,
].map((name) => `dist/node_modules/${name.replaceAll('\\', '/')}`);

/** The style sheets that the page's own one takes together. */
const styles = [
  'checks.css',
  'files.css',
  'panel.css',
  'records.css',
  'space.css',
  'structures.css',
  'table.css',
];

it('has the style sheets that the page asks for', () => {
  const sheet = readFileSync(join(root, 'media/inspector.css'), 'utf8');
  const imports = [...sheet.matchAll(/@import url\('(.+?)'\)/g)].map(([, name]) => name);
  expect(imports.sort()).toEqual(styles);
});

it('holds what runs, what a person reads about it, and nothing else', () => {
  expect(names.sort()).toEqual(
    [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      ...[
        'LICENSE.txt',
        'changelog.md',
        'readme.md',
        'package.json',
        'package.nls.json',
        'dist/cli.js',
        'dist/codicon.css',
        'dist/codicon.ttf',
        'dist/extension.js',
        ...nativeLibrary,
        'dist/webview.js',
        'dist/worker.js',
        'media/icon.png',
        'media/inspector.css',
        ...styles.map((style) => `media/${style}`),
        'media/walkthrough/find.md',
        'media/walkthrough/open.md',
        'media/walkthrough/take.md',
      ].map((file) => `extension/${file}`),
    ].sort(),
  );
});

it('is small', () => {
  expect(archive.length).toBeLessThan(2 * 1024 * 1024);
});
