import { entryName, showName } from '../entry-names';
import type { NodeId } from '../../filesystem/node';
import type { Progress } from '../../filesystem/progress';
import { bootSector32, slotSize } from '../boot-sector';
import { ClusterRuns } from '../chain';
import { DirectorySlots, largestDirectory } from '../directory';
import type { FatVolume } from '../fat-volume';
import { groupLongNames, type LongNameGroup } from '../long-names';
import { binaryKey, noShortName, rawName } from '../short-names';
import {
  attributeBits,
  firstClusterAt,
  firstClusterOf,
  isDirectorySlot,
  isDotSlot,
  longSlot,
  shortSlot,
  slotKind,
  type ShortSlot,
} from '../slots';
import { fatTimestamp } from '../times';
import { Claims, type ClaimStop } from './claims';
import { checkLabels } from './label-check';
import type { FatProblem, FatReport } from './problem-table';
import { badNameByte } from './short-name-rules';

const rootId: NodeId = 0;
const entriesPerReport = 4096;
const longestPath = 4096;

/** A directory on the way from the root. */
interface Visit {
  readonly node: NodeId;
  readonly name: string;
  readonly parent: Visit | undefined;
  readonly firstCluster: number;
  readonly runs: ClusterRuns | undefined;
}

/** An entry that is looked at. */
interface Entry {
  readonly node: NodeId;
  readonly slot: ShortSlot;
  readonly isDirectory: boolean;
  readonly firstCluster: number;
  readonly path: string;
}

/** Walks the tree from the root, and gives each cluster to the first chain that comes to it. */
export class TreeCheck {
  readonly claims: Claims;
  /** By the cluster that a cut chain goes on with: the finding that says why it was cut. */
  private readonly cuts = new Map<number, number>();
  private readonly waiting: Visit[] = [];
  private entries = 0;

  constructor(
    private readonly volume: FatVolume,
    private readonly report: FatReport,
    private readonly progress: Progress,
  ) {
    this.claims = new Claims(volume);
  }

  run(): void {
    const root = this.claimRoot();
    if (!root) return;
    this.waiting.push(root);
    for (let visit = this.waiting.pop(); visit; visit = this.waiting.pop()) this.search(visit);
  }

  /** The finding that clusters without an owner follow from; below 0 where there is none. */
  causeOf(first: number, count: number): number {
    for (const [cluster, finding] of this.cuts) {
      if (cluster >= first && cluster < first + count) return finding;
    }
    return -1;
  }

  private claimRoot(): Visit | undefined {
    const { boot, table } = this.volume;
    const root = { node: rootId, name: '', parent: undefined };
    if (boot.bits !== 32) return { ...root, firstCluster: 0, runs: undefined };
    const { offset, length } = bootSector32.fields.BPB_RootClus;
    const place = {
      offset: this.volume.inImage(boot.sector * boot.sectorSize + offset),
      length,
      cluster: boot.rootCluster,
      field: 'boot sector.BPB_RootClus',
    };
    const lost = (why: string) =>
      this.report.add('fat-root-cluster', `The root directory should start ${why}.`, place);
    if (!table.has(boot.rootCluster)) {
      lost(`at cluster ${boot.rootCluster}, which is not there`);
      return undefined;
    }
    const { runs, stop, at } = this.claims.take(rootId, boot.rootCluster, Infinity);
    if (runs.count === 0) {
      lost(`at cluster ${boot.rootCluster}, which is ${stop}`);
      return undefined;
    }
    this.reportStop({ node: rootId, path: '/' }, stop, at);
    return { ...root, firstCluster: boot.rootCluster, runs };
  }

  private slotsOf({ runs }: Visit): DirectorySlots {
    if (runs) runs.cut(Math.ceil(largestDirectory / this.volume.boot.clusterSize));
    return new DirectorySlots(this.volume, runs, []);
  }

