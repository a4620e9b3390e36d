/** One folder, one process: who may open it, which files it has, and which counts it keeps. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { contract, TIER_NAMES } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask, read } from "./harness/call.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { freePort } from "./harness/proxies.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { runEntry, type Service, STANDALONE, spawnEntry, startAnew, startService, untilReady } from "./harness/service.ts";

const iso = (ms: number): string => new Date(ms).toISOString();
const UNLIMITED = { rate_limit_per_minute: 1_000_000, monthly_quota: 1_000_000 };

describe("a service on a folder of its own", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let keys: TierKeys;
  const usage = (key: string) => read(service.url, contract.account.usage, {}, { key });

  beforeAll(async () => {
    folder = await temporaryFolder();
    settings = {
      DATA_DIR: folder.path,
      FEEDS: await replayFile(
        folder,
        [50, 26, 1 / 3].map((hours) => at(Date.now() - hours * 3_600_000, gold("replay-a", "4000.00"))),
      ),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ pro: UNLIMITED, physical: UNLIMITED })),
      WRITER_LEASE_TTL_MS: "500",
      LOG_LEVEL: "info",
    };
    service = await startAnew(settings);
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("writes one line to stdout and no other", () => {
    expect(service.stdout()).toBe(`ready ${service.url}\n`);
  });

  it("keeps the demo keys where only its owner reads them, one of each tier, and each authenticates as its tier", async () => {
    const { mode } = await stat(join(folder.path, "demo-keys.json"));
    expect((mode & 0o777).toString(8)).toBe("600");
    expect(Object.keys(keys)).toEqual([...TIER_NAMES]);
    for (const tier of TIER_NAMES) expect((await usage(keys[tier])).tier).toBe(tier);
  });

  it("writes no secret to its log", () => {
    for (const key of Object.values(keys)) expect(service.stderr() + service.stdout()).not.toContain(key);
  });

  it("refuses a second process on the folder with one line, and goes on serving", async () => {
    const { code, stdout, stderr } = await runEntry(STANDALONE, settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^the embedded database is in use by process ${service.child.pid} \\(since \\S+\\); it serves one process at a time\n$`,
      ),
    );
    expect((await ask(service.url, "/v1/spot/gold", { key: keys.pro })).status).toBe(200);
  });

  it("keeps one term of its only writer, even if it was frozen for longer than a lease lasts", async () => {
    service.child.kill("SIGSTOP");
    // Twice the lease, at least.
    await sleep(1_000);
    service.child.kill("SIGCONT");
    // Its timers run before it answers.
    expect((await ask(service.url, "/v1/health")).status).toBe(200);
    expect((await ask(service.url, "/v1/spot/gold", { key: keys.pro })).status).toBe(200);
    expect(service.stderr()).toContain("→ leader");
    expect(service.stderr()).not.toContain("→ lost");
  });

  it("says in one line that its port is in use, before it makes anything", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    const { port } = squatter.address() as AddressInfo; // it listens on a port
    const other = await temporaryFolder();
    const { code, stdout, stderr } = await runEntry(STANDALONE, {
      ...settings,
      DATA_DIR: join(other.path, "never-made"),
      PORT: String(port),
    });
    expect(await readdir(other.path)).toEqual([]);
    squatter.close();
    await other.remove();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^PORT [^\n]*in use[^\n]*\n$/);
    expect(stderr).toContain(String(port));
  });

  it("keeps counts, keys and half-walked pages over a restart", async () => {
    const window = { symbol: "XAU/USD", from: iso(Date.now() - 10 * 86_400_000), to: iso(Date.now() + 86_400_000), limit: 1 };
    const page = (cursor?: string) =>
      read(service.url, contract.bars.list, { ...window, ...(cursor === undefined ? {} : { cursor }) }, { key: keys.pro });
    const newest = await page();
    for (let call = 0; call < 5; call += 1) await ask(service.url, "/v1/spot/gold", { key: keys.physical });
    const counted = await usage(keys.physical);
    expect(counted.calls_today).toBeGreaterThanOrEqual(5);
    await service.stop();
    service = await startService(settings);
    expect(await readDemoKeys(folder.path)).toEqual(keys);
    expect(await usage(keys.physical)).toEqual(counted);
    const next = await page(newest.next_cursor ?? "");
    const last = await page(next.next_cursor ?? "");
    expect(last.next_cursor).toBeNull();
    const starts = [newest, next, last].flatMap(({ bars }) => bars.map(({ bar_start }) => bar_start));
    expect(new Set(starts).size).toBe(3);
    expect(starts.toSorted().toReversed()).toEqual(starts);
  });

  it("counts no call twice when it is killed, and mints new demo keys when their file is corrupted; the old ones stay valid", async () => {
    const before = (await usage(keys.physical)).calls_today;
    await Promise.all(Array.from({ length: 30 }, () => ask(service.url, "/v1/spot/gold", { key: keys.physical })));
    await service.stop("SIGKILL");
    const file = join(folder.path, "demo-keys.json");
    await writeFile(file, '{"free":"assay_live_half');
    service = await startService(settings);
    const kept = (await usage(keys.physical)).calls_today - before;
    // Those counted before were there at the last start; of the others only the last second's may be lost.
    expect(kept).toBeGreaterThanOrEqual(0);
    expect(kept).toBeLessThanOrEqual(30);
    const fresh = await readDemoKeys(folder.path);
    expect(fresh.pro).not.toBe(keys.pro);
    for (const key of [fresh.pro, keys.pro]) expect((await usage(key)).tier).toBe("pro");
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(fresh);
  });
});

it("serves at its first start what needs no Redis, while the one that is set is away, and ends on a signal", async () => {
  const folder = await temporaryFolder();
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
  const service = await untilReady(spawnEntry(STANDALONE, { DATA_DIR: folder.path, REDIS_URL, DISABLE: "download" }), {
    unready: true,
  });
  onTestFinished(async () => {
    await service.stop("SIGKILL");
    await folder.remove();
  });
  expect((await ask(service.url, "/v1/health")).status).toBe(200);
  expect((await ask(service.url, "/ready")).status).toBe(503);
  expect((await ask(service.url, "/v1/convert?from=USD&to=USD")).status).toBe(200);
  const { reasons } = await read(service.url, contract.system.status, {});
  expect(reasons).toContainEqual(expect.stringMatching(/^cache_unavailable: .*\(unreachable\)/));
  expect((await service.stop()).code).toBe(0);
});
