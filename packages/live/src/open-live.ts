/** Chooses the live engines: Redis when there is one, else those of this process. */
import { openMemoryLive } from "./memory/open.ts";
import type { Clock, Live, LiveLog } from "./ports.ts";
import { openRedisLive } from "./redis/open.ts";

/** What the engines are opened with. */
export interface LiveOptions {
  /** Without one, everything stays in this process. */
  readonly redisUrl?: string | undefined;
  readonly prefix?: string;
  readonly clock: Clock;
  readonly logger?: LiveLog;
}

/** Opens the live engines of this process. */
export const openLive = async ({ redisUrl, ...options }: LiveOptions): Promise<Live> =>
  redisUrl === undefined ? openMemoryLive(options) : openRedisLive({ url: redisUrl, ...options });