  private search(visit: Visit): void {
    const { runs } = visit;
    const { clusterSize } = this.volume.boot;
    if (runs && runs.count * clusterSize > largestDirectory) {
      this.report.add('fat-directory-large', `The directory has ${runs.count} clusters.`, {
        ...this.placeOf(visit.node),
        path: pathOf(visit),
      });
    }
    const slots = this.slotsOf(visit);
    const { bytes, count } = slots;
    const { end, groups } = groupLongNames(bytes);
    this.checkLongNames(visit, slots, groups);
    const longNames = new Map<number, LongNameGroup>();
    for (const group of groups) {
      if (group.state === 'whole' && group.short !== undefined) longNames.set(group.short, group);
    }
    const names = new Set<string>();
    let behindEnd = 0;
    if (visit.node === rootId) checkLabels(this.volume, slots, this.report);
    else this.checkDots(visit, slots);
    for (let index = visit.node === rootId ? 0 : 2; index < count; index++) {
      const kind = slotKind(bytes, index * slotSize);
      if (kind !== 'short' && kind !== 'label') continue;
      if (index > end) behindEnd += 1;
      this.countEntry();
      this.checkEntry(visit, slots, index, longNames.get(index), names);
    }
    if (behindEnd > 0) {
      this.report.add(
        'fat-behind-end',
        `${behindEnd} ${behindEnd === 1 ? 'entry lies' : 'entries lie'} behind the end mark.`,
        {
          offset: this.volume.inImage(slots.offsetOf(end)),
          length: slotSize,
          node: visit.node,
          path: pathOf(visit),
        },
      );
    }
  }

  private checkLongNames(
    visit: Visit,
    slots: DirectorySlots,
    groups: readonly LongNameGroup[],
  ): void {
    const { bytes, count } = slots;
    for (const { first, count: length, state, short } of groups) {
      for (let index = first; index < first + length; index++) {
        this.checkReservedFields(visit, slots, index);
      }
      if (state === 'whole') continue;
      const behind = first + length;
      const next = behind < count ? slotKind(bytes, behind * slotSize) : 'end';
      const startsName = (bytes[first * slotSize] & 0x40) !== 0;
      const isOrphan = short === undefined && startsName && (next === 'end' || next === 'deleted');
      const place = {
        offset: this.volume.inImage(slots.offsetOf(first)),
        length: slotSize,
        path: pathOf(visit),
        node: short === undefined ? visit.node : slots.offsetOf(short),
      };
      const what = `${length} ${length === 1 ? 'slot' : 'slots'} of a long name`;
      if (isOrphan) {
        this.report.add('fat-long-name-orphan', `${what} lead to no short slot.`, place);
      } else {
        const why = state === 'checksum' ? 'belong to another short name' : 'do not fit together';
        this.report.add('fat-long-name-broken', `${what} ${why}.`, place);
      }
    }
  }

  private checkReservedFields(visit: Visit, slots: DirectorySlots, index: number): void {
    const { LDIR_Type, LDIR_FstClusLO } = longSlot.fields;
    const view = viewOf(slots.bytes);
    for (const [name, field] of Object.entries({ LDIR_Type, LDIR_FstClusLO })) {
      const value = field.read(view, index * slotSize + field.offset);
      if (value === 0) continue;
      this.report.add('fat-long-name-field', `The field ${name} is ${value}, not 0.`, {
        offset: this.volume.inImage(slots.offsetOf(index) + field.offset),
        length: field.length,
        field: `long name slot.${name}`,
        node: visit.node,
        path: pathOf(visit),
      });
    }
  }

