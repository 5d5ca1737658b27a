/** The engine as a module, and how long its answers take. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Bundles one module of the engine as the build does, and loads it. */
export async function loadEngine(entry) {
  // Among the libraries, so that it finds the one that is not bundled.
  const folder = mkdtempSync(join(root, 'node_modules', '.fsimg-bench-'));
  try {
    const outfile = join(folder, 'engine.cjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'warning',
    });
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds that some work takes: the best of several times, after one that warms up. */
export function measure(work, times = 15) {
  work();
  let best = Infinity;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Prints what the engine took beside what a reference tool took for the same. */
export function compare(what, engine, tool, reference) {
  const milliseconds = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`.padStart(10);
  const ratio = reference / engine;
  const verdict =
    ratio >= 1 ? `${ratio.toFixed(1)} times faster` : `${(1 / ratio).toFixed(1)} times slower`;
  console.log(
    `${what.padEnd(46)} ${milliseconds(engine)}  ${tool.padEnd(22)} ${milliseconds(reference)}  ${verdict}`,
  );
}
