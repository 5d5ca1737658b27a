import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { setPlanner, whyNotPlanned } from '../inspection/edits';
import type { PlacedUnits } from '../../src/protocol/requests';
import { visibleText } from '../words/names';
import { renderFailure } from '../parts/problems';
import { InspectionPart } from '../part';
import { renderPlannedExtents } from './planned-extents';
import type { Planner } from './planner';
import { renderPreallocation } from './preallocation-form';
import type { Stretch } from './space-grid';
import { renderTrim } from './trim-form';

/** What is about to be done to the volume, and what it would come to. */
@customElement('fsimg-planner')
class PlannerPanel extends InspectionPart {
  @property({ attribute: false }) planner!: Planner;
  /** Shows a run of units on the map. */
  @property({ attribute: false }) zoomTo!: (run: Stretch) => void;

  override focus(): void {
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>('vscode-text-field, vscode-button')?.focus(),
    );
  }

  protected override render(): TemplateResult | typeof nothing {
    const { planner, inspection } = this;
    const { kind } = planner;
    const unit = inspection.volume?.unit;
    if (kind === null || !unit) return nothing;
    const title = kind === 'trim' ? 'Trim' : 'Preallocate';
    const why = whyNotPlanned(inspection, kind);
    return html`<section class="planner" aria-label=${title} @keydown=${this.onKey}>
      <h3>${title}${kind === 'trim' ? nothing : this.renderFile()}</h3>
      ${
        why === null
          ? html`${kind === 'trim' ? renderTrim(planner) : renderPreallocation(planner, unit.name, () => inspection.showView('files'))}
            ${this.renderFailure()}`
          : html`<p class="problems">
              <span class="codicon codicon-lock" aria-hidden="true"></span>
              <span>${visibleText(why)}</span>
            </p>`
      }
      ${this.renderButtons(why)} ${kind === 'preallocate' ? this.renderExtents(unit) : nothing}
    </section>`;
  }

  private renderExtents(unit: PlacedUnits): TemplateResult | typeof nothing {
    const { planned, shown } = this.planner;
    const count = shown?.allocation?.extentCount ?? 0;
    return renderPlannedExtents(planned, count, unit, (run) => this.zoomTo(run));
  }

  private renderFile(): TemplateResult | typeof nothing {
    const { file } = this.planner;
    return file ? html`: <bdi>${visibleText(file.name)}</bdi>` : nothing;
  }

  private renderFailure(): TemplateResult {
    return html`<div role="alert">${renderFailure(this.planner.outcome?.failure)}</div>`;
  }

  private renderButtons(why: string | null): TemplateResult {
    const { planner } = this;
    return html`<div class="buttons">
      <vscode-button
        ?disabled=${why !== null || !planner.isReady}
        @click=${() => void planner.apply()}
        >Apply</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => this.leave()}>Cancel</vscode-button>
      ${this.renderWaiting()}
    </div>`;
  }

  private renderWaiting(): TemplateResult | typeof nothing {
    const { planner } = this;
    if (planner.stopped) {
      return html`<span class="muted"
        >Not planned. <button class="link" @click=${() => planner.resume()}>Plan</button></span
      >`;
    }
    if (!planner.waiting) return nothing;
    return html`<span class="lasting muted" role="status"
      >Planning… <button class="link" @click=${() => planner.stop()}>Stop</button></span
    >`;
  }

  private leave(): void {
    setPlanner(this.inspection, null);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.leave();
    else if (event.key === 'Enter' && isField(event.target)) void this.planner.apply();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Enter applies from where something is typed; buttons have it for themselves. */
function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('vscode-text-field');
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-planner': PlannerPanel;
  }
}
