import type { OwnerAnswer, Role } from '../../src/protocol/requests';
import { isCancelled, messageOf } from './errors';
import type { Stretch } from '../space/space-grid';
import type { Task } from './tasks';

/** Runs of a cell that are looked at for one of its main role. */
const mostRuns = 8;

/** A unit, and who owns it. */
export interface OwnedUnit {
  readonly unit: number;
  readonly owner: OwnerAnswer;
}

/** Units of which one is to be told of. */
export interface LookupTarget extends Stretch {
  readonly volume: number;
  /** The role that the unit is to have, if any of the first runs has it. */
  readonly role: Role | null;
  /** Changes with whatever makes older answers out of date. */
  readonly version: string;
}

export type AskOwner = (volume: number, unit: number) => Task<OwnerAnswer>;

/** A lookup that waits, is under way, or has come to its end. */
interface Lookup {
  readonly key: string;
  readonly target: LookupTarget;
  readonly timer: ReturnType<typeof setTimeout>;
  answer: Promise<OwnedUnit | null> | null;
  running: Task<OwnerAnswer> | null;
}

/** Tells who owns what is pointed at, once the pointer rests. */
export class OwnerLookup {
  found: OwnedUnit | null = null;
  failure: string | null = null;

  private current: Lookup | null = null;

  /** @param pause that the pointer must rest before anything is asked, in milliseconds */
  constructor(
    private readonly ask: AskOwner,
    private readonly pause: number,
    private readonly changed: () => void,
  ) {}

  /** Asks for another target; with null for none. */
  follow(target: LookupTarget | null): void {
    const key = target ? JSON.stringify(target) : '';
    if (key === (this.current?.key ?? '')) return;
    const { found, current } = this;
    this.drop();
    if (!target) return;
    // What was known of the same units stays until the newer answer has come.
    if (current && isSamePlace(current.target, target)) this.found = found;
    const lookup: Lookup = {
      key,
      target,
      timer: setTimeout(() => void this.start(lookup), this.pause),
      answer: null,
      running: null,
    };
    this.current = lookup;
  }

  /** The answer for the present target, which is no longer waited with; null where none comes. */
  async now(): Promise<OwnedUnit | null> {
    return this.current && this.start(this.current);
  }

  close(): void {
    this.drop();
  }

  private drop(): void {
    if (this.current) clearTimeout(this.current.timer);
    this.current?.running?.cancel();
    this.current = null;
    this.found = null;
    this.failure = null;
  }

  private start(lookup: Lookup): Promise<OwnedUnit | null> {
    clearTimeout(lookup.timer);
    return (lookup.answer ??= this.look(lookup));
  }

  private async look(lookup: Lookup): Promise<OwnedUnit | null> {
    const { target } = lookup;
    let found: OwnedUnit | null = null;
    let failure: string | null = null;
    try {
      found = await findOwned(target, (unit) => {
        lookup.running = this.ask(target.volume, unit);
        return lookup.running.answer;
      });
    } catch (error) {
      if (!isCancelled(error)) failure = messageOf(error);
    }
    if (lookup === this.current) {
      this.found = found;
      this.failure = failure;
      this.changed();
    }
    return found;
  }
}

function isSamePlace(a: LookupTarget, b: LookupTarget): boolean {
  return a.volume === b.volume && a.first === b.first && a.units === b.units;
}

/** The first unit of the target's role among its first runs; else its first unit. */
export async function findOwned(
  { first, units, role }: Pick<LookupTarget, 'first' | 'units' | 'role'>,
  ask: (unit: number) => Promise<OwnerAnswer>,
): Promise<OwnedUnit> {
  const start: OwnedUnit = { unit: first, owner: await ask(first) };
  let at = start;
  for (let runs = 1; role !== null && at.owner.role !== role && runs < mostRuns; runs++) {
    const next = at.owner.start + at.owner.length;
    if (next <= at.unit || next >= first + units) return start;
    at = { unit: next, owner: await ask(next) };
  }
  return role === null || at.owner.role === role ? at : start;
}
