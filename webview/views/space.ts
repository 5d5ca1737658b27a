import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { VolumeSummary } from '../../src/protocol/requests';
import { formatAmount, formatShare, formatSize } from '../words/formats';
import { visibleText } from '../words/names';
import type { OwnerKnowledge } from '../inspection/owner-search';
import { renderClosedVolume } from '../parts/closed-volume';
import { renderMessage, renderWaiting } from '../parts/message';
import '../parts/sash';
import { renderFreeFacts, renderHistogram } from '../space/space-free';
import '../space/space-free-list';
import type { FreeListActions } from '../space/space-free-list';
import '../space/space-legend';
import '../space/space-map';
import { renderChosenUnit } from '../space/space-unit';
import { Planner } from '../space/planner';
import '../space/planner-panel';
import type { Stretch } from '../space/space-grid';
import { InspectionPart } from '../part';
import { SpaceModel } from '../space/space-model';
import { setPlanner } from '../inspection/edits';
import { renderAction } from '../parts/action';
import { panelWidths, type PlannerKind } from '../inspection/state';
import type { View, ViewElement } from './view';

/** Extents by which the chosen node is found on the map. */
const soughtExtents = 2000;

export const spaceView: View = {
  id: 'space',
  title: 'Space',
  render: (inspection) => html`<fsimg-space .inspection=${inspection}></fsimg-space>`,
};

/** What lies where on a volume, and what of it is free. */
@customElement('fsimg-space')
class SpaceView extends InspectionPart implements ViewElement {
  /** The free list leaves out what is shorter, in units. */
  @state() private minimum = 1;

  private model!: SpaceModel;
  private planner!: Planner;
  private shownPlanner: PlannerKind | null = null;

