/** A worker whose engine does on demand what engines should not do: work forever, die, fail. */
import { parentPort, workerData } from 'node:worker_threads';
import type { NodeDetails } from '../../src/session/answers';
import type { CheckRequests, TrustedCheckRequests } from '../../src/protocol/check-requests';
import type { LayoutRequests } from '../../src/protocol/layout-requests';
import type { PlanRequests, TrustedEditRequests } from '../../src/protocol/edit-requests';
import { ImageError } from '../../src/image/errors';
import { Cancellation } from '../../src/worker/cancellation';
import type { EngineStart } from '../../src/worker/client';
import { serve, type Engine } from '../../src/worker/serve';

const start = workerData as EngineStart;

const sleep = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const engine: Engine = {
  // nobody asks for these here
  ...({} as Pick<
    Engine,
    | keyof LayoutRequests
    | keyof CheckRequests
    | keyof TrustedCheckRequests
    | keyof PlanRequests
    | keyof TrustedEditRequests
  >),
  summary: () => {
    const size = 'bytes' in start.source ? start.source.bytes.length : 0;
    return {
      image: { size, allocated: size },
      scheme: 'none',
      notes: [],
      volumes: [],
      first: null,
      whyReadOnly: null,
    };
  },
  /** Works for `start` milliseconds. */
  list: (query, progress) => {
    for (let i = 0; i < query.start; i++) {
      progress.report(i, query.start);
      sleep(1);
    }
    return { total: 0, matched: 0, start: 0, rows: [], problems: [] };
  },
  locatePrefix: () => process.exit(7),
  /** Ends by an error outside of any request. */
  locateNode: () => {
    setTimeout(() => {
      throw new Error('nobody\ncatches this');
    });
    return new Promise<number>(() => undefined) as unknown as number;
  },
  resolve: (_volume, path) => {
    throw new ImageError('not-found', `There is no ${path}.`);
  },
  /** Fills the memory. */
  details: () => {
    const kept: unknown[] = [];
    while (kept.length < 1e9) kept.push({ index: kept.length });
    return kept as unknown as NodeDetails;
  },
  read: (_volume, node, offset, length) => new Uint8Array(length).fill(node + offset),
  /** Never ends, and asks nobody whether it should. */
  freeSpace: () => {
    for (;;) sleep(1000);
  },
  exportTarget: (folder, name) => `${folder}/${name}`,
  exportNode: () => {
    throw new TypeError('undefined is not a function');
  },
};

if (parentPort) serve(parentPort, engine, new Cancellation(start.cancellation));
