import { html, nothing, type TemplateResult } from 'lit';
import type { IndexNode, RawDirectoryBlock } from '../../src/protocol/requests';
import type { BlockFacts } from './block-facts';
import { capitalize, formatCount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';

export interface BlockHead {
  readonly block: RawDirectoryBlock;
  /** `block` or `cluster`. */
  readonly unit: string;
  /** Undefined while its records have not come. */
  readonly facts: BlockFacts | undefined;
  /** What it is in the hash tree. */
  readonly node: IndexNode | undefined;
}

/** What stands over the strip of a block: which one it is, what it holds, what is wrong with it. */
export function renderBlockHead({ block, unit, facts, node }: BlockHead): TemplateResult {
  const { unit: number, logical, offset } = block;
  return html`<div class="strip-head">
    <b>${number === null ? `Part ${logical}` : `${capitalize(unit)} ${formatCount(number)}`}</b>
    <span class="muted strip-place"
      >${number === null ? '' : `#${formatCount(logical)} `}at ${formatOffset(offset)}</span
    >
    ${node ? html`<span class="muted">${describeNode(node)}</span>` : nothing}
    ${facts ? html`<span class="muted strip-summary">${facts.summary}</span>` : nothing}
    ${facts && facts.broken.length > 0 ? renderProblem(block, facts) : nothing}
  </div>`;
}

/** Which names a block of the hash tree is responsible for. */
export function describeNode({ level, isLeaf, lowest, highest }: IndexNode): string {
  const what = isLeaf ? 'leaf' : level === 0 ? 'root of the hash tree' : 'node of the hash tree';
  return level === 0 ? what : `${what}, hashes ${formatHash(lowest)}–${formatHash(highest)}`;
}

export function formatHash(hash: number): string {
  return hash.toString(16).padStart(8, '0');
}

function renderProblem(block: RawDirectoryBlock, { pieces, broken }: BlockFacts): TemplateResult {
  const breaking = pieces.find(({ breaks }) => breaks)?.record;
  const { offset, problem = '' } = breaking ?? broken[0];
  const at = `+${(offset - block.offset).toString(16)}`;
  const more = broken.length > 1 ? ` (${formatCount(broken.length - 1)} more)` : '';
  const text = `${breaking ? `the chain breaks at ${at}` : at}: ${visibleText(problem)}${more}`;
  return html`<span class="strip-problem" title=${text}>
    <span class="codicon codicon-error error" role="img" aria-label="error"></span>
    ${text}
  </span>`;
}
