import { readBytes } from '../../image/bytes';
import { inodeFlags } from '../inode';
import { decodeRecordLength } from '../records';
import { holdsBlocks } from '../superblock';
import type { CheckContext } from './context';
import { isExtentNode } from './extent-walk';
import { modeTypes, type InodeCursor, type InodeField } from './inode-cursor';
import type { ProblemCode } from './problem-table';

const immutable = 0x10;
const appendOnly = 0x20;
const pointers = 15;
const devicePointers = 4; // what a device may use of i_block
const targetBytes = 60;
const headerSize = 12;
const dot = 0x2e;

/** Checks symlinks, devices, fifos and sockets, whose inodes say all of them. */
export class SpecialFiles {
  constructor(private readonly context: CheckContext) {}

  /** @returns false where no driver would accept the inode */
  check(inode: InodeCursor, inlineLength: number): boolean {
    if (inode.is(modeTypes.symlink)) return this.checkSymlink(inode, inlineLength);
    const kinds = [
      modeTypes.characterDevice,
      modeTypes.blockDevice,
      modeTypes.fifo,
      modeTypes.socket,
    ];
    if (!kinds.some((kind) => inode.is(kind))) {
      const mode = inode.mode.toString(8);
      return this.fail(
        inode,
        'ext-inode-mode',
        `has mode ${mode}, which is no kind of file`,
        'i_mode',
      );
    }
    if (this.hasContent(inode)) {
      return this.fail(
        inode,
        'ext-special-content',
        'is a device, fifo or socket with content',
        'i_block',
      );
    }
    if (inode.has(inodeFlags.inlineData)) {
      this.fail(
        inode,
        'ext-special-content',
        'is a device, fifo or socket with content',
        'i_flags',
      );
    }
    if (inode.has(immutable | appendOnly)) {
      this.fail(
        inode,
        'ext-special-immutable',
        'is a special file that must not change',
        'i_flags',
      );
    }
    if (inode.size !== 0) {
      this.fail(inode, 'ext-special-size', 'is a device, fifo or socket with a size', 'i_size_lo');
    }
    return true;
  }

  private hasContent(inode: InodeCursor): boolean {
    if (inode.has(inodeFlags.indexedDirectory | inodeFlags.extents)) return true;
    if (!inode.has(immutable | appendOnly)) return false;
    for (let i = devicePointers; i < pointers; i++) if (inode.pointer(i) !== 0) return true;
    return false;
  }

  private checkSymlink(inode: InodeCursor, inlineLength: number): boolean {
    const complaint = this.complaintOfSymlink(inode, inlineLength);
    if (complaint !== null) {
      return this.fail(inode, 'ext-symlink-broken', `is a symlink, but ${complaint}`, 'i_size_lo');
    }
    if (inode.has(immutable | appendOnly)) {
      this.fail(
        inode,
        'ext-special-immutable',
        'is a special file that must not change',
        'i_flags',
      );
    }
    return true;
  }

  private complaintOfSymlink(inode: InodeCursor, inlineLength: number): string | null {
    if (inode.size === 0) return 'has no target';
    if (inode.size >= 2 ** 32) return 'is longer than 4 GiB';
    if (inode.has(inodeFlags.indexedDirectory)) return 'has the index of a directory';
    if (inode.has(inodeFlags.inlineData)) {
      if (inode.has(inodeFlags.extents)) return 'has an extent tree too';
      return inode.size === targetBytes + inlineLength ? null : 'is not as long as it says';
    }
    if (inode.size < targetBytes) {
      if (inode.has(inodeFlags.extents)) return 'has an extent tree for a short target';
      const start = inode.at + inode.blockPlace - inode.place;
      const place = inode.view.byteOffset + start;
      return this.complaintOfTarget(inode, new Uint8Array(inode.view.buffer, place, targetBytes));
    }
    const block = this.targetBlock(inode);
    const { blockSize } = this.context.volume.geometry;
    if (block === null) return 'its target is not in one block';
    const target = readBytes(this.context.volume.bytes, block * blockSize, blockSize);
    return this.complaintOfTarget(inode, target);
  }

