import type { EntryRow, NodeId } from '../../src/protocol/requests';
import { change, whyReadOnly } from '../inspection/edits';
import type { Inspection } from '../inspection/inspection';
import type { Place } from '../inspection/selection';
import { canDrop, importDrop, readDrop, type Transfer } from './drop';

/** Tells an entry that is dragged from whatever else is; only this inspector knows which one. */
export const entryType = 'application/x-fsimg-entry';

/** A directory that something can be dropped on. */
export interface DropTarget {
  readonly node: NodeId;
  /** As a person knows it: its name, or `/`. */
  readonly name: string;
  /** Where it is drawn: as a row, as a step of the path, or as the table itself. */
  readonly as: 'row' | 'step' | 'table';
}

interface WritableTransfer extends Transfer {
  effectAllowed: string;
  dropEffect: string;
  setData(type: string, text: string): void;
}

/** What of the browser's `DragEvent` is looked at. */
export interface DragStep {
  readonly dataTransfer: WritableTransfer | null;
  preventDefault(): void;
  stopPropagation(): void;
}

/** What is dragged over the files of a volume: entries of theirs to move, and files to import. */
export class EntryDrag {
  /** The directory that would take it. */
  target: DropTarget | null = null;

  private moving: { readonly place: Place; readonly row: EntryRow } | null = null;

  constructor(
    private readonly inspection: Inspection,
    private readonly changed: () => void,
  ) {}

  /** What would happen, in words; null while nothing is dragged over a target. */
  get hint(): string | null {
    if (!this.target) return null;
    return `${this.moving ? `Move ${this.moving.row.name} to` : 'Import into'} ${this.target.name}`;
  }

  /** Begins to drag an entry. */
  start(event: DragStep, row: EntryRow | undefined): void {
    const { place } = this.inspection;
    if (!row || row.deleted || !place || !event.dataTransfer || this.isFixed) {
      event.preventDefault();
      return;
    }
    this.moving = { place, row };
    event.dataTransfer.setData(entryType, '');
    event.dataTransfer.effectAllowed = 'move';
  }

  /** What is dragged is over a directory, or over none. */
  over(event: DragStep, target: DropTarget | null): void {
    const { dataTransfer } = event;
    const takes = target !== null && dataTransfer !== null && this.canTake(target, dataTransfer);
    this.point(takes ? target : null);
    if (!takes) return;
    dataTransfer.dropEffect = this.moving ? 'move' : 'copy';
    // VS Code would open what is dropped.
    event.preventDefault();
    event.stopPropagation();
  }

  async drop(event: DragStep, target: DropTarget | null): Promise<void> {
    const { dataTransfer } = event;
    const { moving } = this;
    this.end();
    if (!target || !dataTransfer) return;
    event.preventDefault();
    event.stopPropagation();
    if (moving) return this.move(moving.place, moving.row, target);
    const volume = this.inspection.place?.volume;
    const dropped = readDrop(dataTransfer);
    if (!dropped) return this.inspection.tell('Only files and folders can be imported.');
    if (volume !== undefined) await importDrop(this.inspection, volume, target.node, dropped);
  }

  /** Nothing is dragged any more, or it has left. */
  end(): void {
    this.moving = null;
    this.point(null);
  }

  /** What is dragged is over nothing that could take it. */
  leave(): void {
    this.point(null);
  }

  private get isFixed(): boolean {
    return whyReadOnly(this.inspection) !== null;
  }

  private canTake(target: DropTarget, data: Transfer): boolean {
    if (this.isFixed) return false;
    if (data.types.includes(entryType)) return this.moving !== null && this.isElsewhere(target);
    return canDrop(data);
  }

  /** Whether the entry that is dragged could be moved there; the engine knows what lies below it. */
  private isElsewhere({ node }: DropTarget): boolean {
    const directory = this.moving?.place.trail.at(-1)?.node;
    return node !== directory && node !== this.moving?.row.node;
  }

  private async move({ volume, trail }: Place, row: EntryRow, to: DropTarget): Promise<void> {
    const from = trail.at(-1)?.node;
    if (from === undefined) return;
    const { node, name } = row;
    await change(this.inspection, {
      kind: 'move',
      volume,
      entry: { directory: from, node, name },
      directory: to.node,
      name,
      replace: false,
    });
  }

  private point(target: DropTarget | null): void {
    if (target?.node === this.target?.node && target?.as === this.target?.as) return;
    this.target = target;
    this.changed();
  }
}
