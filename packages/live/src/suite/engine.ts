/** The engines the suites run against, each with a manual clock. */
import type { Clock } from "@assay/ports";
import { fakeClock } from "@assay/ports/virtual";
import { createClient } from "@redis/client";
import { type Log, silentLog } from "../log.ts";
import { openMemoryLive } from "../open-live.ts";
import type { CountersPort, LimitReading, Live, UsageDelta } from "../ports.ts";
import { openRedisLive } from "../redis/open.ts";
import { deleteKeys, keysUnder, randomPrefix, TEST_REDIS_URL } from "../testing/index.ts";

export const START_MS = Date.UTC(2026, 10, 20, 14, 0, 0);

export interface Bench {
  readonly live: Live;
  /** Opens the same engine as another process would; the in-memory engine has no other process and returns itself. */
  readonly another: () => Promise<Live>;
  readonly errors: readonly string[];
  readonly clock: Clock;
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Engine {
  readonly name: "memory" | "redis";
  readonly open: () => Promise<Bench>;
}

const listening = (errors: string[]): Log => ({ ...silentLog, error: (_fields, message) => errors.push(message) });

const memory: Engine = {
  name: "memory",
  open: async () => {
    const clock = fakeClock(START_MS);
    const errors: string[] = [];
    const live = openMemoryLive({ clock, logger: listening(errors) });
    return {
      live,
      another: async () => live,
      errors,
      clock,
      advance: async (ms) => clock.advance(ms),
      close: () => live.close(),
    };
  },
};

/** Shortens every expiry under a prefix, as if the server's clock had advanced. */
const ageKeys = async (url: string, prefix: string, ms: number): Promise<void> => {
  const keys = await keysUnder(url, prefix);
  const admin = await createClient({ url }).connect();
  for (const key of keys) {
    const left = await admin.pTTL(key);
    if (left >= 0) await admin.pExpire(key, left - ms);
  }
  await admin.close();
};

const redisAt = (url: string): Engine => ({
  name: "redis",
  open: async () => {
    const clock = fakeClock(START_MS);
    const errors: string[] = [];
    const prefix = randomPrefix();
    const opened: Live[] = [];
    const another = async () => {
      const live = await openRedisLive({ url, prefix, clock, logger: listening(errors) });
      opened.push(live);
      return live;
    };
    return {
      live: await another(),
      another,
      errors,
      clock,
      advance: async (ms) => {
        clock.advance(ms);
        await ageKeys(url, prefix, ms);
      },
      close: async () => {
        await Promise.all(opened.map((live) => live.close()));
        await deleteKeys(url, prefix);
      },
    };
  },
});

export const ENGINES: readonly Engine[] = TEST_REDIS_URL ? [memory, redisAt(TEST_REDIS_URL)] : [memory];

/** Logs once which engines run. */
export const announceEngines = (suite: string): void => {
  const names = ENGINES.map(({ name }) => name).join(", ");
  const missing = TEST_REDIS_URL ? "" : "; Redis is skipped, because TEST_REDIS_URL is not set";
  process.stdout.write(`${suite}: running on ${names}${missing}\n`);
};

/** Settles once without a store, and returns what was handed out. */
export const settled = async (counters: CountersPort): Promise<readonly UsageDelta[]> => {
  const handedOut: UsageDelta[] = [];
  await counters.settle(async (deltas) => void handedOut.push(...deltas));
  return handedOut;
};

/** The windows of an engine, one by one. */
export const oneWindow = ({ admissions }: Pick<Live, "admissions">) => ({
  consume: async (key: string, limit: number, windowMs: number): Promise<LimitReading> =>
    (await admissions.admit([{ key, limit, windowMs }], null)).windows[0],
  peek: async (key: string, limit: number, windowMs: number): Promise<LimitReading> => admissions.peek({ key, limit, windowMs }),
});