  private readonly freeActions: FreeListActions = {
    choose: ({ first }) => this.inspection.chooseUnit(first),
    open: (extent) => this.model.zoomTo(extent),
    setMinimum: (minimum) => (this.minimum = minimum),
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.model = new SpaceModel(this.inspection, () => this.requestUpdate());
    this.planner = new Planner(this.inspection, () => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.model.close();
    this.planner.close();
  }

  override focus(): void {
    this.querySelector<HTMLElement>('fsimg-space-map, .message')?.focus();
  }

  focusFilter(): void {
    this.querySelector<HTMLElement>('.minimum vscode-text-field')?.focus();
  }

  protected override willUpdate(): void {
    this.planner.follow();
    this.model.planned = this.planner.planned;
    this.model.follow();
  }

  protected override updated(): void {
    // What the model shows has changed, though it is the same object.
    this.querySelector('fsimg-space-map')?.requestUpdate();
    const planner = this.querySelector('fsimg-planner');
    planner?.requestUpdate();
    const { kind } = this.planner;
    // Whoever opens it goes on there.
    if (kind !== this.shownPlanner) {
      if (kind !== null) planner?.focus();
      else if (document.activeElement === document.body) this.focus();
    }
    this.shownPlanner = kind;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { image, volume, state: shown } = this.inspection;
    if (!image) return nothing;
    if (!volume?.unit || volume.unreadable !== null) {
      return html`<section class="view">${renderClosedVolume(image, volume)}</section>`;
    }
    return html`<section class="view space" .style=${`--panel-width: ${shown.panelWidth}px`}>
      ${this.renderToolbar(volume)}
      <div class="split">
        <div class="split-main">
          <fsimg-space-map .inspection=${this.inspection} .model=${this.model}></fsimg-space-map>
          ${renderChosenUnit(this.inspection, this.model)} ${this.renderObstacle()}
        </div>
        <fsimg-sash
          .value=${shown.panelWidth}
          .least=${panelWidths.least}
          .most=${panelWidths.most}
          .resize=${(panelWidth: number) => this.inspection.update({ panelWidth })}
        ></fsimg-sash>
        <div class="space-panel">${this.renderPanel(volume)}</div>
      </div>
    </section>`;
  }

  private renderToolbar(volume: VolumeSummary): TemplateResult {
    const { model } = this;
    const isLeast = (model.stretch?.units ?? 0) <= 1;
    return html`<div class="toolbar">
      <div class="zoom" role="group" aria-label="Zoom">
        ${renderButton('zoom-out', 'Zoom out (-)', model.isWhole, () => model.zoom(2))}
        ${renderButton('zoom-in', 'Zoom in (+)', isLeast, () => model.zoom(1 / 2))}
        ${renderButton('screen-full', 'Show the whole volume (0)', model.isWhole, () =>
          model.zoomToWhole(),
        )}
      </div>
      <span class="toolbar-count muted">${this.describeScale(volume)}</span>
      ${this.renderNode()} ${this.renderPlans()} ${this.renderOwners(model.owners.knowledge)}
    </div>`;
  }

  private describeScale({ unit }: VolumeSummary): string {
    const { model } = this;
    const { stretch, grid, whole } = model;
    if (!stretch || !grid || !unit || !whole) return '';
    const perCell = stretch.units / grid.cells;
    const about = Number.isInteger(perCell) ? '=' : '≈';
    const size = formatSize(Math.round(perCell) * unit.size);
    const cell = `cell ${about} ${formatAmount(Math.round(perCell), unit.name)}, ${size}`;
    const sight = model.isWhole
      ? 'Whole volume'
      : `${formatShare(stretch.units, whole.units)} of the volume`;
    return `${sight} · ${cell}`;
  }

  private renderNode(): TemplateResult | typeof nothing {
    const name = this.highlightName();
    if (name === null) return nothing;
    return html`<button
      class="link zoom-to-node"
      title="Zoom to where ${name} lies"
      @click=${() => void this.zoomToNode()}
    >
      <span class="codicon codicon-target" aria-hidden="true"></span>
      <bdi>${name}</bdi>
    </button>`;
  }

  private renderPlans(): TemplateResult {
    const { inspection } = this;
    return html`<div class="plans" role="group" aria-label="Changes">
      ${renderAction(inspection, 'fsimg.preallocate', () => setPlanner(inspection, 'preallocate'))}
      ${renderAction(inspection, 'fsimg.trim', () => setPlanner(inspection, 'trim'))}
    </div>`;
  }

  /** What is highlighted, by its name; null where nothing is. */
  private highlightName(): string | null {
    const { model, inspection } = this;
    const { found } = model.chosen;
    if (model.highlight === null) return null;
    if (found?.owner.node !== undefined) {
      const path = found.owner.paths?.at(0) ?? found.owner.name;
      return visibleText(path.slice(path.lastIndexOf('/') + 1) || path);
    }
    return visibleText(inspection.place?.chosen?.name ?? '');
  }

  private renderOwners(knowledge: OwnerKnowledge): TemplateResult | typeof nothing {
    const { owners } = this.model;
    const volume = this.inspection.volume?.index ?? 0;
    if (knowledge.state === 'known') return nothing;
    if (knowledge.state === 'finding') {
      const { done, total } = knowledge;
      return html`<span class="lasting owners" role="status">
        <span class="muted">Finding owners…${total > 0 ? ` ${formatShare(done, total)}` : ''}</span>
        <button class="link" @click=${() => owners.stop()}>Cancel</button>
      </span>`;
    }
    return html`<span class="owners">
      ${
        knowledge.state === 'failed'
          ? html`<span class="error">${visibleText(knowledge.message)}</span>`
          : nothing
      }
      <vscode-button
        title="Find out which file or directory each ${this.inspection.volume?.unit?.name} belongs to"
        @click=${() => owners.start(volume)}
        >Find Owners</vscode-button
      >
    </span>`;
  }

  /** Why there is no map, or what it waits for. */
  private renderObstacle(): TemplateResult | typeof nothing {
    const { pictures } = this.model;
    const { obstacle, detail, progress } = pictures;
    const again = { title: 'Draw the Map', run: () => pictures.retry() };
    if (!this.model.whole) {
      return renderMessage({ icon: 'info', title: 'There is nothing on this volume to map' });
    }
    if (obstacle?.kind === 'failed') {
      return renderMessage({
        icon: 'error',
        title: 'The map cannot be drawn',
        text: visibleText(obstacle.message),
        action: { ...again, title: 'Try Again' },
      });
    }
    if (detail) return nothing;
    if (obstacle?.kind === 'stopped') {
      return renderMessage({
        icon: 'circle-slash',
        title: 'The map was not drawn',
        text: 'Counting the free space was given up.',
        action: again,
      });
    }
    const share = progress === null ? '' : ` ${formatShare(progress, 1)}`;
    return html`${renderWaiting(`Looking at the volume…${share}`)}
      <p class="lasting waiting-action">
        <vscode-button appearance="secondary" @click=${() => pictures.stop()}>Cancel</vscode-button>
      </p>`;
  }

  private renderPanel(volume: VolumeSummary): TemplateResult {
    const { model, inspection, minimum } = this;
    const { space } = inspection;
    const unit = volume.unit?.name ?? 'block';
    const summary = space?.state === 'counted' ? space.summary : null;
    return html`
      <fsimg-planner
        ?hidden=${this.planner.kind === null}
        .inspection=${inspection}
        .planner=${this.planner}
        .zoomTo=${(run: Stretch) => model.zoomTo(run)}
      ></fsimg-planner>
      <fsimg-space-legend
        .map=${model.pictures.detail?.map ?? null}
        .unit=${unit}
        .selected=${this.highlightName()}
        .planned=${this.describePlan(unit)}
      ></fsimg-space-legend>
      ${this.renderBefore(volume)}
      <section class="free-space" aria-label="Free space">
        <h3>Free space, in ${unit}s</h3>
        ${
          summary
            ? html`${renderFreeFacts(volume, summary)}
              ${renderHistogram(summary, unit, minimum, (least) => (this.minimum = least))}`
            : html`<p class="muted">Not counted yet.</p>`
        }
      </section>
      ${
        summary
          ? html`<fsimg-free-list
              .inspection=${inspection}
              .minimum=${minimum}
              .actions=${this.freeActions}
            ></fsimg-free-list>`
          : nothing
      }
    `;
  }

  private describePlan(unit: string): string | null {
    const { planner } = this;
    const { planned } = planner;
    if (planned.length === 0) return null;
    if (planner.known !== null) return `the first ${formatAmount(planner.known, 'extent')}`;
    const units = planned.reduce((sum, run) => sum + run.units, 0);
    return planner.kind === 'trim'
      ? `${formatAmount(units, unit)} to punch or zero`
      : `${formatAmount(units, unit)} of the file`;
  }

  /** What lies before the first unit is on no map of units. */
  private renderBefore({ offset, type, unit }: VolumeSummary): TemplateResult | typeof nothing {
    const length = unit ? unit.offset - offset : 0;
    if (!unit || length <= 0) return nothing;
    const what: Readonly<Record<string, string>> = {
      fat12: 'boot sector, FATs and root directory',
      fat16: 'boot sector, FATs and root directory',
      fat32: 'boot sectors, FSInfo and FATs',
    };
    return html`<p class="before muted">
      Before ${unit.name} ${unit.first}: ${what[type] ?? 'boot sector'}, ${formatSize(length)}.
      <button class="link" @click=${() => this.inspection.showBytes(offset, unit.size)}>
        Show
      </button>
    </p>`;
  }

  /** Zooms to what lies between the first and the last unit of the highlighted node. */
  private async zoomToNode(): Promise<void> {
    const { model, inspection } = this;
    const { highlight } = model;
    const volume = inspection.volume?.index;
    if (highlight === null || volume === undefined) return;
    const details = await inspection.host
      .details(volume, highlight, soughtExtents)
      .catch(() => null);
    if (!details || highlight !== model.highlight || details.extents.length === 0) return;
    const first = Math.min(...details.extents.map(({ physical }) => physical));
    const end = Math.max(...details.extents.map(({ physical, length }) => physical + length));
    model.zoomTo({ first, units: end - first });
  }
}

function renderButton(
  icon: string,
  title: string,
  disabled: boolean,
  run: () => void,
): TemplateResult {
  return html`<vscode-button
    appearance="icon"
    aria-label=${title}
    title=${title}
    ?disabled=${disabled}
    @click=${run}
  >
    <span class="codicon codicon-${icon}"></span>
  </vscode-button>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-space': SpaceView;
  }
}
