/**
 * The wiring of the requests and events in requests.ts: calls over anything that carries messages,
 * with errors that keep their code. Knows neither Node nor the DOM nor VS Code.
 */
import { createBirpc } from 'birpc';

/**
 * Why a request failed. Beside the codes of the engine (`not-found`, `cancelled`, …):
 * - `ended`: the engine stopped before it answered; what was asked can be asked again
 * - `refused`: the extension host does not pass such a request on
 * - `internal`: a defect of ours
 */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    readonly code: string,
    /** A whole sentence for a person, on one line. */
    message: string,
  ) {
    super(message);
  }
}

/** Carries messages both ways: a MessagePort, a webview, the window of a webview. */
export interface Channel {
  post(message: unknown): void;
  listen(receive: (message: unknown) => void): void;
}

/** The functions of the other side as they are called from here. */
export type Remote<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The functions of this side: each may answer at once or later. */
export type Local<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result | Promise<Result>
    : never;
};

export interface Connection<Requests, Events> {
  /** Asks the other side. */
  readonly requests: Remote<Requests>;
  /** Tells the other side, which does not answer. Nothing happens once the connection is closed. */
  tell<Name extends keyof Events>(
    event: Name,
    ...args: Events[Name] extends (...args: infer Args) => void ? Args : never
  ): void;
  /** Ends it; what has not been answered yet, and what is asked later, rejects with the error. */
  close(error: RemoteError): void;
}

/**
 * Connects this side's functions, which the other side may call, with the other side's.
 * @param ours only the object's own properties can be called
 */
export function connect<Requests extends object, Events extends object>(
  channel: Channel,
  ours: object,
): Connection<Requests, Events> {
  const functions = ours as Record<string, (...args: unknown[]) => unknown>;
  const rpc = createBirpc<Record<string, (...args: unknown[]) => unknown>, typeof functions, false>(
    functions,
    {
      post: (message) => channel.post(message),
      on: (receive) =>
        channel.listen((message) => {
          if (isMessage(message)) receive(message);
        }),
      serialize: withPlainError,
      deserialize: withRemoteError,
      resolver: (name) => (Object.hasOwn(functions, name) ? functions[name] : undefined),
      proxify: false,
      bind: 'functions',
      timeout: -1, // long work is cancelled, or ends with the connection; it is never given up
      // An answer that cannot be posted becomes an error that can; a call that cannot be, throws.
      onGeneralError: (_error, name) => name !== undefined,
    },
  );
  let closedBy: RemoteError | undefined;
  const ask = (name: string, args: unknown[]) =>
    closedBy ? Promise.reject(closedBy) : rpc.$call(name, ...args);
  const requests = new Proxy({} as Remote<Requests>, {
    // Not every property is a request: a promise that yields this object asks it for `then`.
    get: (_, name) =>
      typeof name === 'string' && name !== 'then'
        ? (...args: unknown[]) => ask(name, args)
        : undefined,
  });
  return {
    requests,
    tell: (event, ...args) => {
      if (!closedBy) void rpc.$callEvent(String(event), ...(args as unknown[]));
    },
    close: (error) => {
      closedBy ??= error;
      rpc.$close(error);
    },
  };
}

interface Message {
  /** `q` asks, `s` answers. */
  readonly t: 'q' | 's';
  /** The error of an answer. */
  readonly e?: unknown;
}

/** The other side may be hostile, and other things than ours may be sent through the channel. */
function isMessage(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null) return false;
  const { t, i, m, a } = message as Record<string, unknown>;
  if (t === 's') return typeof i === 'string';
  return (
    t === 'q' &&
    typeof m === 'string' &&
    Array.isArray(a) &&
    (i === undefined || typeof i === 'string')
  );
}

/** Errors lose their message over JSON, and their code over a structured clone. */
function withPlainError(message: Message): Message {
  if (message.e === undefined) return message;
  const error = message.e as { code?: unknown; message?: unknown };
  const known = typeof error.code === 'string' && /^[a-z-]+$/.test(error.code);
  const text = String(error.message ?? error).replace(/\s+/g, ' ');
  return {
    ...message,
    e: known
      ? { code: error.code, message: text }
      : { code: 'internal', message: `This is a defect: ${text}` },
  };
}

function withRemoteError(message: Message): Message {
  if (message.e === undefined) return message;
  const { code, message: text } = Object(message.e) as { code?: unknown; message?: unknown };
  return { ...message, e: new RemoteError(String(code), String(text)) };
}
