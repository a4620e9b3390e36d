/** Test helpers for other packages' suites to run on every live engine. */
import { openLive } from "../open-live.ts";
import type { Clock, Live } from "../ports.ts";
import { deleteKeys, randomPrefix, TEST_REDIS_URL } from "./redis.ts";

/** An engine to run a suite on. */
export interface TestLive {
  readonly name: "memory" | "Redis";
  /** Opens an empty one; closing it leaves nothing behind. */
  open(clock: Clock): Promise<Live>;
}

const onRedis = (redisUrl: string): TestLive => ({
  name: "Redis",
  open: async (clock) => {
    const prefix = randomPrefix();
    const live = await openLive({ redisUrl, prefix, clock });
    return { ...live, close: () => live.close().then(() => deleteKeys(redisUrl, prefix)) };
  },
});

const inMemory: TestLive = { name: "memory", open: (clock) => openLive({ clock }) };

/** Every engine of this run. */
export const testLives: readonly TestLive[] = TEST_REDIS_URL ? [inMemory, onRedis(TEST_REDIS_URL)] : [inMemory];

if (!TEST_REDIS_URL) console.info("Redis suites do not run: TEST_REDIS_URL is not set");
