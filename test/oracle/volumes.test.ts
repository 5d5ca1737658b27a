import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileBytes } from '../../src/image/file-bytes';
import { PageCache } from '../../src/image/page-cache';
import { ImageSession } from '../../src/session/image-session';
import { run, withFolder } from './support/ext-tools';

const MiB = 1024 * 1024;

interface Table {
  readonly sectorsize: number;
  readonly partitions: readonly {
    readonly node: string;
    readonly start: number;
    readonly size: number;
    readonly type: string;
    readonly name?: string;
  }[];
}

/** Calls `use` with a block device of such sectors whose content is the image. */
function withDevice<T>(image: string, sectorSize: number, use: (device: string) => T): T {
  if (sectorSize === 512) return use(image); // the tools take files for disks of 512-byte sectors
  const size = String(sectorSize);
  const device = run('losetup', ['--find', '--show', '--sector-size', size, image]).trim();
  try {
    return use(device);
  } finally {
    run('losetup', ['--detach', device]);
  }
}

/** Partitions an image with sfdisk. @returns the table as sfdisk reads it */
function partition(image: string, sectorSize: number, script: string): Table {
  return withDevice(image, sectorSize, (device) => {
    run('sfdisk', ['--quiet', '--no-reread', '--no-tell-kernel', device], script);
    const report = JSON.parse(run('sfdisk', ['--json', device])) as { partitiontable: Table };
    return report.partitiontable;
  });
}

/** What sfdisk's table has in common with ours; extended partitions are not volumes. */
function expected({ partitions, sectorsize }: Table) {
  return partitions
    .filter(({ type }) => !['5', 'f', '85'].includes(type))
    .map(({ node, start, size, type, name = '' }) => ({
      number: Number(/\d+$/.exec(node)?.[0]),
      offset: start * sectorsize,
      length: size * sectorsize,
      type: type.toLowerCase().padStart(2, '0'),
      name,
    }));
}

/** Makes a filesystem in every second partition, with the tools that own it. */
function fill(image: string, table: Table): string[] {
  return expected(table).map(({ offset, length }, i) => {
    if (i % 2 === 1) return 'unknown';
    if (i % 4 === 2) {
      const volume = `${image}.fat`;
      fs.writeFileSync(volume, '');
      fs.truncateSync(volume, length);
      run('mkfs.fat', ['-F', '12', '-S', String(table.sectorsize), volume]);
      const target = fs.openSync(image, 'r+');
      fs.writeSync(target, fs.readFileSync(volume), 0, length, offset);
      fs.closeSync(target);
      return 'fat12';
    }
    const blocks = String(Math.floor(length / 4096));
    run('mke2fs', ['-q', '-F', '-b', '4096', '-E', `offset=${offset}`, image, blocks]);
    return 'ext2';
  });
}

function summarise(image: string) {
  const session = ImageSession.open(image);
  try {
    return session.summary();
  } finally {
    session.close();
  }
}

function makeDisk(folder: string, sectorSize: number, script: string) {
  const image = path.join(folder, 'disk.img');
  fs.writeFileSync(image, '');
  fs.truncateSync(image, 64 * MiB);
  const table = partition(image, sectorSize, script);
  expect(table.sectorsize).toBe(sectorSize);
  return { image, table, types: fill(image, table) };
}

const logical = (type: string) => `label: dos
1 : start=1MiB, size=4MiB, type=c
2 : start=6MiB, size=50MiB, type=${type}
3 : start=58MiB, size=4MiB, type=83
5 : size=3MiB, type=83
6 : size=5MiB, type=83
7 : size=7MiB, type=82
`;
const gpt = `label: gpt
1 : size=5MiB, name="EFI System", type=uefi
3 : size=6MiB, name="größe"
4 : size=7MiB
9 : size=8MiB, name="${'n'.repeat(36)}"
`;

