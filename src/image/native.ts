import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';

/** Calls of the operating system that Node.js does not have. Offsets and lengths in bytes. */
export interface NativeFiles {
  /** Makes a range a hole. @returns null, or the code of an error: `ENOSPC` */
  punch(descriptor: number, offset: number, length: number): string | null;
  /** Takes room in the holes of a range. @returns null, or the code of an error */
  reserve(descriptor: number, offset: number, length: number): string | null;
  /** The next data or hole at or after a place. @returns its offset, or the code of an error */
  seek(descriptor: number, offset: number, kind: 'data' | 'hole'): number | string;
}

let loaded: NativeFiles | null | undefined;

/** Loaded when first asked for, which takes some 10 ms; null where the host offers none of it. */
export function nativeFiles(): NativeFiles | null {
  if (loaded === undefined) {
    try {
      loaded = load();
    } catch {
      loaded = null; // no library for this processor, or it was not installed
    }
  }
  return loaded;
}

function load(): NativeFiles | null {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return null;
  // Not bundled: it finds its machine code beside itself.
  const koffi = createRequire(__filename)('koffi') as typeof Koffi;
  const system = koffi.load(null);
  const names = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
  const lastError = () => names.get(koffi.errno()) ?? 'EIO';
  // off_t is given as int64_t: wide enough only for hosts of 64 bits, which are all that are left.
  if (koffi.sizeof('long') !== 8) return null;

  const lseek = system.func('int64_t lseek(int descriptor, int64_t offset, int whence)');
  const seekKinds =
    process.platform === 'linux'
      ? { data: 3, hole: 4 } // SEEK_DATA, SEEK_HOLE of <unistd.h>
      : { data: 4, hole: 3 }; // macOS has them the other way round
  const seek: NativeFiles['seek'] = (descriptor, offset, kind) => {
    const found = Number(lseek(descriptor, offset, seekKinds[kind]));
    return found < 0 ? lastError() : found;
  };

  if (process.platform === 'darwin') {
    // fcntl is variadic, and on arm64 its third argument then goes over the stack: hence `...`.
    const fcntl = system.func('int fcntl(int descriptor, int command, ...)');
    const punchHole = 99; // F_PUNCHHOLE of <sys/fcntl.h>
    // struct fpunchhole: flags and reserved, which are 0, then offset and length.
    const punch: NativeFiles['punch'] = (descriptor, offset, length) => {
      const hole = BigInt64Array.of(0n, BigInt(offset), BigInt(length));
      return fcntl(descriptor, punchHole, 'void *', hole) < 0 ? lastError() : null;
    };
    return { punch, seek, reserve: () => 'ENOTSUP' };
  }

  const fallocate = system.func(
    'int fallocate(int descriptor, int mode, int64_t offset, int64_t length)',
  );
  const keepSizeAndPunch = 3; // FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of <linux/falloc.h>
  const keepSize = 1;
  const allocate =
    (mode: number): NativeFiles['punch'] =>
    (descriptor, offset, length) =>
      fallocate(descriptor, mode, offset, length) < 0 ? lastError() : null;
  return { punch: allocate(keepSizeAndPunch), reserve: allocate(keepSize), seek };
}
