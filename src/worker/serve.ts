import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '../filesystem/progress';
import { ImageError } from '../image/errors';
import {
  longRequests,
  type EngineEvents,
  type RequestArguments,
  type TaskId,
  type TrustedEngineRequests,
} from '../protocol/requests';
import { connect } from '../protocol/rpc';
import type { Cancellation } from './cancellation';

/** Answers every request; the long ones are given a progress in place of their task. */
export type Engine = {
  readonly [Name in keyof TrustedEngineRequests]: (
    ...args: Name extends (typeof longRequests)[number]
      ? [...RequestArguments<Name>, Progress]
      : RequestArguments<Name>
  ) => ReturnType<TrustedEngineRequests[Name]>;
};

type Answer = (...args: unknown[]) => unknown;

/** How often progress is told, in milliseconds: as often as a person can see it move. */
const progressInterval = 100;

/** Lets the other end of the port ask the engine, one request after the other. */
export function serve(port: MessagePort, engine: Engine, cancellation: Cancellation): void {
  const channel = {
    post: (message: unknown) => port.postMessage(message),
    listen: (receive: (message: unknown) => void) => void port.on('message', receive),
  };
  const answers: Record<string, Answer> = { ...(engine as unknown as Record<string, Answer>) };
  for (const name of longRequests) {
    const answer = answers[name];
    answers[name] = (...args) => {
      const progress = progressOf(args.pop() as TaskId);
      progress.report(0, 0); // it may have been cancelled while it waited
      return answer(...args, progress);
    };
  }
  const { tell } = connect<object, EngineEvents>(channel, answers);

  function progressOf(task: TaskId): Progress {
    let told = performance.now();
    return {
      report(done, total) {
        if (cancellation.isCancelled(task)) {
          throw new ImageError('cancelled', 'The work was cancelled.');
        }
        const now = performance.now();
        if (task === 0 || now - told < progressInterval) return;
        told = now;
        tell('progress', task, done, total);
      },
    };
  }
}
