import { html, nothing, type TemplateResult } from 'lit';
import type { DirectoryRecord, IndexNode, RecordColumn } from '../../src/protocol/requests';
import { formatCount } from '../words/formats';
import { lineEntries } from './hash-scale';
import { lineSegments, type Join, type Piece, type Segment } from './record-scale';
import { describeRecord, recordTitle } from '../words/record-words';

/** Narrower segments have no room for a name, or for what they are instead, in pixels. */
const namedWidth = 26;
const wordWidth = 64;
const numberedWidth = 16;
/** In narrower ones a full border would leave nothing to see. */
const borderedWidth = 8;

/** How the segments of a line are drawn. */
export interface LineLook {
  readonly columns: readonly RecordColumn[];
  /** Bytes in a line, and their width in pixels. */
  readonly length: number;
  readonly width: number;
  /** Where the chosen record lies in the image. */
  readonly chosen: number | null;
  readonly passes: (record: DirectoryRecord) => boolean;
}

/** The id of a record's element; only one of its segments has it. */
function recordId({ offset }: DirectoryRecord): string {
  return `record-${offset}`;
}

/** The records in one line of a strip, from byte `from` of their block on. */
export function renderSegments(
  pieces: readonly Piece[],
  from: number,
  look: LineLook,
): TemplateResult[] {
  return lineSegments(pieces, from, look.length, look.width).map((segment) =>
    renderSegment(segment, look),
  );
}

function renderSegment(segment: Segment, look: LineLook): TemplateResult {
  const { piece, left, width, needed, opens, named } = segment;
  const { record } = piece;
  const chosen = record.offset === look.chosen;
  const place = `left: ${left}px; width: ${width}px; --needed: ${Math.min(needed, width)}px`;
  const hasRoom = named && Math.min(needed, width) >= (record.name ? namedWidth : wordWidth);
  const content = html`${
    hasRoom ? html`<bdi class="segment-name">${recordTitle(record)}</bdi>` : nothing
  }${piece.join ? renderJoin(piece.join, record.state === 'short') : nothing}`;
  // A record that goes on in the next line is one option still.
  return opens
    ? html`<div
        id=${recordId(record)}
        role="option"
        aria-label=${describeRecord(look.columns, record)}
        aria-selected=${chosen}
        class=${classesOf(segment, look, chosen)}
        .style=${place}
      >
        ${content}
      </div>`
    : html`<div aria-hidden="true" class=${classesOf(segment, look, chosen)} .style=${place}>
        ${content}
      </div>`;
}

function classesOf(
  { piece, width, opens, closes }: Segment,
  look: LineLook,
  chosen: boolean,
): string {
  const { record, nested, breaks } = piece;
  const classes: Record<string, boolean> = {
    [record.state]: true,
    opens,
    closes,
    narrow: width < borderedWidth,
    nested,
    chosen,
    breaks: breaks && closes,
    problem: record.problem !== undefined,
    faded: !look.passes(record),
  };
  return `segment ${Object.keys(classes)
    .filter((name) => classes[name])
    .join(' ')}`;
}

/**
 * The bracket below the slots of one name, closed by a mark: the checksum that its parts keep is
 * that of the short name, or it is not.
 */
function renderJoin({ before, after, whole }: Join, isShort: boolean): TemplateResult {
  const ends = `${before ? '' : 'first'} ${after ? '' : 'last'}`;
  const icon = !whole && !after ? 'close' : whole && isShort ? 'check' : null;
  return html`<span class="join ${whole ? 'whole' : 'failed'} ${ends}" aria-hidden="true"></span>${
      icon
        ? html`<span class="join-mark codicon codicon-${icon}" aria-hidden="true"></span>`
        : nothing
    }`;
}

/** The entries of the hash tree in one line of the block that holds them. */
export function renderEntries(
  entries: readonly IndexNode[],
  offset: number,
  { length, width }: LineLook,
): TemplateResult[] {
  return lineEntries(entries, offset, length, width).map(
    ({ node, left, width }) =>
      html`<span
        class="hash-entry"
        aria-hidden="true"
        .style=${`left: ${left}px; width: ${width}px`}
        >${width >= numberedWidth ? formatCount(node.logical) : nothing}</span
      >`,
  );
}
