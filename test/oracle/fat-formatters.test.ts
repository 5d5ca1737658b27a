import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pattern } from './support/fat-filling';
import {
  countClusters,
  fsckClusters,
  makeImage,
  mtools,
  mtoolsTree,
  openImage,
  run,
  withFolder,
} from './support/fat-tools';
import { comparable, treeOf } from './support/fat-tree';
import { FatImage, long, short, dots } from '../fat/fat-image';

const plain = { sectorSize: 512, clusterSize: 512, fats: 2, reserved: 1, rootEntries: 512 };

function holdAgainstMtools(image: string, folder: string) {
  const { fileSystem, close } = openImage(image);
  const tree = treeOf(fileSystem);
  const { facts } = fileSystem;
  close();
  expect(comparable(tree)).toEqual(comparable(mtoolsTree(image, path.join(folder, 'out'))));
  return { facts, tree };
}

describe('a floppy of mformat', () => {
  it.each([
    ['160', 'fat12'],
    ['180', 'fat12'],
    ['320', 'fat12'],
    ['360', 'fat12'],
    ['720', 'fat12'],
    ['1200', 'fat12'],
    ['1440', 'fat12'],
    ['2880', 'fat12'],
  ])('of %s KiB', (kib, type) => {
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      run('mformat', ['-C', '-i', image, '-f', kib, '-v', 'FLOPPY', '::']);
      const file = path.join(folder, 'On a floppy.txt');
      fs.writeFileSync(file, pattern(20_000, 1));
      mtools('mmd', image, '::/dir');
      mtools('mcopy', image, '-m', file, '::/dir');
      const { facts, tree } = holdAgainstMtools(image, folder);
      expect(facts).toMatchObject({ type, label: 'FLOPPY', blocks: countClusters(image) });
      expect([...tree.keys()]).toEqual(['/dir', '/dir/On a floppy.txt']);
    });
  });
});

describe('a disk of mformat', () => {
  it.each([
    ['fat16', ['-T', '65536', '-h', '16', '-s', '63']],
    ['fat16', ['-T', '65536', '-h', '16', '-s', '63', '-c', '8', '-d', '1', '-r', '4']],
    ['fat32', ['-T', '409600', '-h', '64', '-s', '32', '-F', '-c', '2']],
    ['fat32', ['-T', '262144', '-h', '64', '-s', '32', '-F', '-c', '1', '-R', '40', '-K', '12']],
  ])('%s, %j', (type, options) => {
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      run('mformat', ['-C', '-i', image, ...options, '-v', 'DISK', '-N', 'cafe0123', '::']);
      const file = path.join(folder, 'On a disk.txt');
      fs.writeFileSync(file, pattern(100_000, 1));
      mtools('mcopy', image, '-m', file, '::/');
      const { facts } = holdAgainstMtools(image, folder);
      expect(facts).toMatchObject({ type, label: 'DISK', uuid: 'CAFE-0123' });
      expect(facts.blocks).toBe(countClusters(image));
    });
  });
});

describe('a label', () => {
  const labelled = (bits: 12 | 32, change: (image: string) => void) =>
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      const clusters = bits === 32 ? 66_000 : 2000;
      const root = bits === 32 ? { reserved: 32, rootEntries: undefined } : {};
      makeImage(image, { ...plain, ...root, bits, clusters });
      change(image);
      const { fileSystem, close } = openImage(image);
      const { label } = fileSystem.facts;
      close();
      return label;
    });

  it.each([12, 32] as const)('of FAT%i is the one that the tools set last', (bits) => {
    expect(labelled(bits, () => undefined)).toBe('');
    expect(labelled(bits, (image) => run('fatlabel', [image, 'BY FATLABEL']))).toBe('BY FATLABEL');
    expect(labelled(bits, (image) => mtools('mlabel', image, '::By mlabel'))).toBe('BY MLABEL');
    expect(
      labelled(bits, (image) => {
        run('fatlabel', [image, 'FIRST']);
        mtools('mlabel', image, '::second');
        run('fatlabel', ['-r', image]);
      }),
    ).toBe('');
  });
});

describe('a directory of thousands', () => {
  const count = 16_000;
  const aliasOf = (i: number) => `FILE${String(i).padStart(4, '0').slice(-4)}`.padEnd(8);

  it('is listed whole and in order', () => {
    withFolder((folder) => {
      const image = new FatImage({ bits: 16, clusters: 9000, sectorsPerCluster: 1 });
      const names = Array.from({ length: count }, (_, i) => `A file with a long name, ${i}`);
      const slots = names.flatMap((name, i) => {
        const alias = aliasOf(i) + String(Math.floor(i / 10_000)).padEnd(3);
        return [...long(name, alias), short(alias, { attributes: 0x20 })];
      });
      const all = [...dots(10, 0), ...slots];
      const clusters = Array.from({ length: Math.ceil(all.length / 16) }, (_, i) => 10 + i);
      image.chain(...clusters);
      clusters.forEach((cluster, i) => {
        image.slots(image.cluster(cluster), ...all.slice(16 * i, 16 * i + 16));
      });
      image.slots(image.rootStart, short('MANY       ', { attributes: 0x10, cluster: 10 }));
      const file = path.join(folder, 'image');
      fs.writeFileSync(file, image.bytes);

      const { fileSystem, close } = openImage(file);
      const directory = fileSystem.entries(0).nodes[0];
      const table = fileSystem.entries(directory);
      close();
      const listed = Array.from({ length: table.length }, (_, i) => table.name(i));
      expect(listed).toEqual(names);
      const theirs = mtools('mdir', file, '-b', '::/MANY').split('\n').filter(Boolean);
      expect(theirs).toEqual(names.map((name) => `::/MANY/${name}`));
      expect(fsckClusters(file).used).toBe(clusters.length);
    });
  });
});
