import type { EntryRow } from '../../src/protocol/requests';
import type { Step } from '../inspection/selection';
import type { DropTarget } from './entry-drag';

/** The row of a table under the pointer. */
export function rowUnder(
  event: Event,
  rowAt: (index: number) => EntryRow | undefined,
): EntryRow | undefined {
  const row = elementAt(event)?.closest<HTMLElement>('.row[data-index]');
  return row ? rowAt(Number(row.dataset.index)) : undefined;
}

/**
 * The directory under the pointer: a row, a step of the path, or else the one that is shown.
 * @param trail to the directory that is shown
 */
export function targetUnder(
  event: Event,
  trail: readonly Step[],
  rowAt: (index: number) => EntryRow | undefined,
): DropTarget | null {
  const row = rowUnder(event, rowAt);
  if (row?.type === 'directory' && !row.deleted) {
    return { node: row.node, name: row.name, as: 'row' };
  }
  const step = elementAt(event)?.closest<HTMLElement>('.step[data-depth]');
  const directory = step ? trail.at(Number(step.dataset.depth)) : trail.at(-1);
  const isInside = step ?? elementAt(event)?.closest('.split-main');
  if (!directory || !isInside) return null;
  return { node: directory.node, name: directory.name || '/', as: step ? 'step' : 'table' };
}

function elementAt({ target }: Event): Element | null {
  return target instanceof Element ? target : null;
}
