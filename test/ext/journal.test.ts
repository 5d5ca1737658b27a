import { describe, expect, it } from 'vitest';
import { openExt } from '../../src/ext/ext-filesystem';
import { crc32 } from '../../src/ext/journal-log';
import type { Journal } from '../../src/filesystem/journal';
import { readBytes } from '../../src/image/bytes';
import { contentOf, extentLeaves, HandMade, namesOf } from './support/hand-made';
import { HandMadeJournal, words } from './support/hand-made-journal';

const block = (value: number) => new Uint8Array(1024).fill(value);

/** Content that starts like a block of the journal. */
function magicBlock(): Uint8Array {
  const content = block(9);
  new DataView(content.buffer).setUint32(0, 0xc03b3998);
  return content;
}

function journalOf(image: HandMade): Journal {
  const { journal } = image.open();
  if (!journal) throw new Error('no journal');
  return journal;
}

/** First bytes of a block after replay. */
function replayed(image: HandMade, number: number): number[] {
  return [...readBytes(journalOf(image).replayed(), number * 1024, 6)];
}

function withJournal(): HandMadeJournal {
  return new HandMadeJournal(new HandMade({ blocks: 128 }));
}

describe('crc32', () => {
  it('takes the high bit first: CRC-32/MPEG-2', () => {
    expect(crc32(0xffffffff, new TextEncoder().encode('123456789'))).toBe(0x0376e6e7);
  });
});

describe('the log', () => {
  it('is told transaction by transaction', () => {
    const journal = withJournal();
    journal.log([
      { block: 100, content: block(1) },
      { block: 101, content: block(2) },
    ]);
    journal.revoke([102]);
    journal.commit(1_000_000_000);
    journal.log([{ block: 103, content: block(3) }]);
    const summary = journalOf(journal.image).summary();
    expect(summary).toMatchObject({
      needsRecovery: true,
      place: 'inode 8',
      blocks: 32,
      blockSize: 1024,
      problems: [],
    });
    expect(summary.transactions).toEqual([
      {
        sequence: 7,
        start: 1,
        blocks: [100, 101],
        revoked: [102],
        committed: true,
        time: '2001-09-09T01:46:40Z',
      },
      { sequence: 8, start: 6, blocks: [103], revoked: [], committed: false, time: null },
    ]);
  });

  it('goes round at the end of the journal', () => {
    const journal = withJournal();
    journal.set({ s_start: 31 });
    journal.goOnAt(31);
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    expect(replayed(journal.image, 100)[0]).toBe(1);
  });

  it('ends when it has gone round once', () => {
    const journal = withJournal();
    for (let i = 0; i < 31; i++) journal.revoke([i + 1]);
    const { transactions } = journalOf(journal.image).summary();
    expect(transactions.map(({ committed }) => committed)).toEqual([false]);
  });

  it('that starts outside of the journal is told, and nothing is replayed', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    journal.set({ s_start: 32 });
    const codes = journalOf(journal.image)
      .summary()
      .problems.map(({ code }) => code);
    expect(codes).toEqual(['journal-start', 'journal-not-replayed']);
    expect(replayed(journal.image, 100)[0]).toBe(0);
  });
});

