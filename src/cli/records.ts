import type { DirectoryRecord, RecordColumn } from '../filesystem/raw-directory';
import type { VolumeLayout } from '../session/volume-layout';
import { documentCommand, withVolume, type Verb, type ImageOptions } from './context';
import { printableName } from './names';
import { count, printable, printJsonList } from './print';

export const records: Verb = (program, streams) => {
  documentCommand(program, 'records', 'tell how a directory lies on disk, record by record')
    .argument('<path>', 'absolute path inside the image')
    .action((image: string, path: string, options: ImageOptions) =>
      withVolume(image, options, async (volume) => {
        const { layout } = volume;
        const { output, note } = streams;
        const { node } = volume.resolve(path, true).slice(-1)[0];
        const { columns, blocks, problems } = layout.rawDirectory(node);
        if (options.json) {
          const items = jsonBlocks(layout, node);
          await printJsonList(output, {}, 'blocks', items, () =>
            problems.length > 0 ? { problems } : {},
          );
          return;
        }
        for (const [index, block] of blocks.entries()) {
          const [decoded] = layout.records(node, index, 1);
          const name = block.unit === null ? 'block' : `block ${block.unit}`;
          await output.line(
            `${name} at byte ${block.offset}, ${block.length} bytes, ${count(decoded.length, 'record')}`,
          );
          for (const record of decoded) await output.line(recordLine(columns, record));
        }
        for (const { message } of problems) note(message);
      }),
    );
};

/** The blocks with their records, each decoded when it is printed. */
function* jsonBlocks(layout: VolumeLayout, directory: number): Generator<object> {
  const { blocks } = layout.rawDirectory(directory);
  for (const [index, { unit, logical, offset, length }] of blocks.entries()) {
    const [decoded] = layout.records(directory, index, 1);
    yield { block: unit, logical, offset, length, records: decoded.map(recordJson) };
  }
}

/** `state` is what ext calls it, `kind` what FAT does; both are there for both. */
function recordJson(record: DirectoryRecord): object {
  const { offset, length, state, name, nameHex, node, partOf, problem, values } = record;
  return {
    offset,
    length,
    ...values,
    name,
    nameHex,
    state,
    kind: state,
    node,
    partOf,
    problem,
  };
}

function recordLine(columns: readonly RecordColumn[], record: DirectoryRecord): string {
  const values = columns
    .filter(({ key }) => (record.values[key] ?? '') !== '')
    .map(({ key }) => `${key}=${record.values[key]}`);
  const parts = [String(record.offset).padStart(12), record.state.padEnd(11), ...values].map(
    printable,
  );
  if (record.name) parts.push(`"${printableName(record.name, record.nameHex)}"`);
  if (record.problem) parts.push(`(${printable(record.problem)})`);
  return parts.join(' ');
}
