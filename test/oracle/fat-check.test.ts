import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openFat } from '../../src/fat/fat-filesystem';
import type { CheckReport } from '../../src/filesystem/check';
import { VolumeBytes } from '../../src/image/bytes';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { Random } from '../support/random';
import { corpus } from './support/corpus';
import { run, withFolder } from './support/fat-tools';

/** Mutations of each format; more of them with the environment variable. */
const mutations = Number(process.env.FSIMG_MUTATIONS ?? 150);

/** What a check comes to: the reference checker has nothing between a clean volume and errors. */
type Verdict = 'clean' | 'errors';

function check(bytes: Uint8Array): { verdict: Verdict; report?: CheckReport } {
  try {
    const report = openFat(new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length)).check();
    return { verdict: report.counts.error === 0 ? 'clean' : 'errors', report };
  } catch (error) {
    if (error instanceof ImageError) return { verdict: 'errors' };
    throw error;
  }
}

function reference(image: string): { verdict: Verdict; said: string } {
  const done = spawnSync('fsck.fat', ['-n', image], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' },
    encoding: 'latin1',
    timeout: 20_000,
    maxBuffer: 1 << 26,
  });
  const said = `${done.stdout}${done.stderr}`.split('\n').slice(1, 6).join(' | ');
  return { verdict: done.status === 0 ? 'clean' : 'errors', said };
}

interface Format {
  readonly bits: 12 | 16 | 32;
  readonly size: number;
  readonly options: readonly string[];
}

const formats: readonly Format[] = [
  { bits: 12, size: 1440 * 1024, options: [] },
  { bits: 16, size: 9 * 1024 * 1024, options: ['-s', '4', '-n', 'PICTURES'] },
  { bits: 16, size: 5 * 1024 * 1024, options: ['-s', '1', '-f', '1', '-r', '64'] },
  { bits: 32, size: 34 * 1024 * 1024, options: ['-s', '1', '-n', 'CARD'] },
];

/** A volume with files in pieces, long and short names, directories in directories. */
function makeFilled(image: string, { bits, size, options }: Format): void {
  fs.writeFileSync(image, '');
  fs.truncateSync(image, size);
  run('mkfs.fat', ['-F', String(bits), ...options, image]);
  const source = `${image}.content`;
  const put = (name: string, length: number) => {
    fs.writeFileSync(source, Buffer.alloc(length, name));
    run('mcopy', ['-i', image, source, `::${name}`]);
  };
  for (const folder of ['DIR', 'DIR/Nested directory', 'EMPTY']) {
    run('mmd', ['-i', image, `::${folder}`]);
  }
  put('A.TXT', 9000);
  put('gone.bin', 3000);
  put('A long name of a file.text', 20_000);
  put('DIR/B.TXT', 700);
  put('DIR/Nested directory/grün 文件.txt', 5000);
  put('EMPTY.TXT', 0);
  run('mdel', ['-i', image, '::gone.bin']);
  put('fills the gap.dat', 12_000);
}

/** fsck.fat passes by media types with which no driver mounts the volume. */
function isUnmountable(bytes: Uint8Array): boolean {
  return bytes[21] !== 0xf0 && bytes[21] < 0xf8;
}

/** Where metadata lies: the boot area, the start of each FAT, the root, the directories. */
function metadataPlaces(bytes: Uint8Array, random: Random): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const sector = view.getUint16(11, true);
  const reserved = view.getUint16(14, true) * sector;
  const fat = (view.getUint16(22, true) || view.getUint32(36, true)) * sector;
  const root = reserved + bytes[16] * fat;
  const data = root + view.getUint16(17, true) * 32;
  switch (random.below(6)) {
    case 0:
      return random.below(90);
    case 1:
      return random.below(Math.min(reserved, 7 * sector));
    case 2:
      return reserved + random.below(160) + random.below(bytes[16]) * fat;
    case 3:
      return root + random.below(700);
    default:
      return data + random.below(24 * bytes[13] * sector);
  }
}

describe('a check of FAT beside fsck.fat', () => {
  const list = path.join(corpus, 'fat.jsonl');
  it.runIf(fs.existsSync(list))('agrees on the images that others made', () => {
    const disagreements: string[] = [];
    for (const line of fs.readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
      const {
        name,
        image,
        size,
        check: said,
      } = JSON.parse(line) as {
        name: string;
        image: string;
        size: number;
        check: { verdict: string };
      };
      if (size > 300 * 1024 * 1024) continue;
      const bytes = brotliDecompressSync(fs.readFileSync(path.join(corpus, image)));
      const { verdict } = check(bytes);
      if (verdict !== said.verdict) disagreements.push(`${name}: ${verdict}, not ${said.verdict}`);
    }
    expect(disagreements).toEqual([]);
  });

  it.each(formats)('agrees on mutations of FAT$bits, $size bytes, $options', (format) => {
    withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeFilled(image, format);
      const clean = new Uint8Array(fs.readFileSync(image));
      expect(check(clean).report?.findings).toEqual([]);
      const descriptor = fs.openSync(image, 'r+');
      const disagreements: string[] = [];
      for (let seed = 1; seed <= mutations; seed++) {
        const random = new Random(seed * 7919 + format.bits);
        const mutated = clean.slice();
        const changes: string[] = [];
        for (let count = 1 + random.below(2); count > 0; count--) {
          const at = Math.min(metadataPlaces(clean, random), clean.length - 1);
          const value =
            random.below(3) === 0 ? random.below(256) : mutated[at] ^ (1 << random.below(8));
          changes.push(`${at}: ${mutated[at].toString(16)} to ${value.toString(16)}`);
          mutated[at] = value;
          fs.writeSync(descriptor, mutated, at, 1, at);
        }
        const own = check(mutated);
        const other = reference(image);
        if (own.verdict !== other.verdict && !isUnmountable(mutated)) {
          const found = own.report?.findings.map(({ code }) => code).join(' ') ?? 'refused';
          disagreements.push(
            `seed ${seed} (${changes.join(', ')}): ${own.verdict} [${found}], not ${other.verdict} [${other.said}]`,
          );
        }
        for (const change of changes) {
          const at = Number(change.split(':')[0]);
          fs.writeSync(descriptor, clean, at, 1, at);
        }
      }
      fs.closeSync(descriptor);
      expect(disagreements.join('\n')).toBe('');
    });
  });
});
