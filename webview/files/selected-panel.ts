import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { InspectorCommand, NodeDetails, NodeId } from '../../src/protocol/requests';
import { hasEnded, messageOf } from '../inspection/errors';
import { layOutPieces } from './extent-scale';
import {
  formatAmount,
  formatCount,
  formatDate,
  formatDosAttributes,
  formatMode,
  formatOffset,
  formatSize,
  formatTime,
} from '../words/formats';
import { visibleText } from '../words/names';
import { canExport } from '../words/no-content';
import { InspectionPart } from '../part';
import { pathIn, pathOf, type Chosen } from '../inspection/selection';
import { nodeLooks } from './entry-columns';
import './extent-strip';
import { renderExtents } from './extent-table';
import { openPlanner } from '../inspection/edits';
import { renderAction } from '../parts/action';
import { renderFacts } from '../parts/message';
import { renderFailure, renderProblems } from '../parts/problems';

/** Extents that are drawn. */
const drawnExtents = 2000;

/** Moving through the table quickly asks only for where it stops, in milliseconds. */
const askAfter = 60;

/** Everything there is to say about the chosen entry, or about the directory itself. */
@customElement('fsimg-selected-panel')
class SelectedPanel extends InspectionPart {
  @state() private details: NodeDetails | null = null;
  @state() private failure: string | null = null;

