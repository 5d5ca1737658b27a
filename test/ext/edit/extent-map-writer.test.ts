import { describe, expect, it } from 'vitest';
import type { EditContext } from '../../../src/ext/edit/context';
import { ExtentMapWriter } from '../../../src/ext/edit/extent-map-writer';
import { readExtentTree } from '../../../src/ext/extent-tree';
import { inodeFlags, readInode } from '../../../src/ext/inode';
import { Problems } from '../../../src/ext/problems';
import type { Extent } from '../../../src/filesystem/extents';
import { Random } from '../../support/random';
import { extentLeaves, fileMode, HandMade } from '../support/hand-made';
import { contextOf } from './support/edit';

const inode = 12;
const blocks = 8000;
const features = { extent: 0x40, filetype: 0x2, checksums: 0x400 };

function withFile(hasChecksums: boolean): EditContext {
  const image = new HandMade({
    blocks,
    inodeSize: 256,
    superblock: {
      s_feature_incompat: features.filetype | features.extent,
      s_feature_ro_compat: hasChecksums ? features.checksums : 0,
      s_free_blocks_count_lo: blocks - 20,
    },
  });
  image.setDescriptor(0, { bg_free_blocks_count_lo: blocks - 20 });
  image.setInode(inode, {
    i_mode: fileMode,
    i_links_count: 1,
    i_flags: inodeFlags.extents,
    i_block: extentLeaves([]),
    i_extra_isize: 32,
  });
  if (hasChecksums) image.sealDescriptor();
  return contextOf(image);
}

/** What lies where, block by block. */
class Model {
  private readonly blocks = new Map<number, { physical: number; unwritten: boolean }>();

  assign({ logical, physical, length, unwritten = false }: Extent): void {
    for (let i = 0; i < length; i++) {
      this.blocks.set(logical + i, { physical: physical + i, unwritten });
    }
  }

  cut(from: number): void {
    for (const logical of this.blocks.keys()) if (logical >= from) this.blocks.delete(logical);
  }

  /** As long runs as there are. */
  extents(): Extent[] {
    const found: Extent[] = [];
    for (const logical of [...this.blocks.keys()].sort((a, b) => a - b)) {
      const { physical, unwritten } = this.blocks.get(logical) ?? { physical: 0, unwritten: false };
      const last = found.at(-1);
      const joins =
        last &&
        last.logical + last.length === logical &&
        last.physical + last.length === physical &&
        Boolean(last.unwritten) === unwritten;
      if (joins) found[found.length - 1] = { ...last, length: last.length + 1 };
      else found.push({ logical, physical, length: 1, ...(unwritten && { unwritten }) });
    }
    return found;
  }
}

/** The tree as another reader has it, which must find nothing wrong with it. */
function reread({ volume }: EditContext): { extents: readonly Extent[]; nodes: number } {
  const problems = new Problems(inode);
  const { extents, mapBlocks } = readExtentTree(volume, readInode(volume, inode), problems);
  expect(problems.list).toEqual([]);
  return { extents, nodes: mapBlocks.length };
}

describe.each([true, false])('a tree of extents, with checksums: %s', (hasChecksums) => {
  it.each([1, 2, 3, 4])('holds what was assigned, in any order (%i)', (seed) => {
    const random = new Random(seed);
    const context = withFile(hasChecksums);
    const map = new ExtentMapWriter(context, inode);
    const model = new Model();
    let nodes = 0;
    let most = 0;
    for (let step = 0; step < 400; step++) {
      if (random.below(60) === 0) {
        const from = random.below(4000);
        const { own } = map.cut(from);
        for (const { start, length } of own) context.blocks.release(start, length);
        nodes -= own.reduce((sum, { length }) => sum + length, 0);
        model.cut(from);
      } else {
        const extents: Extent[] = [];
        let logical = random.below(4000);
        for (let count = random.one([1, 1, 1, 2, 30]); count > 0; count--) {
          const length = 1 + random.below(4);
          const physical = 5000 + random.below(2000); // where no node is taken from
          const unwritten = random.below(3) === 0;
          extents.push({ logical, physical, length, ...(unwritten && { unwritten }) });
          logical += length + random.below(2);
        }
        nodes += map.assign(extents);
        for (const extent of extents) model.assign(extent);
      }
      most = Math.max(most, nodes);
      if (step % 20 > 0) continue;
      const tree = reread(context);
      expect(tree.extents).toEqual(model.extents());
      expect(tree.nodes).toBe(nodes);
      const first = random.below(4000);
      const end = first + random.below(300);
      const pieces = [...map.pieces(first, end)];
      expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(end - first);
      for (const piece of pieces) {
        if (piece.physical === 0) continue;
        const extent = tree.extents.find(
          ({ logical, length }) => logical <= piece.logical && piece.logical < logical + length,
        );
        expect(piece.physical - piece.logical).toBe(
          (extent?.physical ?? 0) - (extent?.logical ?? 0),
        );
        expect(piece.unwritten).toBe(extent?.unwritten);
      }
    }
    expect(most).toBeGreaterThan(10); // levels and splits
    const { own } = map.cut(0);
    expect(own.reduce((sum, { length }) => sum + length, 0)).toBe(nodes);
    expect(reread(context)).toEqual({ extents: [], nodes: 0 });
  });

  it('splits what is longer than an entry can say', () => {
    const context = withFile(hasChecksums);
    const map = new ExtentMapWriter(context, inode);
    const long = { logical: 5, physical: 100, length: 70_000 };
    map.assign([long]);
    expect([...map.pieces(0, 80_000)]).toEqual([
      { logical: 0, physical: 0, length: 5 },
      long,
      { logical: 70_005, physical: 0, length: 9995 },
    ]);
    map.assign([{ ...long, unwritten: true }]);
    expect([...map.pieces(5, 70_005)]).toEqual([{ ...long, unwritten: true }]);
  });
});