  private checkDots(visit: Visit, slots: DirectorySlots): void {
    const { bytes, count } = slots;
    const above = visit.parent;
    const expected = [
      { name: '.', cluster: visit.firstCluster },
      // Below the root it is 0, also where the root has clusters.
      { name: '..', cluster: above && above.node !== rootId ? above.firstCluster : 0 },
    ];
    expected.forEach(({ name, cluster }, index) => {
      if (index >= count) return;
      const at = index * slotSize;
      const place = {
        offset: this.volume.inImage(slots.offsetOf(index)),
        length: slotSize,
        node: visit.node,
        path: pathOf(visit),
      };
      const isThere = isDotSlot(bytes, at) && (bytes[at + 1] === bytes[at]) === (index === 1);
      if (!isThere) {
        this.report.add('fat-dot-missing', `Slot ${index} should be the entry "${name}".`, place);
        return;
      }
      const leads = firstClusterAt(bytes, at, this.volume.boot.bits);
      const isDirectory = isDirectorySlot(bytes, at);
      if (leads === cluster && isDirectory) return;
      const message = isDirectory
        ? `The entry "${name}" leads to cluster ${leads}; it should lead to ${cluster}.`
        : `The entry "${name}" is marked as a file.`;
      this.report.add('fat-dot-wrong', message, { ...place, cluster: leads });
    });
  }

  private checkEntry(
    visit: Visit,
    slots: DirectorySlots,
    index: number,
    long: LongNameGroup | undefined,
    names: Set<string>,
  ): void {
    const { bytes } = slots;
    const at = index * slotSize;
    const slot = shortSlot.read(viewOf(bytes), at);
    // Names are decoded where they are told: most entries have nothing to tell of.
    const readName = () => showName(entryName(bytes, index, long, this.volume.codePage)).name;
    const entry: Entry = {
      node: slots.offsetOf(index),
      slot,
      isDirectory: isDirectorySlot(bytes, at),
      firstCluster: firstClusterOf(slot, this.volume.boot.bits),
      get path() {
        return pathOf(visit, readName());
      },
    };
    if ((slot.DIR_Attr & attributeBits.label) === 0) {
      this.checkName(entry, bytes, index, long !== undefined, names);
    }
    this.checkDate(entry);
    const runs = this.checkChain(visit, entry);
    if (!entry.isDirectory || runs.count === 0) return;
    const { node, firstCluster } = entry;
    this.waiting.push({ node, name: readName(), parent: visit, firstCluster, runs });
  }

  private checkName(
    entry: Entry,
    bytes: Uint8Array,
    index: number,
    hasLongName: boolean,
    names: Set<string>,
  ): void {
    const isMarked = (entry.slot.DIR_NTRes & noShortName) !== 0;
    const bad = isMarked ? undefined : badNameByte(bytes, index * slotSize);
    if (isMarked && !hasLongName) {
      const message = 'The entry is marked as one without a short name, and has no long one.';
      this.add('fat-name-missing', message, entry, 'DIR_NTRes');
    } else if (bad !== undefined) {
      const message = `The short name holds the byte ${bad.toString(16).padStart(2, '0')}.`;
      this.add('fat-name-bad', message, entry, 'DIR_Name');
    }
    const key = binaryKey(rawName(bytes, index));
    if (names.has(key)) {
      const message = 'Another entry of the directory has the same short name.';
      this.add('fat-name-duplicate', message, entry, 'DIR_Name');
    }
    names.add(key);
  }

  private checkDate(entry: Entry): void {
    const { DIR_WrtDate: date, DIR_WrtTime: time } = entry.slot;
    if (date === 0 || fatTimestamp(date, time)) return;
    this.add('fat-date-invalid', 'The date of the last write is none.', entry, 'DIR_WrtDate');
  }

