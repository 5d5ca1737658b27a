import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allocationPolicies } from '../../src/filesystem/allocation';
import { Random } from '../support/random';
import { EditedFat } from './support/fat-model';
import {
  makeImage,
  mtoolsAttributes,
  mtoolsTree,
  run,
  withFolder,
  type Format,
} from './support/fat-tools';
import { comparable, treeOf } from './support/fat-tree';

/** How many times as many operations as the suite makes by default. */
const factor = Number(process.env.FSIMG_FAT_EDITS ?? '1');

interface Case extends Format {
  readonly codePage: number;
  /** So small that it gets full. */
  readonly isTight?: boolean;
  /** Clusters that are not marked bad; FAT32 alone, of which fewer are none to fsck.fat. */
  readonly usable?: number;
}

const fat12 = { bits: 12, reserved: 1, fats: 2, codePage: 437 } as const;
const fat16 = { bits: 16, reserved: 1, fats: 2, codePage: 850 } as const;
const fat32 = { bits: 32, reserved: 32, fats: 2, codePage: 437 } as const;
const cases: Case[] = [
  { ...fat12, sectorSize: 512, clusterSize: 512, clusters: 120, rootEntries: 16, isTight: true },
  { ...fat12, sectorSize: 512, clusterSize: 1024, clusters: 1000, rootEntries: 64, fats: 1 },
  { ...fat12, sectorSize: 4096, clusterSize: 4096, clusters: 200, rootEntries: 128, codePage: 850 },
  { ...fat16, sectorSize: 512, clusterSize: 512, clusters: 4300, rootEntries: 512 },
  { ...fat16, sectorSize: 1024, clusterSize: 2048, clusters: 4200, rootEntries: 32, fats: 1 },
  { ...fat32, sectorSize: 512, clusterSize: 512, clusters: 66_000, label: 'BEFORE' },
  {
    ...fat32,
    sectorSize: 512,
    clusterSize: 512,
    clusters: 66_000,
    fats: 1,
    usable: 40,
    isTight: true,
  },
  {
    ...fat32,
    sectorSize: 1024,
    clusterSize: 1024,
    clusters: 66_000,
    usable: 50,
    isTight: true,
    codePage: 850,
  },
];
const sequences = 4;
/** Of all eight cases together more than 10,000. */
const operationsInSequence = 330;
const mostChanges = 1000;
const mostInChange = 6;

describe('random operations leave what a simple model has', () => {
  it.each(cases)('FAT$bits, sectors of $sectorSize, $clusters clusters', (format) => {
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, format);
      const bytes = new Uint8Array(fs.readFileSync(image));
      if (format.usable !== undefined) markBad(bytes, format, format.usable);
      const refused = new Map<string, number>();
      for (let sequence = 0; sequence < sequences * factor; sequence++) {
        const random = new Random(format.clusters + sequence);
        const policy = allocationPolicies[sequence % allocationPolicies.length];
        const edited = new EditedFat(bytes, random, format.codePage, policy);
        for (let i = 0; i < mostChanges && edited.operations < operationsInSequence; i++) {
          edited.change(1 + random.below(mostInChange), i % 45 >= 30);
        }
        expect(edited.operations).toBeGreaterThanOrEqual(operationsInSequence);
        for (const [code, times] of edited.refused) {
          refused.set(code, (refused.get(code) ?? 0) + times);
        }
        hold(edited, image);
        holdByMtools(edited, image, path.join(folder, `out ${sequence}`));
        undoAll(edited, bytes);
      }
      for (const code of ['exists', 'not-empty', 'not-found', 'usage', 'unsupported']) {
        expect(refused.get(code), code).toBeGreaterThan(0);
      }
      if (format.isTight) expect(refused.get('full')).toBeGreaterThan(0);
    });
  });
});

/** Leaves so many clusters after the root directory. */
function markBad(image: Uint8Array, format: Case, usable: number): void {
  const view = new DataView(image.buffer, image.byteOffset);
  const start = format.reserved * format.sectorSize;
  const fatBytes = view.getUint32(36, true) * format.sectorSize;
  for (let cluster = 3 + usable; cluster < format.clusters + 2; cluster++) {
    for (let copy = 0; copy < format.fats; copy++) {
      view.setUint32(start + copy * fatBytes + 4 * cluster, 0x0ffffff7, true);
    }
  }
}

/** Holds an edited volume against its model: as we read it, and as fsck.fat does. */
function hold(edited: EditedFat, image: string): void {
  const isExcess = (line: string) => line.includes('cluster chain length is >');
  fs.writeFileSync(image, edited.image.wholeImage());
  const printed = run('fsck.fat', ['-n', image], [0, 1]);
  const tooLong = printed.split('\n').filter(isExcess).length;
  holdClusters(edited);
  expect(edited.cutToSize()).toBe(tooLong);

  fs.writeFileSync(image, edited.image.wholeImage());
  run('fsck.fat', ['-n', image]);
  const fileSystem = edited.open();
  expect(comparable(treeOf(fileSystem))).toEqual(edited.tree());
  expect(fileSystem.facts.label).toBe(edited.label);
}

function holdByMtools(edited: EditedFat, image: string, out: string): void {
  const tree = edited.tree();
  if (Object.keys(tree).length === 0) return;
  // mtools have no characters of two UTF-16 units.
  const known = (name: string) => name.replaceAll('🎈', '__');
  const expected = Object.entries(tree).map(([name, node]) => [known(name), node]);
  expect(comparable(mtoolsTree(image, out))).toEqual(Object.fromEntries(expected));
  const attributes = mtoolsAttributes(image);
  const letters = { archive: 'A', hidden: 'H', system: 'S', 'read-only': 'R' };
  edited.visit((name, node) => {
    const set = Object.entries(letters).filter(([attribute]) => node.attributes.has(attribute));
    const found = [...(attributes.get(known(name)) ?? '').replace('D', '')].sort();
    expect(found, name).toEqual(set.map(([, letter]) => letter).sort());
  });
}

function holdClusters(edited: EditedFat): void {
  const fileSystem = edited.open();
  edited.visit((name, node) => {
    if (node.type !== 'file') return;
    const { allocated } = fileSystem.content(node.id);
    expect(allocated / fileSystem.unit.size, name).toBe(node.clusters);
  });
}

function undoAll(edited: EditedFat, bytes: Uint8Array): void {
  for (let id = edited.lastEdit; id > 0; id--) edited.image.undo(id);
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
  expect(digest(edited.image.wholeImage())).toBe(digest(bytes));
}
