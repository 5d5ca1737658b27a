import type { DescribedField, DescribedStructure } from '../filesystem/structure';
import { u32be, u64be } from '../filesystem/structure';
import type { JournalFile } from './journal-file';
import { readTag, tagSize } from './journal-log';
import {
  commitBlock,
  journalBlockTypes,
  journalHeader,
  journalMagic,
  journalSuperblock,
  journalTag,
  journalTag3,
  revokeHeader,
  tagFlags,
} from './journal-structures';

const identitySize = 16;

/**
 * A block of the journal with its fields; null where it holds content, or nothing.
 * @param index counted from the journal's start
 */
export function describeJournalBlock(
  journal: JournalFile,
  index: number,
): DescribedStructure | null {
  const view = journal.read(index);
  if (!view) return null;
  const place = journal.placeOf(index);
  const header = journalHeader.read(view);
  if (header.h_magic !== journalMagic) return null;
  const name = (what: string) => `${what} of transaction ${header.h_sequence}`;
  switch (header.h_blocktype) {
    case journalBlockTypes.descriptor:
      return describeDescriptor(journal, view, name('descriptor block'), place);
    case journalBlockTypes.revoke:
      return describeRevokes(journal, view, name('revoke block'), place);
    case journalBlockTypes.commit:
      return commitBlock.describe(view, name('commit block'), place);
    case journalBlockTypes.superblock1:
    case journalBlockTypes.superblock2:
      return journalSuperblock.describe(view, 'journal superblock', place);
    default:
      return null;
  }
}

function describeDescriptor(
  journal: JournalFile,
  view: DataView,
  name: string,
  place: number,
): DescribedStructure {
  const fields: DescribedField[] = [...journalHeader.describe(view, '', place).fields];
  const size = tagSize(journal);
  const end = view.byteLength - (journal.hasBlockChecksums ? 4 : 0);
  let at = journalHeader.size;
  for (let i = 0; at + size <= end; i++) {
    const tag = journal.checksum3
      ? journalTag3.describe(view, '', place + at, at)
      : journalTag.describe(view, '', place + at, at, journal.isWide ? 12 : 8);
    fields.push(...tag.fields.map((field) => ({ ...field, name: `[${i}].${field.name}` })));
    const { flags } = readTag(journal, view, at);
    if ((flags & tagFlags.last) !== 0) break;
    at += size + ((flags & tagFlags.sameIdentity) !== 0 ? 0 : identitySize);
  }
  return { kind: 'descriptor block', name, offset: place, length: view.byteLength, fields };
}

function describeRevokes(
  journal: JournalFile,
  view: DataView,
  name: string,
  place: number,
): DescribedStructure {
  const fields: DescribedField[] = [...revokeHeader.describe(view, '', place).fields];
  const width = journal.isWide ? 8 : 4;
  const end = Math.min(revokeHeader.read(view).r_count, view.byteLength);
  for (let at = revokeHeader.size; at + width <= end; at += width) {
    const meaning = 'block of the volume that is not rewritten by what came before';
    const field = journal.isWide ? u64be(at, meaning) : u32be(at, meaning);
    fields.push({
      name: `[${(at - revokeHeader.size) / width}]`,
      offset: place + at,
      length: width,
      value: field.show(view, at),
      meaning,
      format: field.format,
    });
  }
  return { kind: 'revoke block', name, offset: place, length: view.byteLength, fields };
}
