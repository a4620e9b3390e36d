/** A month's end rehearsed on shifted clocks: quotas reset, the day's bars close, calls are counted by UTC calendar. */
import { contract, HOUR_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read, readStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, clockAt, gold, replayFile } from "./harness/replay.ts";
import { type Service, type Settings, startService } from "./harness/service.ts";

const MONTH_END_MS = Date.UTC(2026, 11, 1);
const QUOTA = 5;

describe("the end of November", () => {
  let folder: Folder;
  let settings: Settings;
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

  /** Starts a service whose clock shows so many minutes after the month's end. */
  const start = async (minutes: number): Promise<void> => {
    service = await startService({ ...settings, ...clockAt(MONTH_END_MS + minutes * MINUTE_MS) });
  };
  beforeAll(async () => {
    folder = await temporaryFolder();
    const lines = [
      at(MONTH_END_MS - 6 * HOUR_MS, gold("replay-a", "4000.00")),
      at(MONTH_END_MS - 5 * HOUR_MS, gold("replay-a", "4100.00")),
      at(MONTH_END_MS - 4 * HOUR_MS, gold("replay-a", "3950.00")),
      at(MONTH_END_MS - 90 * MINUTE_MS, gold("replay-a", "4020.00")),
      at(MONTH_END_MS + 3 * SECOND_MS, gold("replay-a", "4050.00")),
    ];
    settings = {
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, lines),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ free: { monthly_quota: QUOTA } })),
      TRUST_PROXY: "127.0.0.1",
    };
    await start(-60);
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("follow the service's own clock", async () => {
    expect((await readStatus(service.url)).checked_at).toMatch(/^2026-11-30T23:/);
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
    // From an hour before, by the service's clock.
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    expect(await usage()).toMatchObject({
      calls_today: QUOTA,
      calls_this_month: QUOTA,
      remaining_this_month: 0,
      resets_at: "2026-12-01T00:00:00Z",
    });
  });

  it("let calls through once the month is over", async () => {
    await service.stop();
    await start(20);
    const answer = await spot(keys.free);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toMatch(/"month";r=4;/);
    expect(await usage()).toMatchObject({ calls_today: 1, calls_this_month: 1, resets_at: "2027-01-01T00:00:00Z" });
  });

  it("close the day's bar at its last price and begin the next with the first one of the day", async () => {
    const { bars } = await eventually("December's first bar", days, (page) => page.bars.length === 2);
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

  it("count the calls of the new month alone, also on its next day", async () => {
    await service.stop();
    await start(20 + 24 * 60);
    expect(await usage()).toMatchObject({ calls_today: 0, calls_this_month: 1, remaining_this_month: QUOTA - 1 });
  });
});
