import type { EngineClient } from '../../worker/client';

/** The engine of an image, for those who only ask it. */
export type Engine = Pick<EngineClient, 'request'>;
/** How a long request is watched. */
export type Attention = NonNullable<Parameters<EngineClient['request']>[2]>;