  /** What `details` are of, and what was asked for last. */
  private shown = '';
  private asked = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(): void {
    const { place, revision } = this.inspection;
    const node = place?.chosen?.node ?? place?.trail.at(-1)?.node;
    if (!place || node === undefined) return;
    const key = `${revision} ${place.volume} ${node}`;
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(key, place.volume, node), askAfter);
  }

  private async ask(key: string, volume: number, node: NodeId): Promise<void> {
    try {
      const details = await this.inspection.host.details(volume, node, drawnExtents);
      if (key !== this.asked) return;
      this.details = details;
      this.failure = null;
    } catch (error) {
      if (key !== this.asked || hasEnded(error)) return;
      this.details = null;
      this.failure = messageOf(error);
    }
    this.shown = key;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { place } = this.inspection;
    const directory = place?.trail.at(-1);
    if (!place || !directory) return nothing;
    const { chosen, trail } = place;
    const name = chosen?.name ?? (trail.length > 1 ? directory.name : '/');
    const path = chosen ? pathIn(trail, chosen.name) : pathOf(trail);
    const type = chosen?.type ?? 'directory';
    return html`<section
      class="selected-panel"
      aria-label=${chosen ? 'Selected entry' : 'This directory'}
      aria-busy=${this.shown !== this.asked}
    >
      <h2>
        <span class="codicon codicon-${nodeLooks[type].icon}" aria-hidden="true"></span>
        <bdi class="name">${visibleText(name)}</bdi>
      </h2>
      ${path === name ? nothing : html`<p class="path muted"><bdi>${visibleText(path)}</bdi></p>`}
      ${this.renderButtons(chosen, path)} ${renderFailure(this.failure)}
      ${this.details ? this.renderDetails(this.details) : nothing}
    </section>`;
  }

  private renderButtons(chosen: Chosen | null, path: string): TemplateResult {
    const { inspection } = this;
    const run = (command: InspectorCommand) => () => void inspection.host.runCommand(command);
    const open = () => {
      const volume = inspection.place?.volume;
      if (!chosen || volume === undefined) return;
      if (chosen.type === 'directory') inspection.enter(chosen);
      else void inspection.host.openContent(volume, chosen.node, path);
    };
    const canOpen = chosen?.type === 'directory' || chosen?.type === 'file';
    return html`<div class="buttons">
        ${
          canOpen
            ? html`<vscode-button appearance="secondary" @click=${open}>Open</vscode-button>`
            : nothing
        }
        ${
          canExport(chosen?.type ?? 'directory')
            ? html`<vscode-button appearance="secondary" @click=${run('fsimg.export')}
                >Export…</vscode-button
              >`
            : nothing
        }
        <vscode-button appearance="secondary" @click=${run('fsimg.copyPath')}>
          Copy Path
        </vscode-button>
      </div>
      ${chosen ? this.renderChanges(chosen) : nothing} ${this.renderWays(chosen)}`;
  }

  private renderChanges({ type }: Chosen): TemplateResult {
    const { inspection } = this;
    return html`<div class="buttons" role="group" aria-label="Changes">
      ${renderAction(inspection, 'fsimg.rename')} ${renderAction(inspection, 'fsimg.delete')}
      ${
        type === 'file'
          ? renderAction(
              inspection,
              'fsimg.preallocate',
              () => void openPlanner(inspection, 'preallocate'),
            )
          : nothing
      }
    </div>`;
  }

  /** What is chosen in the other views. */
  private renderWays(chosen: Chosen | null): TemplateResult {
    const views = { records: 'Records', space: 'Space', structures: 'Structures' } as const;
    return html`<p class="ways">
      <span class="muted">Show in</span>
      ${Object.entries(views).map(
        ([view, title]) =>
          html`<button
            class="link"
            title="Show in ${title}"
            @click=${() => this.inspection.showEntry(view as keyof typeof views, chosen)}
          >
            ${title}
          </button>`,
      )}
    </p>`;
  }

  private renderDetails(details: NodeDetails): TemplateResult {
    const { inspection } = this;
    const unit = inspection.volume?.unit;
    const units = unit ? Math.ceil(details.size / unit.size) : 0;
    const pieces = layOutPieces(details.extents, units, details.extentCount);
    const drawn = unit && details.extentCount > 0;
    return html`
      ${renderProblems(details.problems, 'this node', (offset) => inspection.showBytes(offset, 1))}
      ${
        drawn
          ? html`<fsimg-extent-strip
              .pieces=${pieces}
              .unit=${unit.name}
              .summary=${summarize(details)}
            ></fsimg-extent-strip>`
          : nothing
      }
      ${renderFacts(this.factsOf(details))}
      ${
        drawn
          ? renderExtents(
              pieces,
              unit.name,
              details.extentCount,
              (at, view) => void inspection.showUnit(at, view),
            )
          : nothing
      }
    `;
  }

  private factsOf(details: NodeDetails): [string, string | TemplateResult][] {
    const fat = this.inspection.volume?.unit?.name === 'cluster';
    const zone = fat ? '' : ' UTC';
    const facts: [string, string | TemplateResult][] = [
      ['Type', nodeLooks[details.type].word],
      [fat ? 'First cluster' : 'Inode', formatCount(details.number)],
      ['Size', formatBytes(details.size)],
      ['Allocated', formatBytes(details.allocated)],
      ['Fragments', formatCount(details.fragments)],
    ];
    const times: [string, string | null | undefined][] = [
      ['Modified', details.modified],
      ['Accessed', details.accessed],
      ['Changed', details.changed],
      ['Created', details.created],
    ];
    for (const [name, time] of times) {
      if (time === undefined) continue;
      // FAT has no time of day for it (FAT specification 1.03, DIR_LstAccDate).
      const isDate = fat && name === 'Accessed';
      const written = (iso: string) => (isDate ? formatDate(iso) : formatTime(iso, true));
      facts.push([name, time === null ? 'not set' : `${written(time)}${zone}`]);
    }
    if (details.mode !== undefined) {
      const octal = (details.mode & 0o7777).toString(8).padStart(4, '0');
      facts.push(['Mode', html`<span class="code">${formatMode(details.mode)}</span> ${octal}`]);
    }
    if (details.uid !== undefined) facts.push(['Owner', `${details.uid}:${details.gid ?? ''}`]);
    if (details.links !== undefined) facts.push(['Links', formatCount(details.links)]);
    if (details.device) facts.push(['Device', `${details.device.major}:${details.device.minor}`]);
    if (details.target !== undefined) {
      facts.push(['Leads to', html`<bdi class="name">${visibleText(details.target)}</bdi>`]);
    }
    if (details.attributes.length > 0) {
      const letters = fat
        ? html`<span class="code">${formatDosAttributes(details.attributes)}</span> `
        : nothing;
      facts.push(['Attributes', html`${letters}${details.attributes.join(', ')}`]);
    }
    if (details.offset > 0) {
      const length = details.structures.find(({ offset }) => offset === details.offset)?.length;
      const show = () => this.inspection.showBytes(details.offset, length ?? 1);
      facts.push([
        fat ? 'Slot at' : 'Inode at',
        html`<button class="link" title="Show in Structures" @click=${show}>
          ${formatOffset(details.offset)}
        </button>`,
      ]);
    }
    return facts;
  }
}

function formatBytes(bytes: number): string {
  return bytes < 1024
    ? formatAmount(bytes, 'byte')
    : `${formatCount(bytes)} B (${formatSize(bytes)})`;
}

function summarize({ extentCount, fragments }: NodeDetails): string {
  return `${formatAmount(extentCount, 'extent')} in ${formatAmount(fragments, 'fragment')}, listed below`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-selected-panel': SelectedPanel;
  }
}
