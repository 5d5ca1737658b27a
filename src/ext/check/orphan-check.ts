import { readBytes } from '../../image/bytes';
import { isZero } from '../../image/memory';
import { crc32c, inodeSeed } from '../checksums';
import { superblock } from '../superblock';
import type { CheckContext } from './context';
import type { InodeCursor } from './inode-cursor';
import { MappingWalk, runsOnly } from './mapping-walk';
import type { InodeTableReader } from './table-reader';

const tailLength = 8;
const tailMagic = 0x0b10ca04;

/** Checks the list of files that were open when they lost their last name: on a clean volume, empty. */
export class OrphanCheck {
  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {}

  run(): void {
    const { values, features } = this.context.volume.geometry;
    if (values.s_last_orphan !== 0) {
      const message = `The list of orphans starts with inode ${values.s_last_orphan}.`;
      this.fail('ext-orphan-list', 's_last_orphan', message, values.s_last_orphan);
    }
    if (!features.has('orphan_file')) return;
    const number = values.s_orphan_file_inum;
    const inode = this.tables.cursor(number);
    if (!inode) {
      this.fail(
        'ext-orphan-file',
        's_orphan_file_inum',
        `The orphan file is said to be inode ${number}.`,
      );
      return;
    }
    if (features.has('orphan_present')) {
      this.fail(
        'ext-orphan-file',
        's_feature_ro_compat',
        'The orphan file may hold orphans.',
        number,
      );
    }
    this.checkBlocks(inode);
  }

  private checkBlocks(inode: InodeCursor): void {
    const { volume } = this.context;
    const { blockSize } = volume.geometry;
    const place = inode.field('i_size_lo');
    if (inode.size % blockSize !== 0) {
      const message = `The orphan file, inode ${inode.number}, has no whole number of blocks.`;
      this.context.report.add('ext-orphan-file', message, place);
      return;
    }
    let next = 0;
    const sink = runsOnly(this.context, (logical, physical, length) => {
      if (logical !== next) return;
      next = logical + length;
      for (let i = 0; i < length; i++) this.checkBlock(inode, physical + i);
    });
    new MappingWalk(volume, sink).walk(inode);
    if (next >= inode.size / blockSize) return;
    const message = `The orphan file, inode ${inode.number}, has a hole at block ${next}.`;
    this.context.report.add('ext-orphan-file', message, place);
  }

  /** Zeros, the magic number, and a checksum over the number of the block and its entries. */
  private checkBlock(inode: InodeCursor, block: number): void {
    const { bytes, geometry } = this.context.volume;
    const raw = readBytes(bytes, block * geometry.blockSize, geometry.blockSize);
    const view = new DataView(raw.buffer);
    const entries = raw.subarray(0, raw.length - tailLength);
    const isEmpty = isZero(entries);
    const hasMagic = view.getUint32(entries.length, true) === tailMagic;
    if (isEmpty && hasMagic && this.matches(inode, block, entries, view)) return;
    const what = isEmpty ? 'does not end as it should' : 'lists orphans';
    const message = `Block ${block} of the orphan file, inode ${inode.number}, ${what}.`;
    const offset = inode.imageOffset(block);
    this.context.report.add('ext-orphan-file', message, {
      offset,
      length: raw.length,
      inode: inode.number,
    });
  }

  private matches(inode: InodeCursor, block: number, entries: Uint8Array, view: DataView): boolean {
    const { geometry } = this.context.volume;
    if (!geometry.features.has('metadata_csum')) return true;
    const number = new DataView(new ArrayBuffer(8));
    number.setBigUint64(0, BigInt(block), true);
    const seed = inodeSeed(geometry, inode.number, inode.generation);
    const checksum = crc32c(crc32c(seed, new Uint8Array(number.buffer)), entries);
    return checksum === view.getUint32(entries.length + 4, true);
  }

  private fail(
    code: 'ext-orphan-list' | 'ext-orphan-file',
    field: keyof typeof superblock.fields,
    message: string,
    inode?: number,
  ): void {
    const { offset, length } = superblock.fields[field];
    this.context.report.add(code, message, {
      offset: this.context.superblockPlace + offset,
      length,
      field: `superblock.${field}`,
      ...(inode !== undefined && { inode }),
    });
  }
}
