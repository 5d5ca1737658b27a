import type { OwnerAnswer } from '../../src/protocol/requests';
import { formatAmount, formatCount } from './formats';
import { visibleText } from './names';
import type { OwnedUnit } from '../inspection/owner-lookup';
import { roleWords } from './role-words';
import type { Stretch } from '../space/space-grid';

/** Who owns a unit, in one line. @param unitName `block` or `cluster` */
export function describeOwner({ unit, owner }: OwnedUnit, unitName: string): string {
  const { role, length, markedFree } = owner;
  if (role === 'free') return `free, in a run of ${formatAmount(length, unitName)}`;
  const whose = describeUse(unit, owner, unitName);
  return markedFree ? `${whose}; in use, but marked free` : whose;
}

function describeUse(unit: number, owner: OwnerAnswer, unitName: string): string {
  const { role, node, logical } = owner;
  if (node === undefined) return visibleText(owner.name);
  const whose = `${roleWords[role].word} ${nameOwner(owner)}`;
  if (logical === undefined) return whose;
  // `logical` is that of the run's start.
  const place = logical + unit - owner.start;
  return `${whose}, its ${unitName} ${formatCount(place)}`;
}

/** The path of what owns a unit, or what it is called without one. */
export function nameOwner({ name, paths }: OwnerAnswer): string {
  return visibleText(paths?.at(0) ?? name);
}

/** `Cluster 8,201`, `Blocks 8,192–8,255`. */
export function describeUnits({ first, units }: Stretch, unitName: string): string {
  const name = unitName.charAt(0).toUpperCase() + unitName.slice(1);
  if (units === 1) return `${name} ${formatCount(first)}`;
  return `${name}s ${formatCount(first)}–${formatCount(first + units - 1)}`;
}
