/** The finding that is chosen, and what the other views show of it. */
import type { CheckFinding } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';
import { pathIn, placeAt, type Place } from '../inspection/selection';
import { keyOf } from './finding-tree';

/** Index of the chosen finding in the report that is shown; -1 for none. */
export function chosenIndex({ state, checks }: Inspection): number {
  const { chosen } = state.checks;
  const findings = checks.shown?.report.findings ?? [];
  if (chosen === null || typeof chosen === 'string') return -1;
  const same = findings.at(chosen.index);
  if (same && keyOf(same) === chosen.key) return chosen.index;
  return findings.findIndex((finding) => keyOf(finding) === chosen.key);
}

export function chosenFinding(inspection: Inspection): CheckFinding | null {
  return inspection.checks.shown?.report.findings[chosenIndex(inspection)] ?? null;
}

/** Chooses a finding, and in all views its bytes and its block or cluster. */
export function chooseFinding(inspection: Inspection, index: number): void {
  const finding = inspection.checks.shown?.report.findings[index];
  if (!finding) return;
  const { offset, length, cluster } = finding;
  const chosen = { index, key: keyOf(finding) };
  inspection.remember({ checks: { ...inspection.state.checks, chosen } });
  inspection.chooseBytes(offset, Math.max(1, length), cluster);
}

/** Chooses the entry, too, that a finding is about, if a path leads to it. */
export async function chooseEntryOf(inspection: Inspection, finding: CheckFinding): Promise<void> {
  const { place } = inspection;
  if (!place || finding.path === undefined || isChosen(place, finding)) return;
  const { volume } = place;
  // Where there is no such path any more, or nothing sound on it, the bytes are all there is.
  const steps = await inspection.host.resolve(volume, finding.path).catch(() => []);
  const last = steps.at(-1);
  if (!last || chosenFinding(inspection) !== finding) return;
  if (finding.node !== undefined && finding.node !== last.node) return;
  const isRoot = steps.length === 1;
  const trail = isRoot ? steps : steps.slice(0, -1);
  inspection.chooseElsewhere(placeAt(volume, trail, isRoot ? null : { ...last, offset: null }));
}

function isChosen({ trail, chosen }: Place, { path }: CheckFinding): boolean {
  return chosen !== null && pathIn(trail, chosen.name) === path;
}
