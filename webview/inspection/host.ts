import type { HostRequests } from '../../src/protocol/requests';
import type { Remote } from '../../src/protocol/rpc';

/** The extension host, and through it the engine. */
export type Host = Remote<HostRequests>;
