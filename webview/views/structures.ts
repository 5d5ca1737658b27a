import { html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type {
  ByteRange,
  DescribedField,
  DescribedStructure,
  NodeDetails,
} from '../../src/protocol/requests';
import { structureFor } from '../structures/annotations';
import { BytePages } from '../structures/byte-pages';
import { Covering } from '../structures/covering';
import { inspectedBytes } from '../structures/data-values';
import { describeAnnotation } from '../words/field-words';
import { formatOffset, formatSize } from '../words/formats';
import { visibleText } from '../words/names';
import { renderDataInspector } from '../structures/data-inspector';
import { renderStructureHead } from '../structures/structure-head';
import '../structures/field-table';
import type { FieldActions } from '../structures/field-table';
import '../structures/hex';
import type { HexActions } from '../structures/hex';
import '../structures/owner-line';
import '../parts/sash';
import '../structures/search-bar';
import '../parts/tree';
import type { TreeActions } from '../parts/tree';
import { InspectionPart } from '../part';
import { change, changeField, whyFixed } from '../inspection/edits';
import { treeWidths } from '../inspection/state';
import { StructureTree, type TreeItem } from '../structures/structure-tree';
import type { View } from './view';

/** Bytes that are copied at once. */
const mostCopied = 1024 * 1024;

export const structuresView: View = {
  id: 'structures',
  title: 'Structures',
  render: (inspection) => html`<fsimg-structures .inspection=${inspection}></fsimg-structures>`,
};

/** What is chosen in the tree. */
interface Picked {
  readonly item: TreeItem;
  readonly structure: DescribedStructure;
  readonly bytes: ByteRange;
}

/** The structures on disk: their tree, their fields, and the bytes of the image. */
@customElement('fsimg-structures')
class StructuresView extends InspectionPart {
  private pages!: BytePages;
  private covering!: Covering;
  private tree!: StructureTree;

  /** The structure that is chosen in the tree, and as long as its bytes are. */
  @state() private picked: Picked | null = null;
  /** The structures at the first selected byte. */
  @state() private at: readonly DescribedStructure[] = [];
  /** The item that was chosen in the tree last. */
  private latest: TreeItem | null = null;
  @state() private pointed: ByteRange | null = null;
  /** Where the structure of the chosen entry lies. */
  @state() private entryBytes: ByteRange | null = null;
  private sight: object = {};

  private revision = -1;
  private askedEntry = '';
  private askedAt = '';
  /** The bytes that the view itself has chosen; others come from elsewhere, and are shown. */
  private own: ByteRange | null = null;
  private shownBytes: ByteRange | null = null;

  @query('fsimg-hex') private readonly hex!: HTMLElement | null;

  private readonly hexActions: HexActions = {
    choose: (bytes) => this.choose(bytes),
    chooseField: (offset) => {
      const annotation = this.covering.annotations.at(offset);
      if (annotation) this.choose(annotation.field ?? annotation.structure);
    },
    point: (offset) => this.point(offset),
    show: (first, end) => {
      this.pages.show(first, end);
      this.covering.show(first, end);
    },
    copy: (bytes) => void this.copy(bytes),
    write: (offset, bytes) => this.write(offset, bytes),
    refuse: (why) => this.inspection.tell(why),
  };

  private readonly fieldActions: FieldActions = {
    choose: (field) => this.chooseElsewhere(field),
    point: (field) => {
      this.pointed = field && { offset: field.offset, length: field.length };
    },
    write: (structure, field, value) => changeField(this.inspection, structure, field, value),
    refuse: (why) => this.inspection.tell(why),
  };

  private readonly treeActions: TreeActions = {
    choose: (item, jumps) => void this.pick(item, jumps),
    unfolded: () => this.inspection.remember({ unfolded: this.tree.unfoldedIds }),
  };

  override connectedCallback(): void {
    super.connectedCallback();
    const { host, state: remembered } = this.inspection;
    const changed = () => this.requestUpdate();
    this.pages = new BytePages((offset, length) => host.bytes(offset, length), changed);
    this.covering = new Covering((offset, length) => host.structuresAt(offset, length), changed);
    this.tree = new StructureTree(
      (volume, key) => host.structureBranches(volume, key),
      changed,
      remembered.unfolded,
    );
  }

  override focus(): void {
    void this.updateComplete.then(() => this.hex?.focus());
  }

  focusFilter(): void {
    this.querySelector('fsimg-search-bar')?.focus();
  }

  /** What is selected: bytes, or else the structure of the chosen entry. */
  private get selected(): ByteRange {
    const bytes = this.inspection.bytes ?? this.entryBytes ?? { offset: 0, length: 1 };
    const size = this.inspection.image?.image.size ?? 0;
    const offset = Math.min(bytes.offset, Math.max(0, size - 1));
    return { offset, length: Math.max(1, Math.min(bytes.length, size - offset)) };
  }

  protected override willUpdate(): void {
    const { inspection } = this;
    if (inspection.revision !== this.revision) {
      this.revision = inspection.revision;
      void this.renewPicked();
      this.pages.clear();
      this.covering.clear();
    }
    this.followVolume();
    this.followEntry();
    this.followBytes();
  }

  private askedTree = '';
  private followVolume(): void {
    const { volume, revision } = this.inspection;
    const readable = volume?.unreadable === null ? volume.index : null;
    const key = `${revision} ${readable}`;
    if (key === this.askedTree) return;
    this.askedTree = key;
    void this.tree.load(readable);
  }

  /** Finds the structure that makes the chosen entry, or the directory that is shown. */
  private followEntry(): void {
    const { place, revision, bytes } = this.inspection;
    const node = place?.chosen?.node ?? place?.trail.at(-1)?.node;
    if (!place || node === undefined || bytes) return;
    const key = `${revision} ${place.volume} ${node}`;
    if (key === this.askedEntry) return;
    this.askedEntry = key;
    void this.inspection.host
      .details(place.volume, node, 0)
      .then(bytesOf, () => null)
      .then((found) => {
        if (key === this.askedEntry) this.entryBytes = found;
      });
  }

  private followBytes(): void {
    const { selected } = this;
    const key = `${this.revision} ${selected.offset}`;
    if (key !== this.askedAt) {
      this.askedAt = key;
      void this.inspection.host
        .structuresAt(selected.offset, 1)
        .catch(() => [])
        .then((structures) => {
          if (key === this.askedAt) this.at = structures;
        });
    }
    if (sameRange(selected, this.shownBytes)) return;
    this.shownBytes = selected;
    if (!sameRange(selected, this.own)) this.sight = {};
    if (this.picked && !sameRange(selected, this.picked.bytes)) this.picked = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { image, state: remembered } = this.inspection;
    if (!image) return nothing;
    const { selected } = this;
    return html`<section
      class="view structures"
      .style=${`--tree-width: ${remembered.treeWidth}px`}
    >
      <div class="toolbar">
        <fsimg-search-bar
          .inspection=${this.inspection}
          .selected=${selected}
          .found=${(bytes: ByteRange) => this.inspection.showBytes(bytes.offset, bytes.length)}
        ></fsimg-search-bar>
        <vscode-button
          appearance="secondary"
          title="Go to a path, an inode, a block or a byte (Ctrl+G)"
          @click=${() => void this.inspection.host.runCommand('fsimg.goTo')}
          >Go to…</vscode-button
        >
      </div>
      <div class="structures-split">
        ${this.renderTree()}
        <fsimg-sash
          .side=${'left'}
          .value=${remembered.treeWidth}
          .least=${treeWidths.least}
          .most=${treeWidths.most}
          .resize=${(treeWidth: number) => this.inspection.update({ treeWidth })}
        ></fsimg-sash>
        <div class="structures-main">
          ${this.renderStructure(selected)}
          <div class="structures-bytes">
            ${this.renderHex(image.image.size, selected)} ${this.renderStatus(selected)}
          </div>
          <div class="structures-values">
            ${renderDataInspector(this.pages.slice(selected.offset, inspectedBytes))}
          </div>
        </div>
      </div>
    </section>`;
  }

  private renderTree(): TemplateResult {
    const { tree } = this;
    const chosen = this.chosenItem();
    return html`<div class="structures-tree">
      ${
        tree.failure === null
          ? nothing
          : html`<p class="problems">
              <span class="codicon codicon-error error" role="img" aria-label="error"></span>
              <span>${visibleText(tree.failure)}</span>
            </p>`
      }
      ${
        tree.ready && tree.rows.length === 0 && tree.failure === null
          ? html`<p class="problems muted">No structure of this image is known.</p>`
          : nothing
      }
      <fsimg-tree
        .tree=${tree}
        .rows=${tree.rows}
        .chosen=${chosen?.id ?? ''}
        .actions=${this.treeActions}
      ></fsimg-tree>
    </div>`;
  }

  /** The item of the structure that is shown, if the tree has it in sight. */
  private chosenItem(): TreeItem | undefined {
    const { picked, shownStructure } = this;
    if (picked) return picked.item;
    if (!shownStructure) return undefined;
    const { offset, name } = shownStructure;
    const there = this.tree.rows.filter(({ branch }) => branch.offset === offset);
    // The tree may add to a name what kind of node it is.
    return there.find(({ branch }) => branch.name === name || branch.name.startsWith(`${name} `));
  }

  private get shownStructure(): DescribedStructure | null {
    return this.picked?.structure ?? structureFor(this.at, this.selected);
  }

  private renderStructure(selected: ByteRange): TemplateResult {
    const structure = this.shownStructure;
    return html`<section class="structures-fields" aria-label="Structure">
      <header class="structure-head">
        ${
          structure
            ? renderStructureHead(this.inspection, structure, this.around(structure), (one) =>
                this.chooseElsewhere(one),
              )
            : html`<h2>No known structure</h2>`
        }
      </header>
      ${
        structure
          ? html`<fsimg-field-table
              .structure=${structure}
              .selected=${selected}
              .pointed=${this.pointed}
              .actions=${this.fieldActions}
              .whyFixed=${whyFixed(this.inspection, structure.offset)}
            ></fsimg-field-table>`
          : html`<p class="problems muted">
              No structure that is known covers ${formatOffset(selected.offset)}.
            </p>`
      }
    </section>`;
  }

  /** The structures that one lies in, the outermost first. */
  private around(structure: DescribedStructure): readonly DescribedStructure[] {
    return this.at.filter((one) => !sameRange(one, structure) && one.length >= structure.length);
  }

  private renderHex(size: number, selected: ByteRange): TemplateResult {
    const { failure } = this.pages;
    return html`${
        failure === null
          ? nothing
          : html`<p class="problems">
              <span class="codicon codicon-error error" role="img" aria-label="error"></span>
              <span>Some bytes cannot be read: ${visibleText(failure)}</span>
            </p>`
      }<fsimg-hex
        .pages=${this.pages}
        .annotations=${this.covering.annotations}
        .size=${size}
        .selected=${selected}
        .pointed=${this.pointed}
        .sight=${this.sight}
        .actions=${this.hexActions}
        .whyFixed=${whyFixed(this.inspection, selected.offset)}
        .version=${this.pages.version}
      ></fsimg-hex>`;
  }

  /** What the pointer or the keyboard is at, and who owns it. */
  private renderStatus(selected: ByteRange): TemplateResult {
    const { offset, length } = selected;
    const annotation = this.covering.annotations.at(this.pointed?.offset ?? offset);
    const range =
      length === 1
        ? formatOffset(offset)
        : `${formatOffset(offset)}–${formatOffset(offset + length - 1)}`;
    return html`<div class="hex-status">
      <p class="hex-place">
        <span>${range}${length === 1 ? '' : ` · ${formatSize(length)}`}</span>
        ${
          annotation
            ? html`<span class="muted" title=${describeAnnotation(annotation)}
                >${describeAnnotation(annotation).split('\n').slice(0, 3).join(' · ')}</span
              >`
            : nothing
        }
      </p>
      <fsimg-owner-line .inspection=${this.inspection} .offset=${offset}></fsimg-owner-line>
    </div>`;
  }

  private point(offset: number | null): void {
    if (offset === null) {
      this.pointed = null;
      return;
    }
    const field = this.covering.annotations.at(offset)?.field;
    this.pointed = field ? { offset: field.offset, length: field.length } : { offset, length: 1 };
  }

  private choose({ offset, length }: ByteRange): void {
    this.own = { offset, length };
    this.inspection.chooseBytes(offset, length);
  }

  /** Chooses bytes that may be out of sight. */
  private chooseElsewhere({ offset, length }: ByteRange | DescribedField): void {
    this.own = null;
    this.inspection.chooseBytes(offset, Math.max(1, length));
    this.sight = {};
  }

  private async pick(item: TreeItem, jumps: boolean): Promise<void> {
    const { key, offset, length } = item.branch;
    if (offset === null) return;
    const { host } = this.inspection;
    this.latest = item;
    const structure = await host.structure(item.volume, key).catch(() => null);
    if (this.latest !== item) return;
    const bytes = { offset, length: Math.max(1, structure?.length ?? length) };
    this.picked = structure && { item, structure, bytes };
    if (jumps) this.inspection.showBytes(bytes.offset, bytes.length);
    else this.inspection.chooseBytes(bytes.offset, bytes.length);
  }

  /** Reads the picked structure anew: its values may be others. */
  private async renewPicked(): Promise<void> {
    const { picked } = this;
    if (!picked) return;
    const { volume, branch } = picked.item;
    const structure = await this.inspection.host.structure(volume, branch.key).catch(() => null);
    if (this.picked !== picked) return;
    const isSame = structure?.offset === picked.structure.offset;
    this.picked = isSame ? { ...picked, structure } : null;
  }

  /** Shows typed bytes at once; where they are refused, those that are there come back. */
  private async write(offset: number, bytes: Uint8Array): Promise<void> {
    this.pages.patch(offset, bytes);
    const edit = await change(this.inspection, { kind: 'bytes', offset, bytes });
    if (!edit) this.pages.clear();
  }

  private async copy({ offset, length }: ByteRange): Promise<void> {
    const bytes = await this.inspection.host.bytes(offset, Math.min(length, mostCopied));
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
    await navigator.clipboard.writeText(digits.join(' '));
    if (length > mostCopied) {
      this.inspection.tell(`Only the first ${formatSize(mostCopied)} were copied.`);
    }
  }
}

function bytesOf({ offset, structures }: NodeDetails): ByteRange | null {
  const own = structures.find((structure) => structure.offset === offset) ?? structures.at(0);
  return own ? { offset: own.offset, length: own.length } : null;
}

function sameRange(a: ByteRange, b: ByteRange | null): boolean {
  return b !== null && a.offset === b.offset && a.length === b.length;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-structures': StructuresView;
  }
}
