import { describe, expect, it } from 'vitest';
import { openExt } from '../../src/ext/ext-filesystem';
import { crc32 } from '../../src/ext/journal-log';
import type { Journal } from '../../src/filesystem/journal';
import { readBytes } from '../../src/image/bytes';
import { HandMade } from './support/hand-made';
import { HandMadeJournal } from './support/hand-made-journal';

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
