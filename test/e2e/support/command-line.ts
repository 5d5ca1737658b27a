import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { repository } from '../../vscode/host.mjs';
import { extendPath } from '../../vscode/system-tools.mjs';

/** Options of Node that stop the clock of every engine. */
export const stoppedClock = `--require=${join(import.meta.dirname, 'engine-clock.cjs')}`;

/** The command line, at work on images with the same stopped clock as the editor. */
export class CommandLine {
  /** Where it keeps what a save needs; the editor knows nothing of it. */
  private readonly state = mkdtempSync(join(tmpdir(), 'vscode-e2e-state-'));

  constructor() {
    afterAll(() => rmSync(this.state, { recursive: true, force: true }));
  }

  run(verb: string, image: string, ...rest: string[]): string {
    const program = [stoppedClock, join(repository, 'dist/cli.js')];
    return execFileSync(process.execPath, [...program, verb, image, ...rest], {
      encoding: 'utf8',
      env: { ...process.env, XDG_STATE_HOME: this.state },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  json<Answer>(verb: string, image: string, ...rest: string[]): Answer {
    return JSON.parse(this.run(verb, image, '--json', ...rest)) as Answer;
  }
}

/** Tells two states of a file apart. */
export const hashOf = (path: string) =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

/** What the checker of the system finds wrong with an image; nothing where it is sound. */
export function problemsOf(image: string, type: 'fat' | 'ext'): string {
  extendPath();
  const [program, options] = type === 'fat' ? ['fsck.fat', '-n'] : ['e2fsck', '-fn'];
  const { status, stdout, stderr, error } = spawnSync(program, [options, image], {
    encoding: 'utf8',
  });
  if (error) throw error;
  return status === 0 ? '' : stdout + stderr;
}
