/** Chooses the live engines: Redis when configured, otherwise in-process. */
import type { Log } from "./log.ts";
import { openMemoryLive } from "./memory/open.ts";
import type { Around, Clock, Live } from "./ports.ts";

/** Options of the engines. */
export interface LiveOptions {
  /** When omitted, everything stays in this process. */
  readonly redisUrl?: string | undefined;
  readonly prefix?: string;
  readonly clock: Clock;
  readonly logger?: Log;
  /** Runs each command of a shared engine, to time it. */
  readonly around?: Around | undefined;
}

/** Opens the live engines of this process. */
export const openLive = async ({ redisUrl, around, ...options }: LiveOptions): Promise<Live> => {
  if (redisUrl === undefined) return openMemoryLive(options);
  // The client is the largest module of all; a process without Redis does not load it.
  const { openRedisLive } = await import("./redis/open.ts");
  return openRedisLive({ url: redisUrl, around, ...options });
};
