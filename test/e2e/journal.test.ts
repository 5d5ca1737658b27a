import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InspectorPage } from './support/inspector';
import { withVSCode } from './support/with-vscode';

const blockSize = 1024;

/** An ext3 image whose journal holds a root directory in which `before.txt` is `after_.txt`. */
function makePending(folder: string): void {
  const image = join(folder, 'pending.img');
  const block = join(folder, 'block');
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const run = (tool: string, args: string[], input?: string) =>
    execFileSync(tool, args, { env, input, stdio: ['pipe', 'pipe', 'pipe'] }).toString();
  writeFileSync(block, 'content');
  run('mke2fs', ['-q', '-t', 'ext3', '-O', '^resize_inode', '-b', String(blockSize), image, '8M']);
  run('debugfs', ['-w', '-R', `write ${block} before.txt`, image]);
  const root = Number(run('debugfs', ['-R', 'bmap <2> 0', image]));
  const file = openSync(image, 'r');
  const directory = Buffer.alloc(blockSize);
  readSync(file, directory, 0, blockSize, root * blockSize);
  closeSync(file);
  directory.write('after_', directory.indexOf('before'));
  writeFileSync(block, directory);
  run('debugfs', ['-w', '-f', '-', image], `jo\njw -b ${root} ${block}\njc\n`);
  rmSync(block);
}

const window = withVSCode({ prepare: makePending });

it('an image that needs recovery is shown as it is, or as after it, and never written', async () => {
  const { vscode, folder } = window;
  const bytes = readFileSync(join(folder, 'pending.img'));
  await vscode.openCustom('pending.img');
  const inspector = new InspectorPage(vscode.webview());
  await inspector.row('before.txt').waitFor();
  await inspector.says(/changes that are not yet in their places/);

  const toggle = inspector.frame.getByText('After journal replay');
  await toggle.click();
  await inspector.row('after_.txt').waitFor();
  await vscode.palette('Filesystem Image: Show Before or After Journal Replay');
  await inspector.row('before.txt').waitFor();
  expect(readFileSync(join(folder, 'pending.img')).equals(bytes)).toBe(true);
});
