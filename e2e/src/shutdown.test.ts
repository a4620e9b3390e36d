/** Orderly shutdown: after SIGTERM requests finish, the process exits with 0 in time, and no count is lost. */
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Load, startLoad } from "./harness/load.ts";
import { openRaw, statusesIn } from "./harness/raw-http.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { endOf, type Service, spawnCommand, startService, untilReady } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const UNLIMITED = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };

describe("a service that is stopped", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let keys: TierKeys;
  let service: Service;
  const start = async (): Promise<void> => {
    service = await startService(settings);
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    settings = {
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, [at(Date.now() - 20 * 60_000, gold("replay-a", "4000.00"))]),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ pro: UNLIMITED, realtime_pro: UNLIMITED })),
    };
    await start();
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("answers what was requested, under load, and ends with 0 within ten seconds; every answered call is counted", async () => {
    const paths = [
      "/v1/spot/gold?include=all",
      "/v1/prices?include=all",
      "/v1/bars?symbol=XAU/USD&from=2026-01-01&to=2026-12-31",
    ];
    // A request that is half sent when the shutdown starts. Its head was read before any of the load was answered.
    const slow = await openRaw(service.url);
    const body = JSON.stringify({ name: "minted at the end" });
    slow.send(
      `POST /v1/account/keys HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${keys.realtime_pro}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    const load: Load = startLoad(
      paths.map((path) => `${service.url}${path}`),
      keys.pro,
      24,
    );
    await vi.waitFor(() => expect(load.outcomes.length).toBeGreaterThan(200), { timeout: 30_000 });
    const signalledMs = performance.now();
    const end = service.stop("SIGTERM");
    setTimeout(() => slow.send(body.slice(9)), 300);
    expect(await end).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeLessThan(10_000);
    await load.stop();

    expect(statusesIn(slow.received())).toEqual([201]);
    // No one is refused or cut off before the shutdown starts; after it a new connection may be refused, but no answer is
    // partial.
    const before = load.outcomes.filter(({ startedMs }) => startedMs < signalledMs - 50);
    expect(before.length).toBeGreaterThan(100);
    expect(new Set(before.map(({ status, failure }) => failure ?? status))).toEqual(new Set([200]));
    for (const { status, text, failure } of load.outcomes) {
      if (failure === null) expect(status).toBe(200);
      else expect(["ECONNRESET", "ECONNREFUSED", "EPIPE"]).toContain(failure);
      if (failure === null) expect(() => JSON.parse(text)).not.toThrow();
    }

    await start();
    const { calls_today: counted } = await read(service.url, contract.account.usage, {}, { key: keys.pro });
    const answered = load.outcomes.filter(({ status }) => status === 200).length;
    // A call that was answered to a disconnected client would count too; none is lost.
    expect(counted).toBeGreaterThanOrEqual(answered);
    expect(counted).toBeLessThanOrEqual(load.outcomes.length);
  });

  it("does not wait for idle connections", async () => {
    const idle = await Promise.all(Array.from({ length: 20 }, () => openRaw(service.url)));
    const signalledMs = performance.now();
    expect(await service.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeLessThan(4_000);
    await Promise.all(idle.map((connection) => connection.closed(2_000)));
    await start();
  });

  it("waits no longer than DRAIN_MS for a request that never ends", async () => {
    await service.stop();
    service = await startService({ ...settings, DRAIN_MS: "1000" });
    const endless = await openRaw(service.url);
    endless.send(
      `POST /v1/account/keys HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${keys.basic}\r\nContent-Length: 100\r\n\r\n{"name":`,
    );
    // Answered after the endless one was read.
    await ask(service.url, "/v1/health");
    const signalledMs = performance.now();
    expect(await service.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeGreaterThanOrEqual(900);
    expect(performance.now() - signalledMs).toBeLessThan(6_000);
    await endless.closed(2_000);
  });

  it("ends on Ctrl-C as it does on SIGTERM", async () => {
    await start();
    expect(await service.stop("SIGINT")).toEqual({ code: 0, signal: null });
  });

  it("ends with 0 when npm started it and npm is stopped", async () => {
    const started = await untilReady(spawnCommand("start", settings));
    expect(await read(started.url, contract.system.health, {})).toMatchObject({ status: "ok" });
    started.child.kill("SIGTERM");
    expect(await endOf(started, 15_000)).toEqual({ code: 0, signal: null });
    await expect(fetch(`${started.url}/v1/health`)).rejects.toThrow();
  });
});
