import { describe, expect, it } from 'vitest';
import { attributeMagic } from '../../../src/ext/attributes';
import { CheckContext } from '../../../src/ext/check/context';
import { GroupColumns } from '../../../src/ext/check/group-columns';
import { InodePass } from '../../../src/ext/check/inode-pass';
import { PlainInodes } from '../../../src/ext/check/plain-inodes';
import { ExtReport } from '../../../src/ext/check/problem-table';
import { ReservedInodes } from '../../../src/ext/check/reserved-inodes';
import { InodeTableReader } from '../../../src/ext/check/table-reader';
import { setInodeChecksum } from '../../../src/ext/checksums';
import { inodeFlags, inodeStructure } from '../../../src/ext/inode';
import { openVolume } from '../../../src/ext/open';
import type { ExtVolume } from '../../../src/ext/volume';
import { noProgress } from '../../../src/image/progress';
import { Random } from '../../support/random';
import { extentLeaves, fileMode, HandMade, type HandExtent } from '../support/hand-made';

const firstInode = 12;
const inodes = 64;
const inodeSize = 256;
const emptyExtent = { logical: 0, physical: 2000, length: 0 };
const features = { extent: 0x40, filetype: 0x2, checksums: 0x400 };

interface Made {
  readonly image: HandMade;
  readonly volume: ExtVolume;
}

/** A volume of files with one to four extents each. */
function volumeOfFiles(random: Random, hasChecksums: boolean): Made {
  const image = new HandMade({
    blocks: 2048,
    inodeSize,
    inodesPerGroup: inodes,
    superblock: {
      s_feature_incompat: features.filetype | features.extent,
      s_feature_ro_compat: hasChecksums ? features.checksums : 0,
    },
  });
  for (let number = firstInode; number <= inodes; number++) setFile(image, number, random);
  const { opened: volume } = openVolume(image.volume);
  for (let number = 1; number <= inodes; number++) seal(image, volume, number);
  return { image, volume };
}

function setFile(image: HandMade, number: number, random: Random): void {
  const extents: HandExtent[] = [];
  let logical = 0;
  for (let count = random.below(5); count > 0; count--) {
    const length = 1 + random.below(3);
    const physical = image.next;
    image.next += length;
    extents.push({ logical, physical, length });
    logical += length + random.below(2);
  }
  const last = extents.at(-1);
  const end = last ? last.logical + last.length : 0;
  image.setInode(number, {
    i_mode: fileMode,
    i_links_count: 1 + random.below(3),
    i_flags: inodeFlags.extents,
    i_size_lo: end * image.blockSize,
    i_blocks_lo: extents.reduce((sum, { length }) => sum + length, 0) * (image.blockSize / 512),
    i_block: extentLeaves(extents),
    i_generation: random.below(2 ** 32),
    i_extra_isize: 32,
  });
}

function seal(image: HandMade, volume: ExtVolume, number: number): void {
  const at = image.inodeAt(number);
  setInodeChecksum(volume.geometry, number, image.bytes.subarray(at, at + inodeSize));
}

/** Changes one field of an inode, to something that is often wrong and sometimes not. */
function change(image: HandMade, number: number, random: Random): void {
  const { offset, length } = random.one(Object.values(inodeStructure.fields));
  const at = image.inodeAt(number) + offset + random.below(length);
  const bytes = image.bytes;
  const ways = [
    () => (bytes[at] = 0),
    () => (bytes[at] = 0xff),
    () => (bytes[at] ^= 1 << random.below(8)),
    () => (bytes[at] += random.one([1, -1, 4, -4])),
    () => (bytes[at] = random.below(256)),
    () => bytes.fill(0, image.inodeAt(number), image.inodeAt(number) + inodeSize),
    () => setAttributes(image, number, random.bytes(32)),
    () => image.setInode(number, { i_mtime: 2 ** 32 - 1 - random.below(9), i_mtime_extra: 3 }),
    () => image.setInode(number, { i_blocks_lo: 0, i_block: extentLeaves([emptyExtent]) }),
  ];
  random.one(ways)();
}

function setAttributes(image: HandMade, number: number, entries: Uint8Array): void {
  const at = image.inodeAt(number) + inodeStructure.size;
  image.view.setUint32(at, attributeMagic, true);
  image.bytes.set(entries, at + 4);
}

/** All that the pass learns and says. */
function outcome(volume: ExtVolume, passesOver: boolean): unknown {
  const groups = new GroupColumns(volume);
  const report = new ExtReport();
  const context = new CheckContext(volume, groups, report, noProgress);
  new InodePass(context, new InodeTableReader(volume, groups), passesOver).run();
  return {
    report: report.build(),
    claimed: context.claims.claimed.bits(0),
    shared: context.claims.shared.bits(0),
    inodes: context.inodes.groups(),
    directories: context.directories.all.map(({ number }) => number),
    hasLargeFiles: context.hasLargeFiles,
    references: context.valueReferences,
  };
}

function plainInodes(volume: ExtVolume): PlainInodes | null {
  const groups = new GroupColumns(volume);
  const context = new CheckContext(volume, groups, new ExtReport(), noProgress);
  const reserved = new ReservedInodes(context, new InodeTableReader(volume, groups));
  return PlainInodes.of(context, reserved);
}

describe.each([true, false])('inodes that are passed over, with checksums: %s', (hasChecksums) => {
  it('are all files that have nothing unusual', () => {
    const { image, volume } = volumeOfFiles(new Random(1), hasChecksums);
    const plain = plainInodes(volume);
    const words = new Uint32Array(image.bytes.buffer);
    for (let number = firstInode; number <= inodes; number++) {
      expect(plain?.accept(words, image.inodeAt(number) / 4, number)).toBe(true);
    }
    expect(plain?.accept(words, image.inodeAt(2) / 4, 2)).toBe(false);
  });

  it('are no other than those in which the pass finds nothing', () => {
    const random = new Random(hasChecksums ? 2 : 3);
    let findings = 0;
    for (let round = 0; round < 400; round++) {
      const { image, volume } = volumeOfFiles(random, hasChecksums);
      for (let number = firstInode; number <= inodes; number++) {
        for (let count = random.below(3); count > 0; count--) change(image, number, random);
        if (random.below(4) > 0) seal(image, volume, number);
      }
      const whole = outcome(volume, false);
      expect(outcome(volume, true)).toEqual(whole);
      findings += (whole as { report: { findings: unknown[] } }).report.findings.length;
    }
    expect(findings).toBeGreaterThan(5000);
  });
});
