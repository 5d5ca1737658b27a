import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { repository } from '../vscode/host.mjs';
import { unpackSamples } from '../vscode/samples.mjs';
import { InspectorPage } from './support/inspector';
import { withVSCode } from './support/with-vscode';

const KiB = 1024;

/** How much of a sample is left, and what the inspector must say of the rest. */
const truncated: [name: string, sample: string, length: number, says: RegExp][] = [
  ['fat-before-parameters', 'sample-fat32.img', 10, /No known filesystem/],
  ['fat-in-boot-sector', 'sample-fat32.img', 40, /40 of its 35651584 bytes/],
  ['fat-in-table', 'sample-fat32.img', 64 * KiB, /truncated|are there|missing/i],
  ['fat-in-data', 'sample-fat32.img', 600 * KiB, /truncated|are there|missing/i],
  ['ext2-before-superblock', 'sample-ext2.img', 1000, /No known filesystem|cannot be opened/],
  ['ext2-in-superblock', 'sample-ext2.img', 1536, /are there|missing|cannot be/i],
  ['ext2-in-descriptors', 'sample-ext2.img', 2048, /are there|missing|cannot be/i],
  ['ext2-in-inode-table', 'sample-ext2.img', 70 * KiB, /are there|missing/i],
  ['ext4-in-data', 'sample-ext4.img', 4000 * KiB, /are there|missing/i],
  ['card-in-second-volume', 'sample-card.img', 14 * KiB * KiB, /scattered.log/],
];

const window = withVSCode({
  prepare: async (folder) => {
    const samples = join(folder, '.samples');
    mkdirSync(samples);
    await unpackSamples(join(repository, 'test/samples'), samples);
    for (const [name, sample, length] of truncated) {
      copyFileSync(join(samples, sample), join(folder, `${name}.img`));
      truncateSync(join(folder, `${name}.img`), length);
    }
    writeFileSync(join(folder, 'empty.img'), '');
    writeFileSync(join(folder, 'one-byte.img'), 'x');
    writeFileSync(
      join(folder, 'random.img'),
      Uint8Array.from({ length: 100_000 }, (_, i) => (Math.imul(i, 2654435761) >>> 13) & 255),
    );
  },
});

beforeEach(() => window.vscode.palette('View: Close All Editors'));

async function openAndRead(name: string): Promise<InspectorPage> {
  await window.vscode.openCustom(`${name}.img`);
  return new InspectorPage(window.vscode.webview());
}

it.each(['empty', 'one-byte', 'random'])('%s: says that nothing is known', async (name) => {
  const inspector = await openAndRead(name);
  await inspector.says(/No known filesystem|cannot be opened/);
});

it.each(truncated)('%s: shows what is there, and says what is not', async (name, _s, _l, says) => {
  const inspector = await openAndRead(name);
  await inspector.says(says);
});

it('no error was hidden', () => {
  expect(window.vscode.consoleErrors).toEqual([]);
});
