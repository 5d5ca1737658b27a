import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cli } from './support/cli';

const cli = new Cli();
let clean: string;
let broken: string;

beforeAll(() => {
  clean = cli.sample('fat32');
  const bytes = readFileSync(clean);
  // FAT[1] without its mark of a clean unmount.
  const fat = bytes.readUInt16LE(14) * bytes.readUInt16LE(11);
  bytes.writeUInt32LE(bytes.readUInt32LE(fat + 4) & ~0x08000000, fat + 4);
  broken = cli.image('broken.img', bytes);
});

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly byteOffset: number; readonly byteLength: number };
        };
      }[];
    }[];
  }[];
}

describe('check', () => {
  it('exits with 0 on a sound volume', async () => {
    const document = await cli.json<{ type: string; counts: object }>('check', clean);
    expect(document).toMatchObject({
      ...{ type: 'fat32', state: 'clean', volume: 0, volumes: 1, counts: { error: 0 } },
    });
    expect(await cli.text('check', clean)).toMatch(/^fat32, clean: 0 errors/m);
  });

  it('exits with 4 on errors, and says where they lie', async () => {
    const { code, stdout, stderr } = await cli.run(['check', broken, '--json']);
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    const document = JSON.parse(stdout.toString()) as {
      findings: { code: string; severity: string; offset: number; fixable: boolean }[];
      counts: { error: number };
    };
    expect(document.findings).toContainEqual(
      expect.objectContaining({ code: 'fat-dirty', severity: 'error', length: 4, fixable: true }),
    );
    expect(document.counts.error).toBeGreaterThan(0);
  });

  it('explains each kind once when asked', async () => {
    const { code, stdout } = await cli.run(['check', broken, '--explain']);
    expect(code).toBe(4);
    expect(stdout.toString()).toMatch(/\[fat-dirty\].*byte \d+.*\n {2}Not unmounted cleanly: /);
  });

  it('prints a SARIF log whose results name their rules and bytes', async () => {
    const { code, stdout } = await cli.run(['check', broken, '--sarif']);
    expect(code).toBe(4);
    const log = JSON.parse(stdout.toString()) as Log;
    expect(log.version).toBe('2.1.0');
    const [{ tool, results }] = log.runs;
    expect(results.length).toBeGreaterThan(0);
    for (const { ruleId, ruleIndex, level, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^file:.*broken\.img$/);
      expect(locations[0].physicalLocation.region.byteLength).toBeGreaterThan(0);
    }
  });

  it('changes no byte', async () => {
    const sha256 = () => createHash('sha256').update(readFileSync(broken)).digest('hex');
    const before = sha256();
    await cli.run(['check', broken]);
    expect(sha256()).toBe(before);
  });

  it('refuses what holds no filesystem', async () => {
    const image = cli.image('nothing.img', new Uint8Array(4096));
    const { code, stderr } = await cli.run(['check', image]);
    expect(code).toBe(8);
    expect(stderr).toMatch(/^fsimg: [^\n]+\n$/);
  });
});
