import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { VolumeSummary } from '../../src/protocol/requests';
import { formatAmount, formatShare, formatSize, formatVolume } from '../words/formats';
import type { Space } from '../inspection/free-space';
import { visibleText } from '../words/names';
import { renderCheckSummary } from '../checks/check-summary';
import { InspectionPart } from '../part';
import type { ControlElement } from '../toolkit';

/** What the image holds, which volume of it is shown, and how that is. */
@customElement('fsimg-bar')
class Bar extends InspectionPart {
  protected override render(): TemplateResult {
    const { image, volume, space } = this.inspection;
    return html`<header class="bar">
      ${image && volume ? this.renderPicker(image.volumes, volume) : nothing}
      <span class="bar-summary">
        ${volume ? summarize(volume, space) : nothing} ${this.renderCounting(space)}
      </span>
      ${renderCheckSummary(this.inspection)} ${volume ? renderReadOnly(volume) : nothing}
      ${volume ? this.renderReplay(volume) : nothing}
      ${image ? renderWarnings(warningsOf(image.notes, volume)) : nothing}
    </header>`;
  }

  private renderCounting(space: Space | null): TemplateResult | typeof nothing {
    if (space?.state === 'counting') {
      const share = space.total > 0 ? ` ${formatShare(space.done, space.total)}` : '';
      return html`<span class="lasting">
        · counting free space…${share}
        <button class="link" @click=${() => this.inspection.stopCountingSpace()}>Stop</button>
      </span>`;
    }
    if (space?.state !== 'stopped' && space?.state !== 'failed') return nothing;
    const why = space.state === 'failed' ? visibleText(space.message) : 'free space not counted';
    return html`<span>
      · ${why}
      <button class="link" @click=${() => this.inspection.countSpace()}>Count</button>
    </span>`;
  }

  /** Offers the state after recovery where the journal holds what has not reached its place. */
  private renderReplay({ replayed, state }: VolumeSummary): TemplateResult | typeof nothing {
    if (!replayed && !state.includes('needs recovery')) return nothing;
    return html`<vscode-checkbox
      .checked=${live(replayed)}
      title="Shows the volume as it will be once its journal is replayed. The image stays as it is."
      @change=${(event: Event) => {
        const { checked } = event.target as ControlElement;
        if (checked !== this.inspection.volume?.replayed)
          void this.inspection.showReplayed(checked);
      }}
      >After journal replay</vscode-checkbox
    >`;
  }

  private renderPicker(volumes: readonly VolumeSummary[], shown: VolumeSummary): TemplateResult {
    if (volumes.length === 1) {
      return html`<span class="bar-volume">
        <span class="codicon codicon-database" aria-hidden="true"></span>
        <bdi>${formatVolume(shown)}</bdi>
      </span>`;
    }
    return html`<vscode-dropdown
      class="bar-volume"
      aria-label="Volume"
      .value=${String(shown.index)}
      @change=${(event: Event) => {
        void this.inspection.openVolume(Number((event.target as ControlElement).value));
      }}
    >
      ${volumes.map(
        (volume) =>
          html`<vscode-option
            value=${String(volume.index)}
            ?selected=${volume.index === shown.index}
            >${formatVolume(volume)}${
              volume.unreadable === null ? '' : ' — not read'
            }</vscode-option
          >`,
      )}
    </vscode-dropdown>`;
  }
}

function summarize(volume: VolumeSummary, space: Space | null): string {
  const { unit, freeBlocks, blocks } = volume;
  if (!unit) return '';
  const facts = [`${formatSize(unit.size)} ${unit.name}s`];
  if (space?.state === 'counted') {
    const { free, total, extents } = space.summary;
    facts.push(`${formatShare(free, total)} free in ${formatAmount(extents, 'extent')}`);
  } else if (freeBlocks !== null && blocks) {
    facts.push(`${formatShare(freeBlocks, blocks)} free`);
  }
  return facts.join(' · ');
}

function warningsOf(imageNotes: readonly string[], volume: VolumeSummary | null): string[] {
  const state = volume?.unreadable === null && volume.state !== 'clean' ? volume.state : null;
  return [
    ...imageNotes,
    ...(volume?.notes ?? []),
    ...(state ? [`The filesystem says of itself: ${state}.`] : []),
  ].map(visibleText);
}

/** What cannot be read says so in the place of its files. */
function renderReadOnly({
  whyReadOnly,
  unreadable,
}: VolumeSummary): TemplateResult | typeof nothing {
  if (whyReadOnly === null || unreadable !== null) return nothing;
  const why = visibleText(whyReadOnly);
  return html`<span class="read-only" title=${why}
    ><span class="read-only-badge"
      ><span class="codicon codicon-lock" aria-hidden="true"></span>Read-only</span
    ><span class="read-only-why">${why}</span></span
  >`;
}

/** One line; where there are more, it unfolds. */
function renderWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
  if (warnings.length === 0) return nothing;
  const icon = html`<span
    class="codicon codicon-warning warning"
    role="img"
    aria-label="Warning"
  ></span>`;
  if (warnings.length === 1)
    return html`<p class="warnings">${icon}<span>${warnings[0]}</span></p>`;
  return html`<details class="warnings">
    <summary>${icon}<span>${warnings[0]} (${warnings.length - 1} more)</span></summary>
    <ul>
      ${warnings.slice(1).map((warning) => html`<li>${warning}</li>`)}
    </ul>
  </details>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-bar': Bar;
  }
}
