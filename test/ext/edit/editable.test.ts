import { describe, expect, it } from 'vitest';
import type { Layout } from '../support/hand-made';
import { HandMade } from '../support/hand-made';

function whyNot(
  layout: Layout,
  change: (image: HandMade) => void = () => undefined,
  length?: number,
) {
  const image = new HandMade(layout);
  change(image);
  const { editing } = image.open(length);
  if (!editing) throw new Error('it says nothing of editing');
  return editing.whyNot;
}

const features = (compat: number, incompat: number, roCompat: number): Layout => ({
  superblock: {
    s_feature_compat: compat,
    s_feature_incompat: incompat,
    s_feature_ro_compat: roCompat,
  },
});

describe('whether a volume can be edited', () => {
  it.each([
    ['ext2 without features', features(0, 0, 0)],
    ['all that ext2 has', features(0x38, 0x12, 0x3)],
    ['what ext4 has, checksums apart', features(0x1038, 0x242, 0x6b)],
    ['one that was not unmounted cleanly', { superblock: { s_state: 0 } }],
    ['revision 0', { superblock: { s_rev_level: 0, s_feature_incompat: 0 } }],
  ])('yes: %s', (_name, layout: Layout) => {
    expect(whyNot(layout)).toBeNull();
  });

  it.each([
    ['a feature of ext4', features(0, 0x42, 0x200), /its feature bigalloc cannot be written/],
    ['many of them', features(0, 0x304c2, 0x710), /features ea_inode, quota and bigalloc/],
    ['unknown features', features(0x10000, 0x800002, 0), /FEATURE_C16 and FEATURE_I23 cannot/],
    ['an unknown revision', { superblock: { s_rev_level: 2 } }, /its revision 2 is not known/],
    [
      'revision 0 with features',
      { superblock: { s_rev_level: 0 } },
      /its revision 0 does not know/,
    ],
    ['the Hurd', { superblock: { s_creator_os: 1 } }, /made for the Hurd/],
    ['recorded errors', { superblock: { s_state: 3 } }, /errors are recorded .* checked first/],
    ['a wrong number of inodes', { superblock: { s_inodes_count: 31 } }, /contradicts/],
    ['a journal to be replayed', features(4, 6, 0), /^[^;]* must be replayed first\.$/],
    [
      'no journal where one should be',
      { superblock: { s_feature_compat: 4, s_journal_inum: 8 } },
      /its journal cannot be read/,
    ],
  ])('no: %s', (_name, layout: Layout, reason) => {
    const said = whyNot(layout);
    expect(said).toMatch(/^This volume cannot be changed: .*\.$/);
    expect(said).toMatch(reason);
  });

  it('no: the image is truncated', () => {
    expect(whyNot({}, undefined, 40 * 1024)).toMatch(/the image is truncated/);
  });

  it('no: a copy of the superblock is in use', () => {
    const damage = (image: HandMade) => {
      const superblock = image.bytes.slice(1024, 2048);
      image.bytes.fill(0, 1024, 2048);
      image.bytes.set(superblock, (1 + 256) * 1024);
      image.setSuperblock({ s_block_group_nr: 1 }, (1 + 256) * 1024);
    };
    const superblock = { s_blocks_per_group: 256, s_inodes_count: 64 };
    expect(whyNot({ blocks: 600, superblock }, damage)).toMatch(/a copy of it is used instead/);
  });

  it('names all reasons in one sentence', () => {
    const said = whyNot({ superblock: { s_state: 3, s_feature_incompat: 0x406 } });
    expect(said).toBe(
      'This volume cannot be changed: its feature ea_inode cannot be written; its journal ' +
        'holds changes that must be replayed first; errors are recorded in its superblock, so it ' +
        'should be checked first.',
    );
  });
});
