import { readView } from '../../image/bytes';
import { isZero } from '../../image/memory';
import { ImageError } from '../../image/errors';
import { checksumStart, crc32c } from '../checksums';
import { openJournalFile } from '../journal-file';
import { journalBlockTypes, journalMagic, journalSuperblock } from '../journal-structures';
import { superblock } from '../superblock';
import type { CheckContext } from './context';
import { modeTypes, type InodeCursor } from './inode-cursor';
import { MappingWalk, runsOnly } from './mapping-walk';
import type { InodeTableReader } from './table-reader';

const fewestBlocks = 1024;
const knownIncompatible = 0x3f;
const checksums = 8 | 16;

/** Checks the journal as e2fsck does before it reads anything else. Its log is not replayed. */
export class JournalCheck {
  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {}

  run(): void {
    const { geometry } = this.context.volume;
    const number = geometry.values.s_journal_inum;
    // An identity in the superblock means a device, whatever else is said of a journal.
    if (!isZero(geometry.values.s_journal_uuid)) {
      this.fail('ext-journal-external', 'The journal of the volume is on another device.');
      return;
    }
    const { features } = geometry;
    const isNamed = features.has('has_journal') || features.has('needs_recovery') || number > 0;
    if (!isNamed) return;
    const inode = this.tables.cursor(number);
    const first = inode ? this.firstBlock(inode) : null;
    if (first === null) {
      this.checkCopy(number);
      return;
    }
    this.checkSuperblock(first, inode?.size ?? 0);
  }

  /** The block with the journal's superblock; null where the inode cannot be a journal. */
  private firstBlock(inode: InodeCursor): number | null {
    const { volume } = this.context;
    const { blockSize } = volume.geometry;
    const blocks = Math.floor(inode.size / blockSize);
    if (inode.links === 0 || !inode.is(modeTypes.regular) || blocks < fewestBlocks) return null;
    let next = 0;
    let first: number | null = null;
    let isFine = true;
    const sink = runsOnly(this.context, (logical, physical, length) => {
      first ??= physical;
      isFine &&= logical === next;
      next = logical + length;
    });
    new MappingWalk(volume, sink).walk(inode);
    // As e2fsck: a size of 32 bits with a sign, so that none from 2 GiB on is too large.
    return isFine && next * blockSize >= (inode.size | 0) ? first : null;
  }

  /** The superblock has a copy of where the journal lies. */
  private checkCopy(number: number): void {
    let place: string;
    try {
      place = openJournalFile(this.context.volume).place;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      place = '';
    }
    const isCopied = place.startsWith('the copy');
    const message = `Inode ${number} cannot be the journal${isCopied ? '; its copy in the superblock can' : ''}.`;
    this.fail(isCopied ? 'ext-journal-inode-copied' : 'ext-journal-inode', message, number);
  }

  private checkSuperblock(block: number, size: number): void {
    const { bytes, geometry } = this.context.volume;
    const { blockSize, values, features } = geometry;
    const view = readView(bytes, block * blockSize, journalSuperblock.size);
    const found = journalSuperblock.read(view);
    const { superblock1, superblock2 } = journalBlockTypes;
    const wrong = (field: keyof typeof journalSuperblock.fields, what: string) => {
      const { offset, length } = journalSuperblock.fields[field];
      const place = bytes.offset + block * blockSize + offset;
      this.context.report.add('ext-journal-superblock', `The superblock of the journal ${what}.`, {
        offset: place,
        length,
        inode: values.s_journal_inum,
        field: `journal superblock.${field}`,
      });
    };
    if (found.h_magic !== journalMagic)
      return wrong('h_magic', 'does not start with its magic number');
    const isFirst = found.h_blocktype === superblock1;
    if (!isFirst && found.h_blocktype !== superblock2)
      return wrong('h_blocktype', `is of type ${found.h_blocktype}`);
    if (!isFirst) {
      const unknown = (found.s_feature_incompat & ~knownIncompatible) >>> 0;
      if (unknown !== 0) return wrong('s_feature_incompat', 'names features that are not known');
      if (found.s_feature_ro_compat !== 0)
        return wrong('s_feature_ro_compat', 'names features that are not known');
      if ((found.s_feature_incompat & checksums) !== 0 && !matches(view, found.s_checksum)) {
        return wrong('s_checksum', 'has a checksum that does not match');
      }
    }
    if (found.s_blocksize !== blockSize)
      return wrong('s_blocksize', `claims blocks of ${found.s_blocksize} bytes`);
    if (found.s_maxlen > Math.floor(size / blockSize))
      return wrong('s_maxlen', `claims ${found.s_maxlen} blocks, more than there are`);
    if (found.s_nr_users > 1) {
      return wrong('s_nr_users', `claims ${found.s_nr_users} users, as only an external one has`);
    }
    if (found.s_errno !== 0) {
      const { offset, length } = journalSuperblock.fields.s_errno;
      const message = `The journal was stopped by error ${found.s_errno | 0}.`;
      this.context.report.add('ext-journal-stopped', message, {
        offset: bytes.offset + block * blockSize + offset,
        length,
        inode: values.s_journal_inum,
        field: 'journal superblock.s_errno',
      });
    }
    if (found.s_start !== 0 && !features.has('needs_recovery')) {
      this.fail(
        'ext-journal-not-empty',
        'The journal holds changes, but the volume does not say so.',
        values.s_journal_inum,
      );
    }
    if (features.has('needs_recovery')) {
      this.fail(
        'ext-journal-pending',
        'The journal holds changes that are not yet in their places.',
        values.s_journal_inum,
      );
    }
  }

  private fail(
    code:
      | 'ext-journal-external'
      | 'ext-journal-inode'
      | 'ext-journal-inode-copied'
      | 'ext-journal-not-empty'
      | 'ext-journal-pending',
    message: string,
    inode?: number,
  ): void {
    const { offset, length } = superblock.fields.s_journal_inum;
    this.context.report.add(code, message, {
      offset: this.context.superblockPlace + offset,
      length,
      field: 'superblock.s_journal_inum',
      ...(inode !== undefined && { inode }),
    });
  }
}

/** The checksum is made with its own field as zeros. */
function matches(view: DataView, checksum: number): boolean {
  const raw = new Uint8Array(view.buffer, view.byteOffset, journalSuperblock.size).slice();
  const { offset, length } = journalSuperblock.fields.s_checksum;
  raw.fill(0, offset, offset + length);
  return crc32c(checksumStart, raw) === checksum;
}
