import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryJson } from '../../src/cli/entry-json';
import type { Extent } from '../../src/filesystem/extents';
import type { DescribedStructure } from '../../src/filesystem/structure';
import { Cli, expectRefusal } from './support/cli';

const cli = new Cli();
const images: Record<string, string> = {};
beforeAll(() => {
  for (const name of ['fat32', 'ext2', 'ext4', 'card']) images[name] = cli.sample(name);
});

interface RecordJson extends Readonly<Record<string, unknown>> {
  readonly offset: number;
  readonly length: number;
  readonly name: string;
  readonly state: string;
  readonly kind: string;
}
interface Records {
  readonly blocks: readonly {
    readonly block: number | null;
    readonly offset: number;
    readonly length: number;
    readonly records: readonly RecordJson[];
  }[];
}
const recordsOf = ({ blocks }: Records) => blocks.flatMap((block) => block.records);

const names = async (image: string, path: string) => {
  const { entries } = await cli.json<{ entries: EntryJson[] }>('ls', image, path);
  return entries.map(({ name }) => name).sort();
};

describe('records', () => {
  it.each(['ext2', 'ext4'])('prints every record of every block on %s', async (type) => {
    const document = await cli.json<Records>('records', images[type], '/mail');
    const bytes = readFileSync(images[type]);
    for (const { offset, length, records } of document.blocks) {
      const chain = records.filter(({ partOf }) => partOf === undefined);
      expect(chain[0].offset).toBe(offset);
      for (const record of chain) {
        expect(record.inode).toBe(bytes.readUInt32LE(record.offset));
        expect(record.recLen).toBe(bytes.readUInt16LE(record.offset + 4));
        expect(record.fileType).toBe(bytes[record.offset + 7]);
        expect(record.kind).toBe(record.state);
        expect(record.slack).toBe(Number(record.recLen) - Number(record.minimum));
      }
      expect(chain.reduce((sum, record) => sum + Number(record.recLen), 0)).toBe(length);
    }
    const all = recordsOf(document);
    const live = all.filter(({ state, name }) => state === 'live' && !/^\.\.?$/.test(name));
    expect(live.map(({ name }) => name).sort()).toEqual(await names(images[type], '/mail'));
    expect(all.filter(({ state }) => state === 'deleted').map(({ name }) => name)).toContain(
      'letter 2 to the editor.txt',
    );
  });

  it('prints every slot on FAT', async () => {
    const document = await cli.json<Records>('records', images.fat32, '/');
    const all = recordsOf(document);
    const bytes = readFileSync(images.fat32);
    for (const record of all) {
      if (record.kind === 'long') expect(bytes[record.offset + 11]).toBe(0x0f);
      if (record.kind === 'deleted') expect(bytes[record.offset]).toBe(0xe5);
      if (record.kind === 'end') expect(bytes[record.offset]).toBe(0);
    }
    const listed = await names(images.fat32, '/');
    expect(all.filter(({ kind }) => kind === 'short')).toHaveLength(listed.length);
    expect(new Set(all.map(({ kind }) => kind))).toContain('label');
  });

  it('prints the same for people', async () => {
    const text = await cli.text('records', images.ext2, '/mail');
    expect(text).toMatch(/^block \d+ at byte \d+, 1024 bytes, \d+ records$/m);
    expect(text).toMatch(/^ +\d+ live +inode=\d+ recLen=\d+ .*"letter 1 to the editor.txt"$/m);
    expect(text).toMatch(/^ +\d+ deleted .*"letter 2 to the editor.txt"$/m);
  });

  it('follows symlinks, and takes only directories', async () => {
    const run = await cli.run(['records', images.ext2, '/shortcut']);
    expectRefusal(run, 8, 'not a directory');
    expectRefusal(await cli.run(['records', images.ext2, '/nothing']), 8, 'There is no /nothing');
  });
});

interface HexJson {
  readonly offset: number;
  readonly length: number;
  readonly bytes: string;
  readonly structures: readonly DescribedStructure[];
}

