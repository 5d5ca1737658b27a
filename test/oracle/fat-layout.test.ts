import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlainFat } from './support/fat-decoder';
import { fill, makeContent } from './support/fat-filling';
import {
  countClusters,
  makeImage,
  mtoolsRuns,
  openImage,
  run,
  scanFree,
  withFolder,
  type Format,
} from './support/fat-tools';
import { treeOf } from './support/fat-tree';

const formats: Format[] = [
  { bits: 12, sectorSize: 512, clusterSize: 512, clusters: 3000, fats: 2, reserved: 1 },
  { bits: 12, sectorSize: 1024, clusterSize: 4096, clusters: 1000, fats: 1, reserved: 3 },
  { bits: 16, sectorSize: 512, clusterSize: 2048, clusters: 5000, fats: 2, reserved: 1 },
  { bits: 16, sectorSize: 4096, clusterSize: 8192, clusters: 4500, fats: 2, reserved: 4 },
  { bits: 32, sectorSize: 512, clusterSize: 512, clusters: 70_000, fats: 2, reserved: 32 },
  { bits: 32, sectorSize: 2048, clusterSize: 16_384, clusters: 66_000, fats: 1, reserved: 16 },
].map((format) => ({
  ...(format as Format),
  ...(format.bits !== 32 && { rootEntries: 512 }),
  label: 'LAYOUT',
}));

describe('how an image that mtools filled lies on disk', () => {
  let content = '';
  beforeAll(() => {
    content = fs.mkdtempSync(path.join(os.tmpdir(), 'fat-content-'));
    makeContent(content);
  });
  afterAll(() => {
    fs.rmSync(content, { recursive: true, force: true });
  });

  const filled = (format: Format, use: (image: string, folder: string) => void) => {
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, format);
      fill(image, format, content, folder);
      use(image, folder);
    });
  };
  const cases = formats.map((format) => [format.bits, format.clusterSize, format] as const);

  it.each(cases)('has the slots of FAT%i with %i-byte clusters', (_bits, _size, format) => {
    filled(format, (image) => {
      const plain = new PlainFat(image, format.bits);
      const { fileSystem, close } = openImage(image);
      const directories = [[0, 0], ...directoriesOf(fileSystem)];
      expect(directories.length).toBeGreaterThan(7);
      const kinds = new Set<string>();
      for (const [id, cluster] of directories) {
        const raw = fileSystem.rawDirectory(id);
        const records = raw.blocks.flatMap((_block, i) => raw.records(i));
        const slots = plain.slots(cluster);
        expect(records).toHaveLength(slots.length);
        slots.forEach(({ offset, kind, name, values }, i) => {
          kinds.add(kind);
          expect(records[i]).toMatchObject({ offset, length: 32, state: kind, name, values });
          expect(records[i].problem).toBeUndefined();
        });
      }
      expect([...kinds].sort()).toEqual(['deleted', 'end', 'free', 'label', 'long', 'short']);
      close();
    });
  });

  it.each(cases)('has the owners of FAT%i with %i-byte clusters', (_bits, _size, format) => {
    filled(format, (image) => {
      const { fileSystem, close } = openImage(image);
      const owners = fileSystem.ownership();
      const tree = treeOf(fileSystem);
      const clusters = countClusters(image);
      const unowned = new Set(Array.from({ length: clusters }, (_, i) => i + 2));
      const files = [...tree].filter(([, { type }]) => type === 'file').map(([name]) => name);
      const runs = mtoolsRuns(image, files);
      for (const [name, { node, type, runs: ours }] of tree) {
        let logical = 0;
        for (const [first, last] of type === 'file' ? (runs.get(name) ?? []) : ours) {
          for (let cluster = first; cluster <= last; cluster++, logical++) {
            unowned.delete(cluster);
            const owner = owners.at(cluster);
            expect([owner?.node, owner?.role]).toEqual([node.id, type]);
            expect((owner?.logical ?? 0) + cluster - (owner?.start ?? 0)).toBe(logical);
          }
        }
      }
      if (format.bits === 32) {
        expect(owners.at(2)).toMatchObject({ node: 0, role: 'directory' });
        unowned.delete(2);
      }
      for (const cluster of unowned) expect(owners.at(cluster)).toBeUndefined();
      const free = scanFree(image, format, clusters);
      expect(unowned.size).toBe(free.reduce((sum, [, length]) => sum + length, 0));
      close();
    });
  });

  it.each(cases)(
    'has what fsck.fat calls unused on FAT%i with %i-byte clusters',
    (_b, _s, format) => {
      filled(format, (image) => {
        const opened = openImage(image);
        const victims = [...treeOf(opened.fileSystem)].filter(([name]) =>
          /size-4096|pieces/.test(name),
        );
        opened.close();
        const descriptor = fs.openSync(image, 'r+');
        for (const [, { node }] of victims)
          fs.writeSync(descriptor, Uint8Array.of(0xe5), 0, 1, node.id);
        fs.closeSync(descriptor);
        const printed = run('fsck.fat', ['-n', image], [1]);
        const [, unused] = /Reclaimed (\d+) unused cluster/.exec(printed) ?? [];
        const { fileSystem, close } = openImage(image);
        const owners = fileSystem.ownership();
        let lost = 0;
        for (let row = 0; row < owners.count; row++) {
          const { role, length } = owners.owner(row);
          if (role === 'lost') lost += length;
        }
        close();
        expect(lost).toBe(Number(unused));
        expect(lost).toBeGreaterThan(6);
      });
    },
  );
});

function directoriesOf(fileSystem: ReturnType<typeof openImage>['fileSystem']): number[][] {
  return [...treeOf(fileSystem)]
    .filter(([, { type }]) => type === 'directory')
    .map(([, { node }]) => [node.id, node.number]);
}