describe('a replay', () => {
  it('shows what was committed, the last content of each block', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    journal.log([{ block: 100, content: block(2) }]);
    journal.commit(2);
    journal.log([{ block: 100, content: block(3) }]); // interrupted
    expect(replayed(journal.image, 100)[0]).toBe(2);
    expect(journal.image.block(100)[0]).toBe(0);
  });

  it('puts the magic number back that content had', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: magicBlock() }]);
    journal.commit(1);
    expect(replayed(journal.image, 100)).toEqual([0xc0, 0x3b, 0x39, 0x98, 9, 9]);
    const volume = journalOf(journal.image).replayed();
    expect([...readBytes(volume, 100 * 1024 + 2, 3)]).toEqual([0x39, 0x98, 9]);
    expect([...readBytes(volume, 100 * 1024 - 1, 3)]).toEqual([0, 0xc0, 0x3b]);
  });

  it('leaves out what a later transaction revokes, but not what is written after that', () => {
    const journal = withJournal();
    journal.log([
      { block: 100, content: block(1) },
      { block: 101, content: block(1) },
    ]);
    journal.commit(1);
    journal.revoke([100, 101]);
    journal.commit(2);
    journal.log([{ block: 101, content: block(3) }]);
    journal.commit(3);
    expect(replayed(journal.image, 100)[0]).toBe(0);
    expect(replayed(journal.image, 101)[0]).toBe(3);
  });

  it('does not count what an interrupted transaction revokes', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    journal.revoke([100]);
    expect(replayed(journal.image, 100)[0]).toBe(1);
  });

  it('makes a volume that needs no recovery any more', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    const after = openExt(journalOf(journal.image).replayed());
    expect(after.facts.state).toBe('clean');
    expect(after.journal?.summary().transactions).toEqual([]);
  });

  it('is the volume itself where nothing needs recovery', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    journal.image.setSuperblock({ s_feature_incompat: 0x42 });
    expect(replayed(journal.image, 100)[0]).toBe(0);
  });

  it('ignores blocks that the volume does not have', () => {
    const journal = withJournal();
    journal.log([
      { block: 5000, content: block(1) },
      { block: 100, content: block(1) },
    ]);
    journal.commit(1);
    expect(replayed(journal.image, 100)[0]).toBe(1);
  });
});

describe('a fast commit', () => {
  const tags = { add: 1, remove: 2, create: 3, link: 4, unlink: 5, inode: 6 };
  const name = (text: string) => new TextEncoder().encode(text);
  const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

  /** Inode 12 as a file with extents and one link. */
  function inodeOf(size: number): Uint8Array {
    const image = new HandMade();
    image.setInode(12, {
      i_mode: 0o100644,
      i_links_count: 1,
      i_flags: 0x80000,
      i_size_lo: size,
    });
    return image.bytes.slice(image.inodeAt(12), image.inodeAt(13));
  }

  function withFile(): HandMadeJournal {
    const journal = withJournal();
    journal.commit(1);
    return journal;
  }

  const extent = (logical: number, length: number, physical: number) =>
    join(words(12, logical), Uint8Array.of(length, 0, 0, 0), words(physical));

  it('makes a file with its name, its content and its place in the bitmaps', () => {
    const journal = withFile();
    journal.image.block(100).fill(7);
    journal.fastCommit(4, [
      [tags.inode, join(words(12), inodeOf(1024))],
      [tags.add, extent(0, 1, 100)],
      [tags.create, join(words(2, 12), name('fast'))],
    ]);
    const fileSystem = openExt(journalOf(journal.image).replayed());
    expect(namesOf(fileSystem, 2)).toEqual(['fast']);
    expect([...contentOf(fileSystem, 12)]).toEqual(Array(1024).fill(7));
    expect(fileSystem.content(12).allocated).toBe(1024);
    const free = fileSystem.freeSpace();
    const isFree = Array.from(free.starts).some(
      (start, i) => start <= 100 && 100 < start + free.lengths[i],
    );
    expect(isFree).toBe(false);
    expect(journal.image.open().entries(2).length).toBe(0);
  });

  it('puts extents in order, and the later one in the place of the earlier', () => {
    const journal = withFile();
    journal.fastCommit(4, [
      [tags.inode, join(words(12), inodeOf(20_480))],
      [tags.add, extent(10, 5, 90)],
      [tags.add, extent(0, 5, 100)],
      [tags.add, extent(12, 1, 110)],
      [tags.remove, words(12, 1, 2)],
    ]);
    expect(openExt(journalOf(journal.image).replayed()).content(12).extents).toEqual([
      { logical: 0, physical: 100, length: 1 },
      { logical: 3, physical: 103, length: 2 },
      { logical: 10, physical: 90, length: 2 },
      { logical: 12, physical: 110, length: 1 },
      { logical: 13, physical: 93, length: 2 },
    ]);
  });

  it('removes a name, and gives free what no name leads to any more', () => {
    const journal = withFile();
    const { image } = journal;
    image.setInode(12, {
      i_mode: 0o100644,
      i_links_count: 1,
      i_flags: 0x80000,
      i_block: extentLeaves([{ logical: 0, physical: 100, length: 1 }]),
    });
    image.setRecords(image.rootBlock, image.rootRecords({ inode: 12, name: 'old' }));
    image.usedUpTo(101);
    journal.fastCommit(4, [[tags.unlink, join(words(2, 12), name('old'))]]);
    const fileSystem = openExt(journalOf(image).replayed());
    expect(namesOf(fileSystem, 2)).toEqual([]);
    expect(fileSystem.freeSpace().starts[0]).toBe(100);
  });

  it('counts only with a checksum and a number that match', () => {
    const journal = withFile();
    const create = [tags.create, join(words(2, 11), name('fast'))] as const;
    journal.fastCommit(4, [create]);
    const at = journal.placeOf(29) + 4 + 8 + 4 + 8;
    journal.image.bytes[at] ^= 1; // the name
    expect(journalOf(journal.image).summary().problems).toEqual([]);
    journal.image.bytes[at] ^= 1;
    expect(journalOf(journal.image).summary().problems[0].code).toBe('journal-fast-commits');
    journal.image.bytes[journal.placeOf(29) + 8] ^= 1; // the number in the head
    expect(journalOf(journal.image).summary().problems).toEqual([]);
  });

  it('does what it can when some of it makes no sense', () => {
    const journal = withFile();
    journal.fastCommit(4, [
      [tags.inode, join(words(999), inodeOf(0))],
      [tags.add, extent(0, 1, 5000)],
      [tags.create, join(words(77, 12), name('nowhere'))],
      [tags.unlink, join(words(2, 12), name('not there'))],
      [tags.link, join(words(2, 11), name('linked'))],
    ]);
    expect(namesOf(openExt(journalOf(journal.image).replayed()), 2)).toEqual(['linked']);
  });
});

