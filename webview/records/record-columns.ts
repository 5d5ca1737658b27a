import { html, type TemplateResult } from 'lit';
import type { RawDirectoryBlock, RecordColumn } from '../../src/protocol/requests';
import { capitalize, formatCount, formatOffset, none } from '../words/formats';
import { visibleText } from '../words/names';
import type { RecordRow } from './record-list';
import { formatValue, stateWords } from '../words/record-words';
import type { Column } from '../parts/table';

/** Room for each column, by its key, in pixels; a name takes what is left. */
const widths: Readonly<Record<string, number>> = {
  disk: 92,
  block: 84,
  state: 118,
  inode: 84,
  recLen: 74,
  nameLen: 86,
  fileType: 92,
  minimum: 64,
  slack: 64,
  attributes: 128,
  firstCluster: 108,
  size: 96,
  modified: 168,
  longName: 200,
  order: 52,
  checksum: 92,
  problem: 280,
};
const otherWidth = 100;
const leastNameWidth = 160;

/** Values that are read like words, though they are numbers. */
const wordKeys = new Set(['fileType', 'attributes', 'modified', 'longName']);

/**
 * The columns of the table of records: what all have, and the family's own.
 * @param hasProblems whether there are records that violate a rule
 */
export function recordColumns(
  columns: readonly RecordColumn[],
  blocks: readonly RawDirectoryBlock[],
  unit: string,
  hasProblems: boolean,
): readonly Column<RecordRow>[] {
  const problem: Column<RecordRow> = {
    key: 'problem',
    title: 'Problem',
    meaning: 'The rule that it violates',
    cell: renderProblem,
  };
  return [
    {
      key: 'disk',
      title: 'Offset',
      meaning: 'Where it lies in the image',
      cell: ({ record }) => formatOffset(record.offset),
    },
    { key: 'state', title: 'State', meaning: 'What it is', cell: renderState },
    { key: 'name', title: 'Name', meaning: 'The name it holds', cell: renderName },
    ...(hasProblems ? [problem] : []),
    ...columns.map(({ key, title, meaning }): Column<RecordRow> => ({
      key,
      title,
      meaning: capitalize(meaning),
      numeric: !wordKeys.has(key),
      cell: ({ record }) => formatValue(key, record.values[key]),
    })),
    {
      key: 'block',
      title: capitalize(unit),
      meaning: `The ${unit} that holds it`,
      numeric: true,
      cell: ({ block }) => formatUnit(blocks[block].unit),
    },
  ];
}

/** The widths of these columns, and of the narrowest table, for the style sheet. */
export function columnWidths(columns: readonly Column<RecordRow>[]): string {
  const others = columns.filter(({ key }) => key !== 'name').map(({ key }) => widthOf(key));
  const least = others.reduce((sum, width) => sum + width, leastNameWidth);
  const tracks = columns.map(({ key }) =>
    key === 'name' ? `minmax(${leastNameWidth}px, 1fr)` : `${widthOf(key)}px`,
  );
  return `--columns: ${tracks.join(' ')}; --least-width: ${least}px`;
}

function widthOf(key: string): number {
  return widths[key] ?? otherWidth;
}

function formatUnit(unit: number | null): string {
  return unit === null ? none : formatCount(unit);
}

function renderState({ record }: RecordRow): TemplateResult {
  const { word, meaning } = stateWords[record.state];
  return html`<span class="record-swatch segment ${record.state}" aria-hidden="true"></span
    ><span title=${meaning}>${word}</span>`;
}

function renderName({ record }: RecordRow): TemplateResult {
  const name = visibleText(record.name);
  const title = record.nameHex ? `${name}\nBytes of the name: ${record.nameHex}` : name;
  return html`<span class="entry-name" title=${title}><bdi class="name">${name}</bdi></span>`;
}

function renderProblem({ record }: RecordRow): TemplateResult | string {
  if (record.problem === undefined) return '';
  const problem = visibleText(record.problem);
  return html`<span class="codicon codicon-error error" role="img" aria-label="error"></span
    ><span class="record-problem" title=${problem}>${problem}</span>`;
}
