/** Orderly shutdown: after a signal requests finish, the process exits with 0, and no count is lost. `terminal.test.ts` stops npm. */
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Load, startLoad } from "./harness/load.ts";
import { openRaw, statusesIn } from "./harness/raw-http.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

const UNLIMITED = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };

describe("a service that is stopped", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let keys: TierKeys;
  let service: Service;
  const start = async (drainMs: string): Promise<void> => {
    service = await startService({ ...settings, DRAIN_MS: drainMs });
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    settings = {
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, [at(Date.now() - 20 * 60_000, gold("replay-a", "4000.00"))]),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ pro: UNLIMITED, realtime_pro: UNLIMITED })),
    };
    // Longer than the test waits for an end: a service that waited for idle connections would not end.
    await start("600000");
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("answers what was requested, under load, waits for no idle connection, and ends with 0; every answered call is counted", async () => {
    const paths = [
      "/v1/spot/gold?include=all",
      "/v1/prices?include=all",
      "/v1/bars?symbol=XAU/USD&from=2026-01-01&to=2026-12-31",
    ];
    const idle = await Promise.all(Array.from({ length: 20 }, () => openRaw(service.url)));
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
    await eventually(
      "the load is answered",
      () => load.outcomes.length,
      (count) => count > 200,
    );
    const before = load.outcomes.slice();
    const end = service.stop("SIGTERM");
    await eventually(
      "the shutdown has begun: new connections are refused",
      () =>
        openRaw(service.url).then(
          ({ destroy }) => destroy(),
          () => "refused",
        ),
      (answer) => answer === "refused",
    );
    slow.send(body.slice(9));
    expect(await end).toEqual({ code: 0, signal: null });
    await load.stop();
    await Promise.all(idle.map((connection) => connection.closed(60_000)));

    expect(statusesIn(slow.received())).toEqual([201]);
    // No one is refused or cut off before the shutdown starts; after it a new connection may be refused, but no answer is
    // partial.
    expect(new Set(before.map(({ status, failure }) => failure ?? status))).toEqual(new Set([200]));
    for (const { status, text, failure } of load.outcomes) {
      if (failure === null) expect(status).toBe(200);
      else expect(["ECONNRESET", "ECONNREFUSED", "EPIPE"]).toContain(failure);
      if (failure === null) expect(() => JSON.parse(text)).not.toThrow();
    }

    await start("1000");
    const { calls_today: counted } = await read(service.url, contract.account.usage, {}, { key: keys.pro });
    const answered = load.outcomes.filter(({ status }) => status === 200).length;
    // A call that was answered to a disconnected client would count too; none is lost.
    expect(counted).toBeGreaterThanOrEqual(answered);
    expect(counted).toBeLessThanOrEqual(load.outcomes.length);
  });

  it("on Ctrl-C waits no longer than DRAIN_MS for a request that never ends", async () => {
    const endless = await openRaw(service.url);
    endless.send(
      `POST /v1/account/keys HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${keys.basic}\r\nContent-Length: 100\r\n\r\n{"name":`,
    );
    // Answered after the endless one was read.
    await ask(service.url, "/v1/health");
    expect(await service.stop("SIGINT")).toEqual({ code: 0, signal: null });
    await endless.closed(60_000);
  });
});
