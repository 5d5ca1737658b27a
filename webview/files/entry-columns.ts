import { html, nothing, type TemplateResult } from 'lit';
import type { EntryRow, NodeType, SortColumn } from '../../src/protocol/requests';
import { formatCount, formatDosAttributes, formatMode, formatTime, none } from '../words/formats';
import { visibleText } from '../words/names';
import type { Column } from '../parts/table';

/** A codicon and a word for each type of node. */
export const nodeLooks: Readonly<Record<NodeType, { icon: string; word: string }>> = {
  file: { icon: 'file', word: 'file' },
  directory: { icon: 'folder', word: 'directory' },
  symlink: { icon: 'file-symlink-file', word: 'symbolic link' },
  chardev: { icon: 'terminal', word: 'character device' },
  blockdev: { icon: 'database', word: 'block device' },
  fifo: { icon: 'arrow-swap', word: 'named pipe' },
  socket: { icon: 'plug', word: 'socket' },
  unknown: { icon: 'question', word: 'unknown type' },
};

interface EntryColumn extends Column<EntryRow> {
  readonly key: SortColumn;
}

/** The columns of a listing, on FAT or on ext. */
export function entryColumns(fat: boolean): readonly EntryColumn[] {
  return [
    { key: 'name', title: 'Name', cell: renderName },
    {
      key: 'size',
      title: 'Size',
      numeric: true,
      // What a directory takes is no size of content; FAT says 0 there.
      cell: (row) => (row.type === 'directory' ? '' : formatCount(row.size)),
    },
    { key: 'modified', title: 'Modified', cell: (row) => formatTime(row.modified) },
    fat
      ? { key: 'mode', title: 'Attributes', cell: (row) => formatDosAttributes(row.attributes) }
      : { key: 'mode', title: 'Mode', cell: formatAccess },
    {
      key: 'number',
      title: fat ? 'Cluster' : 'Inode',
      numeric: true,
      // Files without content have no cluster.
      cell: (row) => (row.number === 0 ? none : formatCount(row.number)),
    },
    {
      key: 'fragments',
      title: 'Fragments',
      numeric: true,
      cell: (row) => (row.fragments === null ? none : formatCount(row.fragments)),
    },
  ];
}

function formatAccess(row: EntryRow): string {
  return row.mode === undefined ? none : formatMode(row.mode);
}

function renderName(row: EntryRow): TemplateResult {
  const { icon, word } = nodeLooks[row.type];
  const name = visibleText(row.name);
  const target = row.target === undefined ? undefined : visibleText(row.target);
  const title = [
    target === undefined ? name : `${name} → ${target}`,
    row.nameHex && `Bytes of the name: ${row.nameHex}`,
    row.problem && visibleText(row.problem),
  ];
  return html`<span class="codicon codicon-${icon}" role="img" aria-label=${word}></span
    ><span class="entry-name" title=${title.filter(Boolean).join('\n')}
      ><bdi class="name">${name}</bdi>${
        target === undefined
          ? nothing
          : html`<span class="muted target"> → <bdi>${target}</bdi></span>`
      }</span
    >${row.deleted ? html`<span class="muted deleted-mark">(deleted)</span>` : nothing}${
      row.problem
        ? html`<span
            class="codicon codicon-warning warning"
            role="img"
            aria-label=${visibleText(row.problem)}
            title=${visibleText(row.problem)}
          ></span>`
        : nothing
    }`;
}
