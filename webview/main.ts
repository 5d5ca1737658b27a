import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ViewId } from '../src/protocol/requests';
import { Inspection } from './inspection/inspection';
import { formatShare } from './words/formats';
import { onInspectorKey, undoesTyping } from './keyboard';
import { visibleText } from './words/names';
import { InspectionPart } from './part';
import './parts/bar';
import { renderMessage, renderWaiting } from './parts/message';
import { renderDismiss, renderOutside } from './parts/outside-changes';
import './parts/table';
import { startCheck } from './checks/check-summary';
import { openPlanner } from './inspection/edits';
import type { Host } from './inspection/host';
import { reveal, revealFinding, showIn } from './inspection/reveal';
import { connectHost, type VsCodeApi } from './rpc';
import { Tasks } from './inspection/tasks';
import { registerControls } from './toolkit';
import { checksView } from './views/checks';
import { filesView } from './views/files';
import { recordsView } from './views/records';
import { spaceView } from './views/space';
import { structuresView } from './views/structures';
import type { View, ViewElement } from './views/view';

declare function acquireVsCodeApi(): VsCodeApi;

/** The tabs, in their order. */
const views: readonly View[] = [filesView, recordsView, spaceView, structuresView, checksView];

/** The whole editor of one image. */
@customElement('fsimg-inspector')
export class Inspector extends InspectionPart {
  private shownId: ViewId | null = null;

  constructor() {
    super();
    this.inspection = startInspection(acquireVsCodeApi());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // VS Code listens on the window: what is ours must not get there.
    // Before the controls, of which the tabs take arrows whatever is held with them.
    document.addEventListener('keydown', this.onKey, true);
    window.addEventListener('focus', this.onFocus);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKey, true);
    window.removeEventListener('focus', this.onFocus);
  }

  /** What had the keyboard went with its view: the next view takes it. */
  protected override updated(): void {
    const { view } = this.inspection.state;
    if (view === this.shownId) return;
    this.shownId = view;
    if (document.hasFocus()) this.onFocus();
  }

  protected override render(): TemplateResult {
    const { image, failure } = this.inspection;
    if (image) return html`${this.renderNotices()} ${this.renderImage()} ${this.renderInquiry()}`;
    if (failure === null) return renderWaiting('Opening the image…');
    return renderMessage({
      icon: 'error',
      title: 'This image cannot be opened',
      text: visibleText(failure),
      action: { title: 'Try Again', run: () => this.reload() },
    });
  }

  private renderImage(): TemplateResult {
    const shown = views.find(({ id }) => id === this.inspection.state.view) ?? views[0];
    return html`<fsimg-bar .inspection=${this.inspection}></fsimg-bar>
      <vscode-panels
        class="views"
        activeid="tab-${shown.id}"
        aria-label="Views"
        @change=${this.onViewChange}
      >
        ${views.map(
          ({ id, title, badge }) =>
            html`<vscode-panel-tab id="tab-${id}"
              >${title} ${badge?.(this.inspection) ?? nothing}</vscode-panel-tab
            >`,
        )}
        ${views.map(
          (view) =>
            html`<vscode-panel-view id="view-${view.id}">
              ${view === shown ? view.render(this.inspection) : nothing}
            </vscode-panel-view>`,
        )}
      </vscode-panels>`;
  }

  /** What went wrong while the image was open. */
  private renderNotices(): TemplateResult {
    const { failure, isGone, notice, outside } = this.inspection;
    return html`<div class="notices" role="alert">
      ${
        failure === null
          ? nothing
          : html`<p class="notice">
              <span class="codicon codicon-error error" aria-hidden="true"></span>
              <span>${visibleText(failure)}</span>
              <vscode-button appearance="secondary" @click=${() => this.reload()}>
                Reload
              </vscode-button>
            </p>`
      }
      ${
        isGone
          ? html`<p class="notice">
              <span class="codicon codicon-warning warning" aria-hidden="true"></span>
              <span>The image is no longer there; this is its last state.</span>
            </p>`
          : nothing
      }
      ${
        notice === null
          ? nothing
          : html`<p class="notice">
              <span class="codicon codicon-info note" aria-hidden="true"></span>
              <span>${visibleText(notice)}</span>
              ${renderDismiss(() => this.inspection.tell(null))}
            </p>`
      }
      ${outside ? renderOutside(outside, () => this.inspection.setOutside(null)) : nothing}
    </div>`;
  }

  /** What one waits for. */
  private renderInquiry(): TemplateResult | typeof nothing {
    const { inquiry } = this.inspection;
    if (!inquiry) return nothing;
    const share = inquiry.share === null ? '' : ` ${formatShare(inquiry.share, 1)}`;
    return html`<p class="inquiry" role="status">
      <vscode-progress-ring></vscode-progress-ring>
      <span>${inquiry.text}${share}</span>
      <vscode-button appearance="secondary" @click=${() => inquiry.cancel()}>Cancel</vscode-button>
    </p>`;
  }

  private reload(): void {
    void this.inspection.host.runCommand('fsimg.reload').catch(() => undefined);
    void this.inspection.load();
  }

  private onViewChange(event: Event): void {
    const tab = (event as CustomEvent<HTMLElement | undefined>).detail;
    const view = views.find(({ id }) => tab?.id === `tab-${id}`);
    if (view && view.id !== this.inspection.state.view) this.inspection.showView(view.id);
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (undoesTyping(event)) return event.stopPropagation();
    const { shownView } = this;
    const targets = { focusFilter: () => shownView?.focusFilter?.() };
    if (!onInspectorKey(event, this.inspection, targets)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** The keyboard works at once when VS Code gives the editor the focus. */
  private readonly onFocus = () => {
    if (document.activeElement === document.body) this.shownView?.focus();
  };

  private get shownView(): ViewElement | null {
    return this.querySelector<ViewElement>('vscode-panel-view > *');
  }
}

function startInspection(api: VsCodeApi): Inspection {
  const tasks = new Tasks((task) => void host.cancel(task).catch(() => undefined));
  const host: Host = connectHost(api, {
    progress: (...event) => tasks.progress(...event),
    reveal: (destination, view) => reveal(inspection, destination, view),
    showIn: (view, entry) => showIn(inspection, view, entry),
    imageChanged: () => {
      inspection.setGone(false);
      return inspection.load();
    },
    imageGone: () => inspection.setGone(true),
    engineRestarted: (failure) => (failure === null ? inspection.load() : inspection.fail(failure)),
    openPlanner: (planner, entry) => openPlanner(inspection, planner, entry),
    startCheck: async () => {
      await inspection.opened;
      startCheck(inspection);
    },
    checked: (volume) => inspection.checks.ended(volume),
    showFinding: (volume, index) => revealFinding(inspection, volume, index),
    changedOutside: (difference) => inspection.setOutside(difference),
  });
  const inspection = new Inspection(host, tasks, api);
  void inspection.load();
  return inspection;
}

registerControls();
