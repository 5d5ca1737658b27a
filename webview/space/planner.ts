import type {
  AllocationPolicy,
  EditReport,
  Operation,
  PlacedUnits,
  TrimReport,
} from '../../src/protocol/requests';
import { readSize } from '../../src/protocol/sizes';
import { setPlanner, whyNotPlanned } from '../inspection/edits';
import { hasEnded, isCancelled, messageOf } from '../inspection/errors';
import type { Inspection } from '../inspection/inspection';
import type { Chosen } from '../inspection/selection';
import type { PlannerKind, PlannerState } from '../inspection/state';
import type { Task } from '../inspection/tasks';
import { formatAmount, formatSize } from '../words/formats';
import { policies } from '../words/policy-words';
import type { Stretch } from './space-grid';

/** The engine is asked once typing pauses, in milliseconds. */
const typingPause = 250;

/** What an operation would do, or the sentence that says why it cannot be done. */
export type Outcome =
  | { readonly report: EditReport; readonly failure: null }
  | { readonly report: null; readonly failure: string };

/** The sizes of a plan that are typed. */
export type SizeField = 'length' | 'offset' | 'minimum';

/** What the person is asked for where a size cannot be read. */
const sizeHint = 'A size such as 4096, 64K or 16M is needed.';

/**
 * Plans what the person is about to do, as they type: asks the engine what it would come to, for
 * each policy of allocation. Follows the inspection from file to file.
 */
export class Planner {
  /** Why the engine has not answered, though it was asked: the person gave it up. */
  stopped = false;
  applying = false;

  /** What is planned, but for the policy; empty while nothing is. */
  private key = '';
  private readonly outcomes = new Map<AllocationPolicy, Outcome>();
  /** The plan that is on the map until the next one has come, and what it is for. */
  private last: EditReport | null = null;
  private subject = '';
  private drawn: { readonly report: EditReport; readonly runs: readonly Stretch[] } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Task<EditReport> | null = null;

  constructor(
    private readonly inspection: Inspection,
    private readonly changed: () => void,
  ) {}

  /** What the planner is open for; null where it is closed. */
  get kind(): PlannerKind | null {
    return this.inspection.volume?.unit ? this.inputs.open : null;
  }

  get inputs(): PlannerState {
    return this.inspection.state.planner;
  }

  /** The file that is planned for; null where none is chosen. */
  get file(): Chosen | null {
    const chosen = this.inspection.place?.chosen ?? null;
    return chosen?.type === 'file' ? chosen : null;
  }

  /** Whether units beyond the end of a file are possible: on FAT, and in extents. */
  get canKeepSize(): boolean {
    return this.inspection.volume?.unit?.name === 'cluster' || this.marksUnwritten;
  }

  /** Whether what is preallocated is marked as unwritten, and so reads as zeros. */
  get marksUnwritten(): boolean {
    return this.inspection.volume?.type === 'ext4';
  }

  /** What is typed, in bytes; null where it is no size. */
  sizeOf(field: SizeField): number | null {
    return readSize(this.inputs[field].replaceAll(/[\s,]/g, ''));
  }

  /** What is wrong with a size; null where nothing is. */
  wrongWith(field: SizeField): string | null {
    const size = this.sizeOf(field);
    if (size === null) return sizeHint;
    return field === 'length' && size === 0 ? 'A length of at least one byte is needed.' : null;
  }

  /** Whether the engine has not answered yet for the chosen policy. */
  get waiting(): boolean {
    return this.key !== '' && this.outcome === null && !this.stopped;
  }

  /** What the plan comes to; null while that is not known. */
  get outcome(): Outcome | null {
    return this.outcomeOf(this.inputs.policy);
  }

  /** What it would come to with another policy; null while that is not known. */
  outcomeOf(policy: AllocationPolicy): Outcome | null {
    return this.outcomes.get(policy) ?? null;
  }

  /** The plan that is shown: while a new one is waited for, the one before. */
  get shown(): EditReport | null {
    if (this.kind === null) return null;
    return this.outcome ? this.outcome.report : this.last;
  }

  /** Whether there is a plan, and anything that it would change. */
  get isReady(): boolean {
    const report = this.outcome?.report ?? null;
    return report !== null && !this.applying && report.trim?.extents !== 0;
  }

  /** How many of all extents or ranges of the shown plan are known here; null where all are. */
  get known(): number | null {
    const { shown } = this;
    if (!shown) return null;
    const { allocation, changed, changedRanges } = shown;
    const [known, all] = allocation
      ? [allocation.extents.length, allocation.extentCount]
      : [changed.length, changedRanges];
    return known < all ? known : null;
  }

  /** The units that the shown plan takes or, for a trim, gives back. */
  get planned(): readonly Stretch[] {
    const report = this.shown;
    const unit = this.inspection.volume?.unit;
    if (!report || !unit) return [];
    // The map asks with every move of the pointer.
    if (this.drawn?.report !== report) this.drawn = { report, runs: runsOf(report, unit) };
    return this.drawn.runs;
  }

