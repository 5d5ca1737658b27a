import type { DescribedField, DescribedStructure } from '../filesystem/structure';
import { indexCounts, indexEntry, indexRoot, nodeEntriesAt, recordsBefore } from './htree';
import { directoryRecord, plainDirectoryRecord, type BlockRecord } from './records';

const nameAt = directoryRecord.size;

/**
 * The records of a part of a directory, live or not, with the index where it holds one.
 * @param place where the part starts in the image, in bytes
 */
export function describeRecords(
  part: Uint8Array,
  place: number,
  records: readonly BlockRecord[],
  hasFileType: boolean,
): DescribedStructure[] {
  const view = new DataView(part.buffer, part.byteOffset, part.length);
  const declared = hasFileType ? directoryRecord : plainDirectoryRecord;
  return records.flatMap((record) => {
    const { offset, state } = record;
    if (state === 'htree') return describeIndex(view, record, place);
    if (offset + declared.size > part.length) return [];
    const name = new TextDecoder().decode(record.name);
    const described = declared.describe(view, `${state} record ${name}`, place + offset, offset);
    const fields = [...described.fields, ...nameField(record, name, place)];
    const leads = record.inode > 0 && record.name.length > 0 && state !== 'broken';
    return [
      {
        ...described,
        length: record.length,
        fields,
        ...(leads && { node: record.inode }),
      },
    ];
  });
}

function nameField(record: BlockRecord, name: string, place: number): DescribedField[] {
  if (record.name.length === 0) return [];
  const offset = place + record.offset + nameAt;
  const { length } = record.name;
  const format = { kind: 'text', padding: null } as const;
  return [{ name: 'name', offset, length, value: name, meaning: 'the name', format }];
}

/** The index in a root lies behind `.` and `..`; a node's behind a record without a name. */
function describeIndex(view: DataView, record: BlockRecord, place: number): DescribedStructure[] {
  const isRoot = record.offset === recordsBefore;
  const fields: DescribedField[] = [];
  let at = nodeEntriesAt;
  if (isRoot) {
    fields.push(...indexRoot.describe(view, '', place + record.offset, record.offset).fields);
    at = record.offset + indexRoot.read(view, record.offset).info_length;
  } else {
    fields.push(...directoryRecord.describe(view, '', place, 0).fields);
  }
  const { count } = indexCounts.read(view, at);
  fields.push(...indexCounts.describe(view, '', place + at, at).fields);
  for (let i = 1; i < count && at + (i + 1) * indexEntry.size <= view.byteLength; i++) {
    const entryAt = at + i * indexEntry.size;
    const entry = indexEntry.describe(view, '', place + entryAt, entryAt);
    fields.push(...entry.fields.map((field) => ({ ...field, name: `[${i}].${field.name}` })));
  }
  const kind = isRoot ? 'directory index root' : 'directory index node';
  return [{ kind, name: kind, offset: place + record.offset, length: record.length, fields }];
}
