import { html, nothing, type TemplateResult } from 'lit';
import type { RawDirectoryBlock } from '../../src/protocol/requests';
import { formatAmount, formatCount, formatShare } from '../words/formats';
import { renderRemark } from '../parts/problems';
import type { RecordList } from './record-list';

/** How many records a directory has and how many of them pass, or how far counting them is. */
export function renderRecordCount(
  list: RecordList,
  blocks: readonly RawDirectoryBlock[],
  unit: string,
): TemplateResult {
  if (list.gathering) {
    return html`<span class="toolbar-count lasting muted">
      Reading records… ${formatShare(list.looked, list.blocks)}
      <button class="link" @click=${() => list.stop()}>Stop</button>
    </span>`;
  }
  const { found, total } = list;
  const all = formatAmount(total, 'record');
  const matched = found.length === total ? all : `${formatCount(found.length)} of ${all}`;
  // A fixed root and what an inode keeps are no units of the volume.
  const part = blocks.at(0)?.unit === null ? 'part' : unit;
  return html`<span class="toolbar-count muted" role="status"
    >${matched} in ${formatAmount(list.looked, part)}</span
  >`;
}

/** Says that not all records are listed, and how to see the others. */
export function renderUnread(list: RecordList): TemplateResult | typeof nothing {
  if (list.gathering || list.done || list.failure !== null) return nothing;
  const way = list.full
    ? 'Filter to see others.'
    : html`<button class="link" @click=${() => void list.gather()}>Read the Rest</button>`;
  const share = formatShare(list.looked, list.blocks);
  return renderRemark('note', html`These are the records of ${share} of the directory. ${way}`);
}