  private complaintOfTarget(inode: InodeCursor, target: Uint8Array): string | null {
    const end = target.indexOf(0);
    const length = inode.has(inodeFlags.encrypted)
      ? target[0] + target[1] * 256 + 2
      : end < 0
        ? target.length
        : end;
    if (length >= target.length) return 'its target does not end';
    return length === inode.size ? null : `its target has ${length} bytes, not ${inode.size}`;
  }

  /** The one block of a target; null where there is none, or more than one. */
  private targetBlock(inode: InodeCursor): number | null {
    const block = inode.has(inodeFlags.extents) ? this.onlyExtent(inode) : this.onlyPointer(inode);
    return block !== null && holdsBlocks(this.context.volume.geometry, block) ? block : null;
  }

  private onlyPointer(inode: InodeCursor): number | null {
    for (let i = 1; i < pointers; i++) if (inode.pointer(i) !== 0) return null;
    return inode.pointer(0);
  }

  private onlyExtent(inode: InodeCursor): number | null {
    const at = inode.at + inode.blockPlace - inode.place;
    const { view } = inode;
    if (!isExtentNode(view, at, targetBytes)) return null;
    const isOne = view.getUint16(at + 2, true) === 1 && view.getUint16(at + 6, true) === 0;
    const entry = at + headerSize;
    const isFirst = view.getUint32(entry, true) === 0 && view.getUint16(entry + 4, true) === 1;
    if (!isOne || !isFirst) return null;
    return view.getUint16(entry + 6, true) * 2 ** 32 + view.getUint32(entry + 8, true);
  }

  /** Whether the first block of what says to be something else starts like a directory. */
  isReallyDirectory(inode: InodeCursor): boolean {
    const kinds = [modeTypes.directory, modeTypes.regular, modeTypes.symlink];
    if (kinds.some((kind) => inode.is(kind)) || inode.pointer(0) === 0) return false;
    if (inode.has(inodeFlags.inlineData)) return false;
    const hasTree = inode.has(inodeFlags.extents);
    const block = hasTree ? this.onlyExtent(inode) : this.firstPointer(inode);
    if (block === null || !holdsBlocks(this.context.volume.geometry, block)) return false;
    const isDevice = inode.is(modeTypes.characterDevice) || inode.is(modeTypes.blockDevice);
    const mayBeDevice = !hasTree && !this.usesLatePointers(inode);
    if (isDevice && inode.links === 1 && mayBeDevice) return false;
    return this.startsLikeDirectory(inode.number, block);
  }

  /** Null where any pointer leads out of the volume, or to what is in use. */
  private firstPointer(inode: InodeCursor): number | null {
    for (let i = 0; i < pointers; i++) {
      const block = inode.pointer(i);
      if (block === 0) continue;
      if (!holdsBlocks(this.context.volume.geometry, block)) return null;
      if (this.context.claims.claimed.has(block)) return null;
    }
    return inode.pointer(0);
  }

  private usesLatePointers(inode: InodeCursor): boolean {
    for (let i = devicePointers; i < pointers; i++) if (inode.pointer(i) !== 0) return true;
    return false;
  }

  private startsLikeDirectory(number: number, block: number): boolean {
    const { blockSize } = this.context.volume.geometry;
    const bytes = readBytes(this.context.volume.bytes, block * blockSize, blockSize);
    const view = new DataView(bytes.buffer);
    const length = decodeRecordLength(view.getUint16(4, true), blockSize);
    const isDot = view.getUint32(0, true) === number && bytes[6] === 1 && bytes[8] === dot;
    if (!isDot || length < headerSize || length % 4 !== 0 || length >= blockSize - headerSize) {
      return false;
    }
    const next = decodeRecordLength(view.getUint16(length + 4, true), blockSize);
    const isDots =
      bytes[length + 6] === 2 && bytes[length + 8] === dot && bytes[length + 9] === dot;
    return isDots && next >= headerSize && next % 4 === 0;
  }

  private fail(inode: InodeCursor, code: ProblemCode, what: string, field: InodeField): false {
    this.context.report.add(code, `Inode ${inode.number} ${what}.`, inode.field(field));
    return false;
  }
}