  /** Changes what is planned. */
  change(change: Partial<PlannerState>): void {
    const { planner } = this.inspection.state;
    this.inspection.update({ planner: { ...planner, ...change } });
  }

  /** Plans what is now asked for, if that is something else. */
  follow(): void {
    const operations = this.operations();
    const base = operations.map((operation) => ({ ...operation, policy: null }));
    const key = operations.length === 0 ? '' : JSON.stringify([this.inspection.revision, base[0]]);
    if (key === this.key) {
      // A policy has been chosen before it was asked for, and nothing is asked any more.
      const isIdle = this.timer === undefined && this.running === null && !this.applying;
      if (this.waiting && isIdle) void this.plan(key);
      return;
    }
    const subject = `${this.kind} ${this.inspection.volume?.index} ${this.file?.node}`;
    // The plan for another file says nothing.
    this.last = subject === this.subject && key !== '' ? this.shown : null;
    this.subject = subject;
    this.forget();
    this.key = key;
    if (key === '') return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.plan(key);
    }, typingPause);
  }

  /** Asks again for what was given up. */
  resume(): void {
    this.stopped = false;
    void this.plan(this.key);
    this.changed();
  }

  /** Gives up what is asked for. */
  stop(): void {
    this.stopped = true;
    this.cancel();
    this.changed();
  }

  /** Asks for nothing any more. */
  close(): void {
    this.forget();
    this.last = null;
  }

  /** Makes the change that is planned, and closes the planner once it is made. */
  async apply(): Promise<void> {
    const [operation] = this.operations();
    if (!operation || !this.isReady) return;
    this.applying = true;
    this.cancel();
    this.changed();
    // What there is to note of it stood in the plan.
    const edit = await this.inspection.tryTo(() => this.inspection.host.edit(operation));
    this.applying = false;
    if (edit) {
      if (edit.trim) this.inspection.tell(describeTrim(edit.trim));
      return setPlanner(this.inspection, null);
    }
    void this.plan(this.key);
    this.changed();
  }

  /** What is planned: with the chosen policy first, then with the others; empty if nothing is. */
  private operations(): Operation[] {
    const { inspection, kind, file, inputs } = this;
    const volume = inspection.volume?.index;
    if (kind === null || volume === undefined) return [];
    if (whyNotPlanned(inspection, kind) !== null) return [];
    if (kind === 'trim') {
      const minimum = this.sizeOf('minimum');
      return minimum === null ? [] : [{ kind, volume, minimum }];
    }
    const length = this.sizeOf('length');
    const offset = this.sizeOf('offset');
    if (!file || length === null || length === 0 || offset === null) return [];
    const keepSize = inputs.keepSize && this.canKeepSize;
    const request = {
      offset,
      length,
      keepSize,
      zero: keepSize && inputs.zero && !this.marksUnwritten,
    };
    const { node } = file;
    const { policy: first } = inputs;
    const others = policies.filter((policy) => policy !== first);
    return [first, ...others].map((policy) => ({ kind, volume, node, request, policy }));
  }

  private async plan(key: string): Promise<void> {
    for (const operation of this.operations()) {
      const policy = operation.kind === 'preallocate' ? operation.policy : this.inputs.policy;
      if (this.outcomes.has(policy)) continue;
      const outcome = await this.ask(operation);
      if (key !== this.key || this.stopped || this.applying || !outcome) return;
      this.outcomes.set(policy, outcome);
      this.changed();
    }
  }

  /** Null where it was given up, or the engine ended. */
  private async ask(operation: Operation): Promise<Outcome | null> {
    const { host, tasks } = this.inspection;
    const task = tasks.start((id) => host.plan(operation, id));
    this.running = task;
    try {
      return { report: await task.answer, failure: null };
    } catch (error) {
      if (hasEnded(error) || isCancelled(error)) return null;
      return { report: null, failure: messageOf(error) };
    } finally {
      if (this.running === task) this.running = null;
    }
  }

  private forget(): void {
    this.cancel();
    this.key = '';
    this.stopped = false;
    this.outcomes.clear();
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running?.cancel();
    this.running = null;
  }
}

/** The new extents of a file or, of a trim, the units that lie in what becomes a hole. */
function runsOf(report: EditReport, unit: PlacedUnits): Stretch[] {
  if (report.allocation) {
    return report.allocation.extents.map(({ physical, length }) => ({
      first: physical,
      units: length,
    }));
  }
  const end = unit.first + unit.count;
  const runs: Stretch[] = [];
  let next = unit.first;
  for (const { offset, length } of report.changed) {
    // A unit that becomes a hole in part counts once.
    const first = Math.max(next, unit.first + Math.floor((offset - unit.offset) / unit.size));
    const last = unit.first + Math.ceil((offset + length - unit.offset) / unit.size);
    next = Math.min(Math.max(next, last), end);
    if (next > first) runs.push({ first, units: next - first });
  }
  return runs;
}

function describeTrim({ extents, bytes }: TrimReport): string {
  const what = `${formatAmount(extents, 'free extent')}, ${formatSize(bytes)},`;
  return `${what} will be holes of the image file once it is saved.`;
}
