import { spawn, type SpawnOptions } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { bundleProgram, temporaryFolder } from '../../bundle';

/** What a run of the command line left. */
export interface Run {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly seconds: number;
}

export interface RunOptions {
  /** Options of Node itself. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A descriptor that takes what the command prints, which is not kept then. */
  readonly stdout?: number;
}

const samples = resolve(import.meta.dirname, '../../samples');

/** The bundled command line and a folder for images; call it at the top of a test file. */
export class Cli {
  readonly folder = temporaryFolder();
  private readonly program = bundleProgram('src/cli/main.ts', this.folder);

  /** Runs a command to its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    const started = performance.now();
    const child = await this.start(args, options);
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout?.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
    const code = await new Promise<number | null>((done) => child.on('close', done));
    const seconds = (performance.now() - started) / 1000;
    return { code, stdout: Buffer.concat(stdout), stderr, seconds };
  }

  async start(args: readonly string[], { node = [], env = {}, stdout }: RunOptions = {}) {
    const options: SpawnOptions = {
      env: { ...process.env, ...env },
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    };
    return spawn(execPath, [...node, await this.program, ...args], options);
  }

  /** The JSON that a command prints, which has to succeed. */
  async json<Document>(...args: string[]): Promise<Document> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout.toString()) as Document;
  }

  /** The text that a command prints, which has to succeed. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.toString();
  }

  /** One of the committed samples as a file. */
  sample(name: string): string {
    const packed = readFileSync(join(samples, `sample-${name}.img.br`));
    return this.image(`${name}.img`, brotliDecompressSync(packed));
  }

  image(name: string, bytes: Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return path;
  }
}

/** A run that was refused: one line that says why, and no trace of the program's inside. */
export function expectRefusal(run: Run, code: number, reason: RegExp | string): void {
  expect(run.stderr).toMatch(reason);
  expect(run.stderr).toMatch(/^fsimg: [^\n]+\n$/);
  expect(run.stderr).not.toMatch(/ {4}at |node:internal/);
  expect(run.code).toBe(code);
}
