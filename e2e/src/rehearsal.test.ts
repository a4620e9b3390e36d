/** A month's end rehearsed on a shifted clock: quotas reset, the day's bars close, calls are counted by UTC calendar. */
import { setTimeout as sleep } from "node:timers/promises";
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read, readStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile, type Started, startInTime } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

const MONTH_END_MS = Date.UTC(2026, 11, 1);
const QUOTA = 5;

describe("the last seconds of November", () => {
  /** The end of the month, on the machine's clock. */
  let dueMs: number;
  const leftMs = (): number => dueMs - Date.now();
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;
  const spot = (key: string) => askRoute(service.url, contract.spot.get, { symbol: "gold" }, { key });
  const usage = () => read(service.url, contract.account.usage, {}, { key: keys.free });
  const days = () =>
    read(
      service.url,
      contract.bars.list,
      { symbol: "XAU/USD", interval: "1d", from: "2026-11-29", to: "2026-12-02" },
      { key: keys.pro },
    );

  const start = async (aheadMs: number): Promise<Started> => {
    await folder?.remove();
    folder = await temporaryFolder();
    const lines = [
      at(MONTH_END_MS - 6 * 3_600_000, gold("replay-a", "4000.00")),
      at(MONTH_END_MS - 5 * 3_600_000, gold("replay-a", "4100.00")),
      at(MONTH_END_MS - 4 * 3_600_000, gold("replay-a", "3950.00")),
      at(MONTH_END_MS - 20 * 60_000, gold("replay-a", "4020.00")),
      at(MONTH_END_MS + 3_000, gold("replay-a", "4050.00")),
    ];
    dueMs = Date.now() + aheadMs;
    service = await startService({
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, lines),
      CLOCK_OFFSET_MS: String(MONTH_END_MS - dueMs),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ free: { monthly_quota: QUOTA } })),
      TRUST_PROXY: "127.0.0.1",
    });
    return { service, dueMs };
  };
  beforeAll(async () => {
    await startInTime(start, 7_000);
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("follow the service's own clock", async () => {
    expect((await readStatus(service.url)).checked_at).toMatch(/^2026-11-30T23:5/);
  });

  it("have a day's bar that is still forming", async () => {
    const { bars } = await days();
    expect(bars).toEqual([
      {
        bar_start: "2026-11-30T00:00:00Z",
        open: "4000.00",
        high: "4100.00",
        low: "3950.00",
        close: "4020.00",
        volume: null,
        is_closed: false,
      },
    ]);
  });

  it("use the month's quota up, and say when the next one begins", async () => {
    const answers = [];
    for (let call = 0; call < QUOTA + 1; call += 1) answers.push(await spot(keys.free));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: QUOTA }, () => 200), 429]);
    const refused = answers.at(-1);
    expect(refused?.json).toMatchObject({
      error: "quota_exceeded",
      limit: QUOTA,
      window: "month",
      reset_at: "2026-12-01T00:00:00Z",
    });
    expect(refused?.headers.get("x-should-retry")).toBe("false");
    expect(Math.abs(Number(refused?.headers.get("retry-after")) - leftMs() / 1_000)).toBeLessThan(2);
    expect(await usage()).toMatchObject({
      calls_today: QUOTA,
      calls_this_month: QUOTA,
      remaining_this_month: 0,
      resets_at: "2026-12-01T00:00:00Z",
    });
  });

  it("let no call through before the month has ended, and every one after it", async () => {
    await sleep(Math.max(0, leftMs() - 1_500));
    expect((await spot(keys.free)).status).toBe(429);
    // Refusals are also limited per minute, so one is requested once the month is over.
    await sleep(Math.max(0, leftMs() + 500));
    const answer = await spot(keys.free);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toMatch(/"month";r=4;/);
    expect(await usage()).toMatchObject({ calls_today: 1, calls_this_month: 1, resets_at: "2027-01-01T00:00:00Z" });
  });

  it("close the day's bar at its last price and begin the next with the first one of the day", async () => {
    const { bars } = await eventually("December's first bar", days, (page) => page.bars.length === 2, { withinMs: 20_000 });
    expect(bars).toEqual([
      {
        bar_start: "2026-12-01T00:00:00Z",
        open: "4050.00",
        high: "4050.00",
        low: "4050.00",
        close: "4050.00",
        volume: null,
        is_closed: false,
      },
      {
        bar_start: "2026-11-30T00:00:00Z",
        open: "4000.00",
        high: "4100.00",
        low: "3950.00",
        close: "4020.00",
        volume: null,
        is_closed: true,
      },
    ]);
    const row = await read(service.url, contract.spot.get, { symbol: "gold", include: "stats" }, { key: keys.pro });
    // 4050 − 4020 = 30; 30 / 4020 = 0.746… %
    expect(row).toMatchObject({ open_price: "4050.00", prev_close_price: "4020.00", ch: "30.00", chp: "0.75" });
  });

  it("are kept over a restart in the new month: November's calls count no more, December's do", async () => {
    await eventually("the call is settled", usage, ({ calls_this_month }) => calls_this_month === 1);
    await service.stop();
    service = await startService({
      DATA_DIR: folder.path,
      FEEDS: `replay:${folder.path}/replay.ndjson`,
      CLOCK_OFFSET_MS: String(MONTH_END_MS + 86_400_000 - Date.now()),
      TIERS_FILE: `${folder.path}/tiers.json`,
    });
    expect(await usage()).toMatchObject({ calls_today: 0, calls_this_month: 1, remaining_this_month: QUOTA - 1 });
  });
});