describe('hex', () => {
  it('prints bytes with the structures and fields that own them', async () => {
    const document = await cli.json<HexJson>('hex', images.ext4, '1K', '0x40');
    const bytes = readFileSync(images.ext4).subarray(1024, 1088);
    expect(document).toMatchObject({ offset: 1024, length: 64, bytes: bytes.toString('hex') });
    const [superblock] = document.structures;
    expect(superblock).toMatchObject({ kind: 'superblock', offset: 1024, length: 1024 });
    const fields = superblock.fields.map(({ name }) => name);
    expect(fields.slice(0, 2)).toEqual(['s_inodes_count', 's_blocks_count_lo']);
    expect(fields).toContain('s_magic');
    expect(fields).not.toContain('s_uuid');
  });

  it('knows partition tables and every volume of an image', async () => {
    const mbr = await cli.json<HexJson>('hex', images.card, '446', '66');
    expect(mbr.structures.map(({ kind }) => kind)).toEqual([
      'MBR',
      ...Array.from({ length: 4 }, () => 'MBR entry'),
    ]);
    const second = mbr.structures[2].fields.find(({ name }) => name === 'StartingLBA');
    const superblock = 512 * Number(second?.value) + 1024;
    const inVolume = await cli.json<HexJson>('hex', images.card, String(superblock), '2');
    expect(inVolume.structures.map(({ kind }) => kind)).toEqual(['superblock']);
    const boot = await cli.json<HexJson>('hex', images.fat32, '0', '512');
    expect(boot.structures.map(({ kind }) => kind)).toContain('boot sector');
  });

  it('prints the same for people', async () => {
    const lines = (await cli.text('hex', images.ext4, '0x438', '20')).split('\n');
    expect(lines[0]).toMatch(/^00000438 {2}53 ef( [0-9a-f]{2}){14} {2}S.{15}$/);
    expect(lines[1]).toMatch(/^00000448 {2}[0-9a-f]{2}( [0-9a-f]{2}){3} {38}.{4}$/);
    expect(lines[2]).toMatch(/superblock at byte 1024, 1024 bytes$/);
    expect(lines[3]).toMatch(/^ {2}00000438 {2}s_magic = 61267 = 0xef53 {2}\(.+\)$/);
  });

  it('ends where the image does, and shows a bounded number of bytes', async () => {
    const { length } = readFileSync(images.ext2);
    const document = await cli.json<HexJson>('hex', images.ext2, String(length - 3), '100');
    expect(document).toMatchObject({ length: 3 });
    const behind = await cli.run(['hex', images.ext2, String(length), '1']);
    expectRefusal(behind, 16, `The image ends before byte ${length}.`);
    expectRefusal(await cli.run(['hex', images.ext2, '0', '1G']), 16, 'At most 1048576 bytes');
    expectRefusal(await cli.run(['hex', images.ext2, '0', '1X']), 16, 'It must be a size');
    expectRefusal(await cli.run(['hex', images.ext2, '-1', '1']), 16, /unknown option|size/);
  });
});

describe('owner', () => {
  it.each([
    ['ext2', '/fragments/scattered.log'],
    ['ext4', '/fragments/scattered.log'],
    ['fat32', '/scattered.log'],
  ])('names who owns the units of a file on %s', async (type, path) => {
    const stat = await cli.json<EntryJson & { extents: Extent[] }>('stat', images[type], path);
    expect(stat.extents.length).toBeGreaterThan(1);
    const { physical, logical, length } = stat.extents[1];
    const unit = physical + length - 1;
    expect(await cli.json('owner', images[type], String(unit))).toMatchObject({
      unit,
      role: 'file',
      name: path,
      id: stat.id,
      paths: [path],
      logical: logical + length - 1,
    });
    const text = await cli.text('owner', images[type], String(unit));
    expect(text).toContain(`${unit}: file, ${path}`);
    expect(text).toContain(`${logical + length - 1} of it, counted from 0`);
  });

  it('names structures, directories and free units', async () => {
    const roleOf = (image: string, unit: number) =>
      cli.json<{ role: string; name: string }>('owner', image, String(unit));
    expect(await roleOf(images.ext2, 1)).toMatchObject({ role: 'superblock' });
    const mail = await cli.json<Records>('records', images.ext2, '/mail');
    expect(await roleOf(images.ext2, mail.blocks[0].block ?? 0)).toMatchObject({
      role: 'directory',
      name: '/mail',
    });
    const { list } = await cli.json<{ list: [number, number][] }>('free', images.ext2, '--list');
    expect(await roleOf(images.ext2, list[1][0])).toMatchObject({
      role: 'free',
      name: 'free',
      run: { start: list[1][0], length: list[1][1] },
    });
    const text = await cli.text('owner', images.ext2, String(list[1][0]));
    expect(text).toMatch(/^block \d+: free\n/);
  });

  it('refuses what is no unit of the volume', async () => {
    expectRefusal(await cli.run(['owner', images.ext2, '99999999']), 16, 'There is no block');
    expectRefusal(await cli.run(['owner', images.fat32, '1']), 16, 'There is no cluster 1');
    expectRefusal(await cli.run(['owner', images.ext2, '/mail']), 16, 'whole number');
  });
});
