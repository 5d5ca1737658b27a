import { readView, type WritableVolume } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import type { NodeId } from '../../filesystem/node';
import { slotSize, type BootSector } from '../boot-sector';
import type { CodePage } from '../code-pages';
import { FatVolume } from '../fat-volume';
import { isDotSlot, shortSlot, slotKind, type ShortSlot } from '../slots';

/** A volume whose slots can be changed. */
export class WritableFat extends FatVolume {
  constructor(
    override readonly bytes: WritableVolume,
    boot: BootSector,
    codePage: CodePage,
  ) {
    super(bytes, boot, codePage);
  }

  /** The live short slot of a node. @throws ImageError `not-found` where there is none */
  slot(node: NodeId): ShortSlot {
    return shortSlot.read(this.slotView(node));
  }

  /** Changes some fields of a node's short slot; an absent one stays. */
  changeSlot(node: NodeId, changes: Partial<ShortSlot>): void {
    const view = this.slotView(node);
    setFields(view, changes);
    this.bytes.write(node, new Uint8Array(view.buffer));
  }

  private slotView(node: NodeId): DataView {
    if (this.isSlotPlace(node)) {
      const view = readView(this.bytes, node, slotSize);
      const bytes = new Uint8Array(view.buffer);
      if (slotKind(bytes, 0) === 'short' && !isDotSlot(bytes, 0)) return view;
    }
    throw new ImageError('not-found', `There is no file or directory at byte ${node}.`);
  }
}

/** Sets the fields of a short slot that have a value. @param at where it starts in the view */
export function setFields(view: DataView, values: Partial<ShortSlot>, at = 0): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) shortSlot.set(view, name as keyof ShortSlot, value, at);
  }
}

/** The two halves of a first cluster. On FAT12 and FAT16 the high one is no part of it. */
export function firstClusterFields(cluster: number, bits: BootSector['bits']): Partial<ShortSlot> {
  const low = { DIR_FstClusLO: cluster & 0xffff };
  return bits === 32 ? { ...low, DIR_FstClusHI: cluster >>> 16 } : low;
}
