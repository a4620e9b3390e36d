/**
 * Two processes on a Redis that answers and refuses: full, loading, busy, a replica, a node of a cluster; or that forgets the scripts
 * and is reloaded meanwhile. Every call is answered, the log has one line at the beginning and one at the end, and afterwards every
 * call is counted once.
 */
import { MINUTE_MS } from "@assay/contract";
import { type Live, openLive } from "@assay/live";
import { openWire, type Wire } from "@assay/live/testing/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { missingServers, type OwnRedisServer, startOwnRedis } from "./harness/own-servers.ts";

const missing = missingServers().filter((program) => program === "redis-server");
if (missing.length > 0) console.info("a Redis that refuses: skipped, because redis-server is not installed");

const DAY = "2026-11-20";
const OFTEN = 1_000_000;
const CALLERS = 200;
const ROOM = 40;
/** Keys that take a while to load. */
const KEYS = 5_000;
/** Longer than a refusal lasts. */
const LATER_MS = 15_000;

/** How a Redis comes to refuse, and how it ends. */
interface Trouble {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

describe.skipIf(missing.length > 0)("a Redis that refuses", { meta: { needs: "redis-server" } }, () => {
  let redis: OwnRedisServer;
  let wire: Wire;
  let lives: Live[];
  let lines: string[][];
  let laterMs: number;
  let total: number;
  const more: OwnRedisServer[] = [];

  const open = async (): Promise<Live> => {
    const own: string[] = [];
    lines.push(own);
    // What fails because of an outage is at debug: `packages/process/src/logger.ts`.
    const note = (fields: object, message: string): void => void ("err" in fields || own.push(message));
    return openLive({
      redisUrl: wire.url,
      clock: () => Date.now() + laterMs,
      logger: { debug: () => {}, info: note, warn: note, error: note },
    });
  };

  beforeEach(async () => {
    [laterMs, lines, total] = [0, [], ROOM];
    redis = await startOwnRedis("--busy-reply-threshold", "50");
    wire = await openWire(redis.url, 6_379);
    lives = [await open(), await open()];
    await lives[0]?.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 0 }));
    expect(await calls(ROOM)).toBe(ROOM);
  });
  afterEach(async () => {
    await Promise.all(lives.map((live) => live.close()));
    await wire.close();
    await Promise.all([redis, ...more.splice(0)].map((server) => server.remove()));
  });

  /** How many of so many calls at once, through both processes, are counted; as many without a key come with them. */
  const calls = async (count: number, quota = OFTEN): Promise<number> => {
    const window = (key: string) => ({ key, limit: OFTEN, windowMs: MINUTE_MS });
    const counted = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const { admissions } = lives[at % 2] as Live; // two were opened
        const [{ usage }, { windows }] = await Promise.all([
          admissions.admit([window("org:org")], { orgId: "org", day: DAY, quota, isMetered: true }),
          admissions.admit([window("minute:ip"), window("hour:ip")], null),
        ]);
        expect(windows.map(({ allowed }) => allowed)).toEqual([true, true]);
        return usage?.allowed ?? false;
      }),
    );
    return counted.filter(Boolean).length;
  };
  const months = () => Promise.all(lives.map(async ({ counters }) => (await counters.read("org", DAY)).thisMonth));
  const isCounted = (total: number) => (all: readonly number[]) => all.every((each) => each === total);
  /** A quota with room for some of those who ask. */
  const isExact = async (total: number): Promise<void> => expect(await calls(CALLERS, total + ROOM)).toBe(ROOM);

  const troubles: Record<string, () => Trouble> = {
    "is full": () => ({
      begin: () => redis.command("CONFIG", "SET", "maxmemory", "1mb", "maxmemory-policy", "noeviction"),
      end: () => redis.command("CONFIG", "SET", "maxmemory", "0"),
    }),
    "is a replica": () => ({
      begin: () => redis.command("REPLICAOF", "127.0.0.1", "1"),
      end: () => redis.command("REPLICAOF", "NO", "ONE"),
    }),
    "runs a script without end": () => {
      let running: Promise<unknown>;
      return {
        begin: async () => {
          running = redis.command("EVAL", "while true do end", "0").catch(() => undefined);
          await eventually(
            "Redis is busy",
            () => redis.command("PING").catch((error: Error) => error.message),
            (answer) => String(answer).startsWith("BUSY"),
          );
        },
        end: async () => {
          await redis.command("SCRIPT", "KILL");
          await running;
        },
      };
    },
    "loads its data": () => {
      let loaded: Promise<void>;
      return {
        begin: async () => {
          await redis.command("DEBUG", "POPULATE", String(KEYS), "other", "100");
          await redis.command("SAVE");
          await redis.kill();
          loaded = redis.start("--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024");
          // Awaited when it ends, if that is reached.
          loaded.catch(() => undefined);
          const isLoading = async () => String(await redis.command("INFO", "persistence")).includes("\nloading:1");
          await eventually("Redis loads", isLoading, Boolean, { everyMs: 20 });
        },
        end: async () => {
          await redis.command("CONFIG", "SET", "key-load-delay", "0");
          await loaded;
        },
      };
    },
    "is a node of a cluster": () => ({
      begin: async () => {
        const node = await startOwnRedis("--cluster-enabled", "yes");
        more.push(node);
        await node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        wire.redirect(node.url);
      },
      end: async () => wire.redirect(redis.url),
    }),
  };

  it.each(Object.entries(troubles))("that %s: each process counts for itself, and recovers by itself", async (_name, of) => {
    const trouble = of();
    await trouble.begin();
    await eventually(
      "both notice",
      async () => {
        await months();
        expect(await calls(2)).toBe(2);
        total += 2;
        return lives.map((live) => live.outage());
      },
      (away) => away.every(Boolean),
    );
    expect(await calls(CALLERS)).toBe(CALLERS);
    total += CALLERS;
    expect(lines).toEqual([["redis is unavailable; retrying"], ["redis is unavailable; retrying"]]);
    await trouble.end();
    laterMs = LATER_MS;
    await eventually(
      "both are back",
      async () => {
        await Promise.all(lives.map((live) => live.latest.ping()));
        return lives.map((live) => live.outage());
      },
      (away) => !away.some(Boolean),
    );
    await eventually("every call is counted, once", months, isCounted(total));
    await isExact(total);
    const both = ["redis is unavailable; retrying", "redis is available again"];
    expect(lines).toEqual([both, both]);
  });
  it.each([
    ["forgets the scripts", ["SCRIPT", "FLUSH"]],
    ["is reloaded", ["DEBUG", "RELOAD"]],
  ])("that %s while calls come loses none and is no outage", async (_name, command) => {
    for (let turn = 0; turn < 5; turn += 1) {
      const [counted] = await Promise.all([calls(CALLERS), redis.command(...command)]);
      expect(counted).toBe(CALLERS);
      total += CALLERS;
    }
    expect(await months()).toEqual([total, total]);
    const [exact] = await Promise.all([calls(CALLERS, total + ROOM), redis.command(...command)]);
    expect(exact).toBe(ROOM);
    expect(lines).toEqual([[], []]);
  });
});
