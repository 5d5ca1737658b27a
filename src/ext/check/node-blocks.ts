import type { ExtVolume } from '../volume';

/**
 * The blocks that a walk over a mapping stands in, one for each level: their memory is used again,
 * for a fragmented volume has many thousands of them.
 */
export class NodeBlocks {
  private readonly views: (DataView<ArrayBuffer> | undefined)[] = [];

  constructor(private readonly volume: ExtVolume) {}

  /**
   * Reads a block.
   * @param level of the walk; valid until another block of it is read
   */
  read(block: number, level: number): DataView<ArrayBuffer> {
    const { bytes, geometry } = this.volume;
    const view = (this.views[level] ??= new DataView(new ArrayBuffer(geometry.blockSize)));
    bytes.read(block * geometry.blockSize, new Uint8Array(view.buffer));
    return view;
  }
}
