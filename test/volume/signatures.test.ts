import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { recogniseForeign } from '../../src/volume/signatures';

const KiB = 1024;

/** A volume with text or bytes at some places. */
function volume(size: number, ...parts: [at: number, content: string | number[]][]): VolumeBytes {
  const bytes = new Uint8Array(size);
  for (const [at, content] of parts) {
    const part = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    bytes.set(part, at);
  }
  return new VolumeBytes(new MemoryBytes(bytes), 0, size);
}

describe('contents that are named', () => {
  // Places and bytes as in file(1)'s magic and in the formats' own documents.
  it.each<[string, number, string | number[]]>([
    ['exfat', 3, 'EXFAT   '],
    ['ntfs', 3, 'NTFS    '],
    ['bitlocker', 3, '-FVE-FS-'],
    ['luks', 0, 'LUKS\xba\xbe\x00\x02'],
    ['xfs', 0, 'XFSB\0\0\x10\0'],
    ['squashfs', 0, 'hsqs'],
    ['cramfs', 0, [0x45, 0x3d, 0xcd, 0x28]],
    ['romfs', 0, '-rom1fs-'],
    ['ubi', 0, 'UBI#\x01'],
    ['jffs2', 0, [0x85, 0x19, 0x03, 0x20]],
    ['jffs2', 0, [0x19, 0x85, 0x20, 0x03]],
    ['apfs', 32, 'NXSB'],
    ['hfsplus', KiB, 'H+\0\x04'],
    ['f2fs', KiB, [0x10, 0x20, 0xf5, 0xf2]],
    ['erofs', KiB, [0xe2, 0xe1, 0xf5, 0xe0]],
    ['swap', 4 * KiB - 10, 'SWAPSPACE2'],
    ['swap', 64 * KiB - 10, 'SWAPSPACE2'],
    ['iso9660', 32 * KiB + 1, 'CD001'],
    ['jfs', 32 * KiB, 'JFS1'],
    ['reiserfs', 64 * KiB + 52, 'ReIsEr2Fs'],
    ['btrfs', 64 * KiB + 64, '_BHRfS_M'],
    ['qcow2', 0, 'QFI\xfb\0\0\0\x03'],
    ['vmdk', 0, 'KDMV'],
    ['vhdx', 0, 'vhdxfile'],
    ['xz', 0, '\xfd7zXZ\0'],
    ['zstd', 0, [0x28, 0xb5, 0x2f, 0xfd]],
    ['bzip2', 0, 'BZh91AY&SY'],
    ['dmg', 256 * KiB - 512, 'koly\0\0\0\x04'],
  ])('%s', (type, at, content) => {
    const found = recogniseForeign(volume(256 * KiB, [at, content]));
    expect(found).toMatchObject({ type, offset: at });
    expect(found?.name).not.toBe('');
  });

  it('gzip, as it really is', () => {
    const bytes = gzipSync('hello');
    const found = recogniseForeign(new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length));
    expect(found?.type).toBe('gzip');
  });

  it('an LVM volume in any of its first four sectors', () => {
    const label = [1024, 'LABELONE'] as [number, string];
    expect(recogniseForeign(volume(4096, label, [1048, 'LVM2 001']))?.type).toBe('lvm2');
    expect(recogniseForeign(volume(4096, label))).toBeUndefined();
  });

  it('an external journal, but no ext filesystem', () => {
    const magic = [KiB + 0x38, [0x53, 0xef]] as [number, number[]];
    const journal = volume(4096, magic, [KiB + 0x60, [0x08]]);
    expect(recogniseForeign(journal)?.type).toBe('ext-journal');
    expect(recogniseForeign(volume(4096, magic, [KiB + 0x60, [0x02]]))).toBeUndefined();
  });
});

describe('contents that only look alike', () => {
  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['zeros', new Uint8Array(200 * KiB)],
    ['a signature that is cut', Buffer.from('XFS')],
    ['two bytes of JFFS2 without a node', Buffer.from([0x85, 0x19, 0, 0, 0, 0])],
    [
      'BD without a bitmap',
      Buffer.concat([Buffer.alloc(KiB), Buffer.from('BDBDBDBDBDBDBDBDBDBD')]),
    ],
    ['what has no signature at all', brotliCompressSync('hello')],
  ])('%s', (_name, bytes) => {
    const found = recogniseForeign(new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length));
    expect(found).toBeUndefined();
  });
});