  private checkChain(visit: Visit, entry: Entry): ClusterRuns {
    const { table, boot } = this.volume;
    const { isDirectory, firstCluster } = entry;
    const size = entry.slot.DIR_FileSize;
    const none = new ClusterRuns();
    if (isDirectory) {
      if (size !== 0) {
        this.add(
          'fat-directory-size',
          `The directory has the size ${size}.`,
          entry,
          'DIR_FileSize',
        );
      }
      const above = ancestorAt(visit, firstCluster);
      if (firstCluster === 0 || above !== undefined) {
        const message = `The directory leads to ${above ?? '/'}, which is above it.`;
        this.add('fat-directory-start', message, entry, 'DIR_FstClusLO');
        return none;
      }
    }
    let cause = -1;
    let runs = none;
    if (firstCluster !== 0 && !table.has(firstCluster)) {
      const message = `The first cluster is ${firstCluster}; they are numbered 2 to ${table.lastCluster}.`;
      cause = this.add('fat-start-invalid', message, entry, 'DIR_FstClusLO');
    } else if (firstCluster !== 0) {
      const needed = isDirectory ? Infinity : Math.ceil(size / boot.clusterSize);
      const claim = this.claims.take(entry.node, firstCluster, needed);
      ({ runs } = claim);
      cause = this.reportStop(entry, claim.stop, claim.at);
    }
    if (!isDirectory && runs.count * boot.clusterSize < size) {
      this.report.add(
        'fat-chain-short',
        `The file has ${size} bytes, but its chain only ${runs.count * boot.clusterSize}.`,
        { ...this.placeOf(entry.node, 'DIR_FileSize'), path: entry.path, cause },
      );
    }
    return runs;
  }

  /** @returns the index of the finding; below 0 where the chain is as it should be */
  private reportStop(entry: Pick<Entry, 'node' | 'path'>, stop: ClaimStop, at: number): number {
    if (stop === 'end') return -1;
    const place = { ...this.volume.entryPlace(at), node: entry.node, path: entry.path };
    if (stop === 'enough') {
      const message = `The chain goes on at cluster ${at}, behind what the size needs.`;
      const finding = this.report.add('fat-chain-long', message, place);
      this.cuts.set(at, finding);
      return finding;
    }
    if (stop === 'free' || stop === 'bad') {
      const message = `The chain runs into cluster ${at}, which is marked ${stop}.`;
      return this.report.add(stop === 'free' ? 'fat-chain-free' : 'fat-chain-bad', message, place);
    }
    if (stop === 'loop') {
      return this.report.add('fat-chain-loop', `The chain leads back to cluster ${at}.`, place);
    }
    const owner = this.claims.ownerOf(at);
    const other = owner === undefined ? 'another file' : this.describe(owner);
    const message = `Cluster ${at} of the chain belongs to ${other} as well.`;
    return this.report.add('fat-chain-shared', message, place);
  }

  private describe(node: NodeId): string {
    if (node === rootId) return 'the root directory';
    return `the entry at byte ${this.volume.inImage(node)}`;
  }

  private add(
    code: FatProblem,
    message: string,
    { node, path }: Entry,
    field: keyof typeof shortSlot.fields,
  ): number {
    return this.report.add(code, message, { ...this.placeOf(node, field), path });
  }

  /** A node's slot, or a field of it. */
  private placeOf(node: NodeId, name?: keyof typeof shortSlot.fields) {
    const field = name && shortSlot.fields[name];
    const { offset, length } = field ?? { offset: 0, length: slotSize };
    return {
      offset: this.volume.inImage(node + offset),
      length,
      node,
      ...(name && { field: `short slot.${name}` }),
    };
  }

  private countEntry(): void {
    this.entries += 1;
    if (this.entries % entriesPerReport !== 0) return;
    this.progress.report(this.claims.count, this.volume.boot.clusters);
  }
}

/** The directory above, or the one itself, that starts at a cluster; as far as checkers look. */
function ancestorAt(visit: Visit, cluster: number): string | undefined {
  for (const above of [visit, visit.parent]) {
    if (above && above.firstCluster !== 0 && above.firstCluster === cluster) return pathOf(above);
  }
  return undefined;
}

/** An absolute path; of a very long one only its end. */
function pathOf(visit: Visit, name?: string): string {
  let path = name === undefined ? '' : `/${name}`;
  for (let at: Visit | undefined = visit; at?.parent; at = at.parent) {
    path = `/${at.name}${path}`;
    if (path.length > longestPath) return `…${path.slice(-longestPath)}`;
  }
  return path || '/';
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
