import { Worker } from 'node:worker_threads';
import {
  longRequests,
  type EngineEvents,
  type RequestArguments,
  type TaskId,
  type TrustedEngineRequests,
} from '../protocol/requests';
import type { ReadOptions } from '../filesystem/filesystem';
import { connect, RemoteError, type Connection, type Local } from '../protocol/rpc';
import { Cancellation } from './cancellation';

/**
 * Where an engine reads the image: a file of the host, or bytes, whose whole buffer is handed over
 * to it and is lost to the caller.
 */
export type ImageSource = ReadOptions & (ImageOfHost | { readonly bytes: Uint8Array<ArrayBuffer> });

interface ImageOfHost {
  readonly path: string;
  /** Where journals of saves are kept; where the host has such files unless given. */
  readonly stateFolder?: string;
  /** Where bytes are kept that only undo needs; without it, undo ends where the image is saved. */
  readonly undoFolder?: string;
}

/** What an engine is given when it starts. */
export interface EngineStart {
  readonly source: ImageSource;
  readonly cancellation: SharedArrayBuffer;
}

export interface EngineOptions {
  /** The bundled worker. */
  readonly program: string;
  /** Called for every engine that is started; a failure becomes the answer to every request. */
  readonly openSource: () => ImageSource | Promise<ImageSource>;
  /**
   * The engine ended by itself: another one runs, or, with a sentence that says why, none can.
   */
  readonly onRestart: (failure: string | null) => void;
  /** Of the engine's JavaScript heap, in MiB; typed arrays are not part of it. */
  readonly memoryLimit?: number;
}

/** What a caller wants of a long request beside its answer. */
interface Attention {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** An image that ends its engine once may do so again: this often it is started anew. */
const restartLimit = 4;
const defaultMemoryLimit = 512;

interface RunningEngine {
  readonly worker: Worker;
  readonly connection: Connection<TrustedEngineRequests, object>;
  readonly cancellation: Cancellation;
  /** What it has not answered yet, in the order in which it will. */
  readonly asked: Set<Question>;
}

/** Contents are told apart by their length alone: as numbers they would be many times as long. */
const inShort = (_key: string, value: unknown) =>
  value instanceof Uint8Array ? `${value.length} bytes` : value;

/** A request with its arguments. */
interface Question {
  readonly key: string;
}

/**
 * The engine of one open image, on a thread of its own. A hostile image can make it slow or end
 * it, but neither hang nor exhaust the thread that asks.
 */
export class EngineClient {
  private engine: Promise<RunningEngine>;
  private readonly progress = new Map<TaskId, Attention['progress']>();
  private lastTask: TaskId = 0;
  private restarts = 0;
  /** The questions that an engine ended on, and why. They are not asked again. */
  private readonly fatal = new Map<string, string>();
  private disposed = false;

  constructor(private readonly options: EngineOptions) {
    this.engine = this.start();
  }

  /**
   * Asks the engine.
   * @throws RemoteError with the engine's code; `ended` when it ends before it has answered;
   *   `internal` for what an engine has ended on before
   */
  async request<Name extends keyof TrustedEngineRequests>(
    name: Name,
    args: RequestArguments<Name>,
    attention: Attention = {},
  ): Promise<ReturnType<TrustedEngineRequests[Name]>> {
    if (attention.signal?.aborted) throw new RemoteError('cancelled', 'The work was cancelled.');
    const { connection, cancellation, asked } = await this.engine;
    const question = { key: JSON.stringify([name, ...args], inShort) };
    const reason = this.fatal.get(question.key);
    if (reason !== undefined) {
      throw new RemoteError('internal', `The engine ended on this before: ${reason}.`);
    }
    const ask = connection.requests[name] as unknown as (
      ...args: unknown[]
    ) => Promise<ReturnType<TrustedEngineRequests[Name]>>;
    asked.add(question);
    try {
      if (!longRequests.some((long) => long === name)) return await ask(...args);
      return await this.watch((task) => ask(...args, task), cancellation, attention);
    } finally {
      asked.delete(question);
    }
  }

  /** Reads the image from scratch with a new engine; what still runs rejects with `ended`. */
  async reopen(): Promise<void> {
    const before = this.engine;
    this.restarts = 0;
    this.fatal.clear();
    this.engine = this.start();
    await stop(before, 'The image is being read anew.');
  }

  /** Ends the engine; resolves when its thread has gone. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await stop(this.engine, closedSentence);
  }

  /** Runs a long request as a task that can be cancelled and tells its progress. */
  private async watch<Answer>(
    ask: (task: TaskId) => Promise<Answer>,
    cancellation: Cancellation,
    { signal, progress }: Attention,
  ): Promise<Answer> {
    const task = ++this.lastTask;
    const cancel = () => cancellation.cancel(task);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel);
    if (progress) this.progress.set(task, progress);
    try {
      return await ask(task);
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.progress.delete(task);
    }
  }

  private start(): Promise<RunningEngine> {
    const starting = this.run();
    // Whoever asks gets the failure; that nobody has asked yet is no unhandled rejection.
    starting.catch(() => undefined);
    return starting;
  }

  private async run(): Promise<RunningEngine> {
    const source = await this.options.openSource();
    if (this.disposed) throw new RemoteError('ended', closedSentence);
    const cancellation = new Cancellation();
    const start: EngineStart = { source, cancellation: cancellation.memory };
    const worker = new Worker(this.options.program, {
      workerData: start,
      transferList: 'bytes' in source ? [source.bytes.buffer] : [],
      resourceLimits: { maxOldGenerationSizeMb: this.memoryLimit },
    });
    const events: Local<EngineEvents> = {
      progress: (task, done, total) => this.progress.get(task)?.(done, total),
    };
    const connection = connect<TrustedEngineRequests, object>(
      {
        post: (message) => worker.postMessage(message),
        listen: (receive) => void worker.on('message', receive),
      },
      events,
    );
    const engine = { worker, connection, cancellation, asked: new Set<Question>() };
    let reason = 'its thread ended';
    worker.on('error', (error) => (reason = this.reasonOf(error)));
    worker.on('exit', () => void this.ended(engine, reason));
    return engine;
  }

  private async ended(engine: RunningEngine, reason: string): Promise<void> {
    const [fatal] = engine.asked;
    engine.connection.close(new RemoteError('ended', `The engine ended: ${reason}.`));
    const isCurrent = (await this.engine.catch(() => undefined)) === engine;
    if (!isCurrent || this.disposed) return;
    if (fatal) this.fatal.set(fatal.key, reason);
    if (this.restarts < restartLimit) {
      this.restarts += 1;
      this.engine = this.start();
      this.options.onRestart(null);
      return;
    }
    const failure = `The engine ended ${restartLimit + 1} times on this image, the last time because ${reason}. Reload the image to try again.`;
    this.engine = Promise.reject(new RemoteError('ended', failure));
    this.engine.catch(() => undefined);
    this.options.onRestart(failure);
  }

  private reasonOf(error: Error & { code?: string }): string {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return `it needed more than ${this.memoryLimit} MiB of memory`;
    }
    return error.message.replace(/\s+/g, ' ');
  }

  private get memoryLimit(): number {
    return this.options.memoryLimit ?? defaultMemoryLimit;
  }
}

const closedSentence = 'The image has been closed.';

async function stop(starting: Promise<RunningEngine>, why: string): Promise<void> {
  const engine = await starting.catch(() => undefined);
  engine?.connection.close(new RemoteError('ended', why));
  await engine?.worker.terminate();
}
