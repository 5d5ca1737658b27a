import type { HostRequests, WebviewEvents } from '../src/protocol/requests';
import { connect, type Local } from '../src/protocol/rpc';
import type { Host } from './inspection/host';

/** What VS Code gives a webview; can be acquired only once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Connects with the extension host; `events` must be ready for whatever it tells. */
export function connectHost(api: VsCodeApi, events: Local<WebviewEvents>): Host {
  const channel = {
    post: (message: unknown) => api.postMessage(message),
    listen: (receive: (message: unknown) => void) =>
      window.addEventListener('message', (event) => receive(event.data)),
  };
  return connect<HostRequests, Record<never, never>>(channel, events).requests;
}
