import type { Extent } from '../../filesystem/extents';
import type { ContentMap, LogicalRun } from './content-map';

/** As Linux by default (`extent_max_zeroout_kb`), in bytes. */
const smallest = 32 * 1024;

interface Rules {
  /** In bytes. */
  readonly blockSize: number;
  /** Whole pieces of so many bytes are written at a time, counted from the start of the content. */
  readonly chunk: number;
  /** The first block behind the end of the content: none from there on is written. */
  readonly limit: number;
}

/**
 * Chooses which unwritten blocks become written ones, so that a run of them can be written: as
 * Linux does, what would stay unwritten beside it must be worth an extent of its own.
 * @param run of blocks that were unwritten
 * @returns the range, in one extent; it holds the start of the run, and ends before the run does
 *   where the next blocks lie elsewhere. Null where the first block was written meanwhile.
 */
export function writtenRange(
  map: Pick<ContentMap, 'pieces' | 'reach'>,
  run: LogicalRun,
  rules: Rules,
): Extent | null {
  const { blockSize, limit } = rules;
  const chunk = Math.max(1, Math.floor(rules.chunk / blockSize));
  const small = Math.floor(smallest / blockSize);
  const runEnd = run.logical + run.length;
  // Far enough to see what would be left.
  const reach = chunk + small + 1;
  const first = Math.max(0, run.logical - reach);
  const around = [...map.pieces(first, Math.min(map.reach, runEnd + reach))];
  const piece = around.find(
    ({ logical, length }) => logical <= run.logical && run.logical < logical + length,
  );
  if (!piece?.unwritten) return null;
  const end = Math.min(piece.logical + piece.length, Math.max(runEnd, limit));
  let from = Math.max(piece.logical, Math.floor(run.logical / chunk) * chunk);
  let to = Math.min(end, Math.ceil(runEnd / chunk) * chunk);
  if (from - piece.logical <= small) from = piece.logical;
  if (end - to <= small) to = end;
  const physical = piece.physical + from - piece.logical;
  return { logical: from, physical, length: to - from };
}
