import { html, nothing, type TemplateResult } from 'lit';
import type { AllocationPolicy, AllocationReport } from '../../src/protocol/requests';
import { renderFacts } from '../parts/message';
import { formatAmount, formatCount, formatSize } from '../words/formats';
import { visibleText } from '../words/names';
import { policies, policyWords } from '../words/policy-words';
import { renderKnown, renderSizeField, renderSwitch } from './plan-field';
import type { Outcome, Planner } from './planner';

/**
 * What is asked of a preallocation, and what it would come to.
 * @param showFiles leads to where a file can be chosen
 */
export function renderPreallocation(
  planner: Planner,
  unit: string,
  showFiles: () => void,
): TemplateResult {
  if (!planner.file) {
    return html`<p class="muted">
      No file is chosen. <button class="link" @click=${showFiles}>Choose one in Files</button>
    </p>`;
  }
  return html`
    <div class="plan-fields">
      ${renderSizeField(planner, 'length', 'Length', `The bytes that shall have ${unit}s`)}
      ${renderSizeField(planner, 'offset', 'From', 'The first of them, in the file')}
    </div>
    ${
      planner.canKeepSize
        ? renderSwitch(
            planner,
            'keepSize',
            'Keep the size of the file',
            planner.marksUnwritten
              ? `The ${unit}s then lie beyond its end, marked as unwritten.`
              : `The ${unit}s then lie beyond its end; fsck.fat would cut them off.`,
          )
        : nothing
    }
    ${
      planner.canKeepSize && !planner.marksUnwritten && planner.inputs.keepSize
        ? renderSwitch(planner, 'zero', 'Write zeros', `Else the ${unit}s keep what they hold.`)
        : nothing
    }
    ${renderPolicies(planner)} ${renderPlan(planner, unit)}
  `;
}

/** The policies to choose from, and what each would come to. */
function renderPolicies(planner: Planner): TemplateResult {
  return html`<table class="policies">
    <caption>
      Where it is taken from
    </caption>
    <thead>
      <tr>
        <th scope="col" class="policy">Policy</th>
        <th scope="col" title="New extents of the file">Extents</th>
        <th scope="col" title="Pieces that the whole file lies in afterwards">Fragments</th>
      </tr>
    </thead>
    <tbody>
      ${policies.map((policy) => renderPolicy(planner, policy, planner.outcomeOf(policy)))}
    </tbody>
  </table>`;
}

function renderPolicy(
  planner: Planner,
  policy: AllocationPolicy,
  outcome: Outcome | null,
): TemplateResult {
  const { title, meaning } = policyWords[policy];
  const allocation = outcome?.report?.allocation;
  return html`<tr data-policy=${policy}>
    <th scope="row" class="policy" title=${meaning}>
      <label
        ><input
          type="radio"
          name="policy"
          .checked=${planner.inputs.policy === policy}
          @change=${() => planner.change({ policy })}
        />${title}</label
      >
    </th>
    ${
      outcome?.failure
        ? html`<td colspan="2" title=${visibleText(outcome.failure)}>not possible</td>`
        : html`<td>${allocation ? formatCount(allocation.extentCount) : '…'}</td>
            <td>${allocation ? formatCount(allocation.fragments) : '…'}</td>`
    }
  </tr>`;
}

function renderPlan(planner: Planner, unit: string): TemplateResult | typeof nothing {
  const { shown, known } = planner;
  const allocation = shown?.allocation;
  if (!shown || !allocation) return nothing;
  const notes = [...new Set([...allocation.notes, ...shown.notes])];
  return html`<div class="plan" aria-busy=${planner.waiting}>
    ${renderFacts(factsOf(allocation, unit))} ${renderKnown(known)}
    ${notes.map((note) => html`<p class="plan-remark">${visibleText(note)}</p>`)}
  </div>`;
}

function factsOf(
  { extentCount, fragments, allocatedUnits, metadataWrites, bytesZeroed }: AllocationReport,
  unit: string,
): [string, string][] {
  return [
    ['Takes', `${formatAmount(allocatedUnits, unit)} in ${formatAmount(extentCount, 'extent')}`],
    ['File then in', formatAmount(fragments, 'fragment')],
    ['Metadata', formatAmount(metadataWrites, unit === 'cluster' ? 'sector write' : 'block write')],
    ['Zeroed', bytesZeroed === 0 ? 'nothing' : formatSize(bytesZeroed)],
  ];
}
