/** Test helpers: the live engines to run a suite on, the Redis that suites may use, and the keys each leaves in it. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@assay/ports";
import { createClient } from "@redis/client";
import { openLive } from "../open-live.ts";
import type { Live } from "../ports.ts";

export const TEST_REDIS_URL = process.env.TEST_REDIS_URL || undefined;

/** A prefix unique to this run. */
export const randomPrefix = (): string => `assay-test:${randomUUID()}:`;

export const keysUnder = async (url: string, prefix: string): Promise<string[]> => {
  const admin = await createClient({ url }).connect();
  const found: string[] = [];
  for await (const keys of admin.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) found.push(...keys);
  await admin.close();
  return found;
};

export const deleteKeys = async (url: string, prefix: string): Promise<void> => {
  const keys = await keysUnder(url, prefix);
  const admin = await createClient({ url }).connect();
  if (keys.length > 0) await admin.del(keys);
  await admin.close();
};

/** Hears every command that names a key of a prefix, in the order in which Redis runs them. */
export const hearCommands = async (url: string, prefix: string): Promise<{ readonly heard: string[]; close(): void }> => {
  const heard: string[] = [];
  const monitor = await createClient({ url }).connect();
  await monitor.monitor((line) => void (String(line).includes(prefix) && heard.push(String(line))));
  return { heard, close: () => monitor.destroy() };
};

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

export const testLives: readonly TestLive[] = TEST_REDIS_URL ? [inMemory, onRedis(TEST_REDIS_URL)] : [inMemory];

if (!TEST_REDIS_URL) console.info("Redis suites do not run: TEST_REDIS_URL is not set");
