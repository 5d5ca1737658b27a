import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkErrors } from './support/check-errors';
import { fill, makeContent } from './support/fat-filling';
import {
  countClusters,
  fsckClusters,
  makeImage,
  mtoolsAttributes,
  mtoolsRuns,
  mtoolsTree,
  openImage,
  scanFree,
  withFolder,
  type Format,
} from './support/fat-tools';
import { comparable, treeOf, type TreeNode } from './support/fat-tree';

/** All sector sizes with all cluster sizes that they allow; the rest varies along. */
function matrix(): Format[] {
  const formats: Format[] = [];
  for (const bits of [12, 16, 32] as const) {
    for (const sectorSize of [512, 1024, 2048, 4096]) {
      for (let clusterSize = sectorSize; clusterSize <= 65_536; clusterSize *= 2) {
        const i = formats.length;
        const rootEntries = (sectorSize / 32) * [1, 4, 14][i % 3];
        formats.push({
          bits,
          sectorSize,
          clusterSize,
          clusters: { 12: 1500 + 300 * (i % 8), 16: 4200 + 31 * i, 32: 65_600 + 97 * i }[bits],
          fats: 1 + (i % 3),
          reserved: bits === 32 ? [32, 9, 64][i % 3] : [1, 2, 7][i % 3],
          ...(bits !== 32 && { rootEntries }),
          label: `VOLUME ${i}`,
        });
      }
    }
  }
  return formats;
}

const letters: Record<string, string> = {
  archive: 'A',
  hidden: 'H',
  'read-only': 'R',
  system: 'S',
};

function attributeLetters({ type, node }: TreeNode): string {
  const set = node.attributes.map((name) => letters[name]);
  return [...(type === 'directory' ? ['D'] : []), ...set].sort().join('');
}

describe('an image of mkfs.fat that mtools filled', () => {
  let content = '';
  beforeAll(() => {
    content = fs.mkdtempSync(path.join(os.tmpdir(), 'fat-content-'));
    makeContent(content);
  });
  afterAll(() => {
    fs.rmSync(content, { recursive: true, force: true });
  });

  const describeFormat = (format: Format) =>
    `FAT${format.bits}, ${format.sectorSize}-byte sectors, ${format.clusterSize}-byte clusters, ` +
    `${format.fats} FATs, ${format.reserved} reserved, root of ${format.rootEntries ?? 'a chain'}`;

  it.each(matrix().map((format) => [describeFormat(format), format] as const))(
    '%s',
    (_, format) => {
      withFolder((folder) => {
        const image = path.join(folder, 'image');
        makeImage(image, format);
        const deleted = fill(image, format, content, folder);
        const { fileSystem, close } = openImage(image);
        const tree = treeOf(fileSystem);

        expect(comparable(tree)).toEqual(comparable(mtoolsTree(image, path.join(folder, 'out'))));
        expect(tree.size).toBeGreaterThan(80);
        const attributes = new Map([...tree].map(([name, node]) => [name, attributeLetters(node)]));
        const theirs = mtoolsAttributes(image);
        for (const [name, set] of theirs) theirs.set(name, [...set].sort().join(''));
        expect(attributes).toEqual(theirs);

        const files = [...tree].filter(([, { type }]) => type === 'file');
        const runs = mtoolsRuns(
          image,
          files.map(([name]) => name),
        );
        for (const [name, file] of files)
          expect([name, file.runs]).toEqual([name, runs.get(name) ?? []]);
        expect(tree.get('/top/pieces')?.runs.length).toBeGreaterThan(3);

        const { facts } = fileSystem;
        expect(facts).toMatchObject({
          type: `fat${format.bits}`,
          label: format.label,
          uuid: '1234-ABCD',
          blockSize: format.clusterSize,
          state: 'clean',
          notes: [],
        });
        const free = fileSystem.freeSpace();
        const clusters = countClusters(image);
        expect(facts.blocks).toBe(clusters);
        const list = Array.from(free.starts, (start, i) => [start, free.lengths[i]]);
        expect(list).toEqual(scanFree(image, format, clusters));
        if (format.fats < 3) {
          // fsck.fat does not know of more FATs.
          expect(fsckClusters(image)).toEqual({ used: clusters - free.total, total: clusters });
          expect(checkErrors(fileSystem)).toEqual([]);
        }

        const all = treeOf(fileSystem, true);
        for (const { name, content: bytes } of deleted) {
          const shown = name === 'GONE.TXT' ? '_ONE.TXT' : name;
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          expect(all.get(`/top/${shown}`)).toMatchObject({ isDeleted: true, sha256 });
        }
        close();
      });
    },
  );
});