describe('a journal that is not there', () => {
  it('is told with its inode', () => {
    const journal = withJournal();
    journal.set({ h_magic: 0 });
    const { problems, blocks } = journalOf(journal.image).summary();
    expect(problems.map(({ code }) => code)).toEqual(['journal-missing']);
    expect(blocks).toBe(0);
    expect(() => journalOf(journal.image).replayed()).toThrow(/no journal in inode 8/);
  });

  it('is found by the copy of its inode in the superblock', () => {
    const journal = withJournal();
    journal.log([{ block: 100, content: block(1) }]);
    journal.commit(1);
    const { image } = journal;
    const at = image.inodeAt(8);
    const copy = Uint32Array.from({ length: 17 }, (_, i) =>
      i < 15 ? image.view.getUint32(at + 0x28 + 4 * i, true) : i === 16 ? 32 * 1024 : 0,
    );
    image.setSuperblock({ s_jnl_backup_type: 1, s_jnl_blocks: copy });
    image.bytes.fill(0, at, at + 128);
    expect(replayed(image, 100)[0]).toBe(1);
    expect(journalOf(image).summary().place).toContain('copy');
  });

  it('is on another device where the superblock names no inode', () => {
    const journal = withJournal();
    journal.image.setSuperblock({ s_journal_inum: 0 });
    expect(journalOf(journal.image).summary().place).toMatch(/^device /);
    expect(() => journalOf(journal.image).replayed()).toThrow(/another device/);
  });

  it('is refused with features that are not known', () => {
    const journal = withJournal();
    journal.set({ s_feature_incompat: 0x80 });
    expect(() => journalOf(journal.image).replayed()).toThrow(/not known: 80/);
  });
});
