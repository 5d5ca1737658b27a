import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ImagePlace, OwnerAnswer } from '../../src/protocol/requests';
import { hasEnded, messageOf } from '../inspection/errors';
import { formatVolume } from '../words/formats';
import { visibleText } from '../words/names';
import { isQuickToSearch } from '../inspection/owner-search';
import { describeOwner, describeUnits } from '../words/owner-words';
import { InspectionPart } from '../part';
import type { Task } from '../inspection/tasks';

/** Moving through bytes quickly asks only for where it stops, in milliseconds. */
const askAfter = 80;

type Shown =
  | { readonly state: 'known'; readonly place: ImagePlace; readonly owner: OwnerAnswer | null }
  | { readonly state: 'failed'; readonly message: string };

/** Who owns the block or cluster at a byte of the image, and the ways there. */
@customElement('fsimg-owner-line')
class OwnerLine extends InspectionPart {
  /** In the image, in bytes. */
  @property({ attribute: false }) offset = 0;

  @state() private shown: Shown | null = null;

  private asked = '';
  /** Whether the search for owners came to nothing; it is then begun by the person alone. */
  private gaveUp = false;
  private task: Task<OwnerAnswer> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.task?.cancel();
  }

  protected override willUpdate(): void {
    const key = `${this.inspection.revision} ${this.offset}`;
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    this.task?.cancel();
    this.timer = setTimeout(() => void this.ask(key, this.offset), askAfter);
  }

  private async ask(key: string, offset: number): Promise<void> {
    try {
      const place = await this.inspection.host.placeAt(offset);
      const owner = await this.askOwner(key, place);
      if (key !== this.asked) return;
      this.shown = { state: 'known', place, owner };
      if (owner?.role === 'allocated') this.findIfQuick(place);
    } catch (error) {
      if (key !== this.asked || hasEnded(error)) return;
      this.shown = { state: 'failed', message: messageOf(error) };
    }
  }

  private async askOwner(key: string, { volume, unit }: ImagePlace): Promise<OwnerAnswer | null> {
    if (volume === null || unit === null || key !== this.asked) return null;
    const { host, tasks } = this.inspection;
    this.task = tasks.start((task) => host.owner(volume, unit, task));
    return this.task.answer;
  }

  protected override render(): TemplateResult {
    return html`<p class="owner-line" role="status">
      <span class="codicon codicon-person" aria-hidden="true"></span>
      ${this.shown ? this.renderShown(this.shown) : nothing}
    </p>`;
  }

  private renderShown(shown: Shown): TemplateResult {
    if (shown.state === 'failed') {
      return html`<span class="owner-name">${visibleText(shown.message)}</span>`;
    }
    const { place, owner } = shown;
    const volume = this.inspection.image?.volumes.find(({ index }) => index === place.volume);
    if (!volume) return html`<span class="muted owner-name">Outside of every volume</span>`;
    const where = volume.index === this.inspection.place?.volume ? '' : `${formatVolume(volume)}: `;
    if (!owner || place.unit === null || !volume.unit) {
      const units = volume.unit ? `, outside of its ${volume.unit.name}s` : '';
      return html`<span class="muted owner-name">${formatVolume(volume)}${units}</span>`;
    }
    const { name } = volume.unit;
    const unit = describeUnits({ first: place.unit, units: 1 }, name);
    const whose = describeOwner({ unit: place.unit, owner }, name);
    return html`<span class="owner-name" title=${whose}>${where}${unit}: <bdi>${whose}</bdi></span>
      ${this.renderLinks(volume.index, place.unit, owner)}`;
  }

  private renderLinks(volume: number, unit: number, owner: OwnerAnswer): TemplateResult {
    const { inspection, offset } = this;
    const { node, role } = owner;
    const link = (title: string, label: string, run: () => void) =>
      html`<button class="link" title=${title} @click=${run}>${label}</button>`;
    return html`<span class="links">
      ${
        role === 'allocated'
          ? link(
              'Find out who owns what in this volume',
              'Find Owner',
              () => void this.findOwner(volume, unit),
            )
          : nothing
      }
      ${
        node === undefined
          ? nothing
          : link(
              'Show the owner in Files',
              'Files',
              () => void inspection.showNode(node, 'files', volume),
            )
      }
      ${
        node !== undefined && role === 'directory'
          ? link(
              'Show the record that lies here',
              'Records',
              () => void inspection.showRecords(node, offset, volume),
            )
          : nothing
      }
      ${link('Show it on the map', 'Space', () => void inspection.showUnit(unit, 'space', volume))}
    </span>`;
  }

  private findIfQuick({ volume, unit }: ImagePlace): void {
    const summary = this.inspection.image?.volumes.find(({ index }) => index === volume);
    if (!summary || unit === null || !isQuickToSearch(summary) || this.gaveUp) return;
    void this.findOwner(summary.index, unit);
  }

  private async findOwner(volume: number, unit: number): Promise<void> {
    const key = this.asked;
    const owner = await this.inspection.ownerOf(volume, unit).catch(() => null);
    this.gaveUp = owner === null;
    if (owner && key === this.asked) {
      this.shown = { state: 'known', place: { volume, unit }, owner };
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-owner-line': OwnerLine;
  }
}