describe.each([512, 4096])('a disk of %i-byte sectors, partitioned by sfdisk', (sectorSize) => {
  it.each([
    ['an MBR', 'mbr', 'label: dos\nsize=4MiB, type=c\nsize=5MiB\nsize=6MiB\nsize=7MiB\n'],
    ['an MBR with logical partitions', 'mbr', logical('5')],
    ['an MBR with logical partitions (LBA)', 'mbr', logical('f')],
    ["an MBR with logical partitions (Linux's own)", 'mbr', logical('85')],
    ['a GPT', 'gpt', gpt],
  ])('%s', async (_name, scheme, script) => {
    await withFolder((folder) => {
      const { image, table, types } = makeDisk(folder, sectorSize, script);
      const summary = summarise(image);
      expect(summary).toMatchObject({ scheme, notes: [] });
      expect(summary.volumes.map(({ partition: entry }) => entry)).toEqual(expected(table));
      expect(summary.volumes.map(({ type }) => type)).toEqual(types);
      expect(summary.volumes.length).toBeGreaterThan(3);
    });
  });

  it('a GPT whose primary copy is destroyed, then its backup instead', async () => {
    await withFolder((folder) => {
      const { image, table } = makeDisk(folder, sectorSize, gpt);
      const whole = fs.readFileSync(image);
      const damaged = (start: number, end: number) => {
        fs.writeFileSync(image, Buffer.from(whole).fill(0xa5, start, end));
        return summarise(image);
      };
      const last = whole.length - sectorSize;
      for (const [start, end, words] of [
        [sectorSize, 2 * sectorSize, 'no primary'],
        [2 * sectorSize, 2 * sectorSize + 512, 'primary of the partition table is damaged'],
        [last, whole.length, 'no backup'],
        [last - 32 * 512, last, 'backup of the partition table is damaged'],
      ] as const) {
        const { scheme, volumes, notes } = damaged(start, end);
        expect(scheme).toBe('gpt');
        expect(volumes.map(({ partition: entry }) => entry)).toEqual(expected(table));
        expect(notes.join()).toContain(words);
      }
    });
  });
});

describe('what is no partitioned disk', () => {
  it('is what mkfs.fat made with an entry that covers all of it', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'floppy.img');
      fs.writeFileSync(image, '');
      fs.truncateSync(image, 4 * MiB);
      run('mkfs.fat', ['--mbr=y', image]);
      expect(fs.readFileSync(image).readUInt32LE(446 + 12)).toBeGreaterThan(0);
      expect(summarise(image)).toMatchObject({
        ...{ scheme: 'none', notes: [] },
        volumes: [{ type: 'fat12', offset: 0, length: 4 * MiB }],
      });
    });
  });

  it('is a bootable ext2 floppy', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'floppy.img');
      fs.writeFileSync(image, '');
      fs.truncateSync(image, 1440 * 1024);
      run('mke2fs', ['-q', '-F', image]);
      const file = fs.openSync(image, 'r+');
      fs.writeSync(file, Buffer.from([0x55, 0xaa]), 0, 2, 510);
      fs.closeSync(file);
      expect(summarise(image)).toMatchObject({
        ...{ scheme: 'none', notes: [] },
        volumes: [{ type: 'ext2', offset: 0 }],
      });
    });
  });

  it('is swap space', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'swap.img');
      fs.writeFileSync(image, Buffer.alloc(MiB), { mode: 0o600 });
      run('mkswap', [image]);
      expect(summarise(image).volumes).toMatchObject([
        { type: 'swap', foreign: 'Linux swap space' },
      ]);
    });
  });

  it('is the journal of another ext filesystem', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'journal.img');
      fs.writeFileSync(image, '');
      fs.truncateSync(image, 8 * MiB);
      run('mke2fs', ['-q', '-F', '-O', 'journal_dev', image]);
      expect(summarise(image).volumes).toMatchObject([{ type: 'ext-journal' }]);
    });
  });
});

describe('a large volume', () => {
  it('costs as few reads to open as a small one', async () => {
    await withFolder((folder) => {
      const reads = ['64M', '4T'].map((size) => {
        const image = path.join(folder, `${size}.img`);
        const features = 'extent,64bit,flex_bg,metadata_csum,sparse_super,huge_file,filetype';
        const lazily = 'lazy_itable_init=1';
        run('mke2fs', ['-q', '-F', '-O', features, '-E', lazily, '-b', '4096', image, size]);
        const file = FileBytes.open(image);
        let count = 0;
        const counted = {
          size: file.size,
          read: (offset: number, target: Uint8Array) => {
            count += 1;
            return file.read(offset, target);
          },
        };
        const { volumes } = new ImageSession(new PageCache(counted)).summary();
        expect(volumes).toMatchObject([{ type: 'ext4', unreadable: null }]);
        file.close();
        fs.rmSync(image);
        return count;
      });
      expect(reads[1]).toBeLessThanOrEqual(reads[0] + 4);
    });
  });
});
