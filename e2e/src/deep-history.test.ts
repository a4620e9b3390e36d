/**
 * Ratios, settlements and the forward view of a real process over a replay file with answers computed by hand: a weekend,
 * Thanksgiving, a roll, a correction that becomes due, days without a leg, and a killed process.
 */
import { contract, MINUTE_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, gold, type Line, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

/** Saturday noon, the day after the Friday that follows Thanksgiving. */
const NOON_MS = Date.parse("2026-11-28T12:00:00Z");
const ms = (instant: string): number => Date.parse(instant);

const close = (day: string, symbol: string, price: string): string =>
  at(ms(`${day}T23:59:00Z`), {
    kind: "bar",
    source: "replay-bars",
    symbol,
    interval: "1d",
    bar_start: `${day}T00:00:00Z`,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: symbol === "GLD" ? "8123400" : null,
  });

const settled = (day: string, futuresContract: string, price: string, more: Readonly<Record<string, unknown>> = {}): Line => ({
  kind: "settlement",
  source: "replay-settle",
  symbol: futuresContract.slice(0, 2),
  contract: futuresContract,
  settlement_date: day,
  price,
  volume: 1_200,
  open_interest: null,
  ...more,
});
const atClose = (day: string, ...rest: [futuresContract: string, price: string, more?: Readonly<Record<string, unknown>>]) =>
  at(ms(`${day}T22:00:00Z`), settled(day, ...rest));

const LINES = [
  close("2026-11-20", "XAU-USD-SPOT", "4003.20"),
  close("2026-11-20", "XAG-USD-SPOT", "48"),
  close("2026-11-20", "XPT", "1600.50"),
  close("2026-11-20", "XPD", "1410"),
  close("2026-11-20", "GLD", "371.20"),
  // Monday: silver has no bar; Tuesday: gold has none.
  close("2026-11-23", "XAU-USD-SPOT", "4010"),
  close("2026-11-23", "GLD", "371.95"),
  close("2026-11-24", "XAG-USD-SPOT", "49"),
  close("2026-11-25", "XAU-USD-SPOT", "4000.00015"),
  close("2026-11-25", "XAG-USD-SPOT", "40"),
  atClose("2026-11-20", "GCZ26", "4012.50"),
  atClose("2026-11-23", "GCZ26", "4019.30"),
  atClose("2026-11-24", "GCZ26", "4020.10"),
  atClose("2026-11-24", "GCG27", "4056.00"),
  atClose("2026-11-25", "GCZ26", "4010.00"),
  atClose("2026-11-25", "GCG27", "4046.60"),
  atClose("2026-11-27", "GCG27", "4051.15", { open_interest: 3_400 }),
  // The same again, as a feed repeats it, and a proxy alongside the exchange's own.
  at(ms("2026-11-27T23:00:00Z"), settled("2026-11-25", "GCZ26", "4010.00")),
  atClose("2026-11-25", "SIZ26", "40.115", { source: "replay-cme", source_type: "official_settlement" }),
  at(ms("2026-11-25T23:00:00Z"), settled("2026-11-25", "SIZ26", "40.2")),
  // A month this product does not have, and an expired contract.
  atClose("2026-11-27", "GCV26", "3990.00"),
  at(NOON_MS - 20 * MINUTE_MS, gold("replay-a", "4000.00")),
  at(NOON_MS - 5 * MINUTE_MS, gold("replay-a", "4020.00")),
];

describe("a rehearsed week with a roll", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let keys: TierKeys;

  const start = async (): Promise<void> => {
    // The clock continues from where it was, so that nothing past is replayed.
    service = await startService({ ...settings, CLOCK_OFFSET_MS: String(offsetMs) });
    keys = await readDemoKeys(folder.path);
  };
  let offsetMs = 0;
  beforeAll(async () => {
    folder = await temporaryFolder();
    offsetMs = NOON_MS - Date.now();
    settings = { DATA_DIR: folder.path, FEEDS: await replayFile(folder, LINES), TRUST_PROXY: "127.0.0.1" };
    await start();
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  const ratios = async (pair: string) => {
    const page = await read(service.url, contract.ratios.list, { pair, from: "2026-11-01", to: "2026-11-30" }, { key: keys.pro });
    expect(page.next_cursor).toBeNull();
    return page.points.map(({ date, ratio }) => [date, ratio]);
  };
  const settlements = async (symbol: string, more: Readonly<Record<string, string | number>> = {}) =>
    (await read(service.url, contract.settlements.list, { symbol, ...more }, { key: keys.pro })).settlements;
  const prices = async (symbol: string) =>
    (await settlements(symbol)).map((row) => [row.settlement_date, row.settlement_price, row.prior_settlement, row.change_value]);

  it("divides the closes of the days both series have, and of no others", async () => {
    expect(await ratios("gold-silver")).toEqual([
      ["2026-11-25", "100.0000"], // 4000.00015 / 40 = 100.00000375
      ["2026-11-20", "83.4000"],
    ]);
    expect(await ratios("gold-platinum")).toEqual([["2026-11-20", "2.5012"]]); // 2.50121...
    expect(await ratios("gold-palladium")).toEqual([["2026-11-20", "2.8391"]]); // 2.83914...
    expect(await ratios("silver-platinum")).toEqual([["2026-11-20", "0.0300"]]); // 0.02999...
    expect(await ratios("gld-xau")).toEqual([
      ["2026-11-23", "0.0928"], // 0.092755...
      ["2026-11-20", "0.0927"], // 0.092725...
    ]);
    const { point } = await read(service.url, contract.ratios.latest, { pair: "gld-xau" }, { key: keys.pro });
    expect(point).toEqual({ date: "2026-11-23", ratio: "0.0928", numerator_close: "371.95", denominator_close: "4010.00" });
  });

  const WEEK = [
    ["2026-11-27", "4051.15", "4046.60", "4.55"],
    ["2026-11-25", "4046.60", "4056.00", "-9.40"],
    ["2026-11-24", "4020.10", "4019.30", "0.80"],
    ["2026-11-23", "4019.30", "4012.50", "6.80"],
    ["2026-11-20", "4012.50", null, null],
  ];

  it("compares each settlement with its own contract's previous day", async () => {
    expect(await prices("GC")).toEqual(WEEK);
    const [newest] = await settlements("GC", { limit: 1 });
    expect(newest).toMatchObject({
      volume: 1_200,
      open_interest: 3_400,
      source: "replay-settle",
      source_type: "proxy_daily_close",
      source_timestamp: "2026-11-27T22:00:00Z",
      fetched_at: "2026-11-27T22:00:00Z",
    });
    expect(newest?.disclaimer).toBeTruthy();
  });

  it("prefers the exchange's own figure to a later proxy", async () => {
    const [row, ...others] = await settlements("SI");
    expect(others).toEqual([]);
    expect(row).toMatchObject({ settlement_price: "40.1150", source: "replay-cme", source_type: "official_settlement" });
    expect(row).not.toHaveProperty("disclaimer");
    expect(await settlements("HG")).toEqual([]);
  });

  it("counts what the rules refused: a settlement after its contract's end", async () => {
    const status = await read(service.url, contract.system.status, {});
    expect(status.scrapers["replay-settle"]).toMatchObject({ rejected_observations: 1 });
  });

  it("shows the current curve to paid tiers and that of fifteen minutes ago to the others", async () => {
    const paid = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { key: keys.pro });
    expect(paid.spot_usd).toBe("4020.00");
    expect(paid.horizons.map(({ expiry, futures }) => [expiry, futures?.contract, futures?.settle_usd])).toEqual([
      ["2026-12-29", "GCZ26", "4010.00"],
      ["2027-02-24", "GCG27", "4051.15"],
      ["2027-04-28", undefined, undefined],
      ["2027-06-28", undefined, undefined],
      ["2027-08-27", undefined, undefined],
      ["2027-10-27", undefined, undefined],
    ]);
    expect(paid.horizons.slice(0, 2).map(({ errors }) => errors)).toEqual([
      ["the settlement of 2026-11-27 is overdue; this one is of 2026-11-25"],
      [],
    ]);
    expect(paid.errors).toHaveLength(5);
    expect(paid.sources).toEqual([
      { id: "replay-settle", publisher: "replay-settle", url: "", retrieved_at: "2026-11-27T23:00:00Z", type: "futures" },
    ]);
    const age = paid.horizons[1]?.futures?.settle_age_seconds ?? 0;
    const late = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { from: "198.51.100.9" });
    expect(late.spot_usd).toBe("4000.00");
    const lateAge = late.horizons[1]?.futures?.settle_age_seconds ?? 0;
    expect(age - lateAge).toBeGreaterThan(840);
    expect(age - lateAge).toBeLessThanOrEqual(900);
  });

  it("refuses what it has no data for, each with its own code", async () => {
    const code = async (asset: string, key: string | undefined) => {
      const { status, json } = await askRoute(service.url, contract.forwardView.get, { asset }, { key, from: "198.51.100.10" });
      return [status, (json as { error?: string }).error]; // every refusal has one
    };
    expect(await code("XPT", keys.pro)).toEqual([400, "bad_request"]);
    expect(await code("XAG", undefined)).toEqual([403, "plan_gated"]);
    expect(await code("XAG", keys.pro)).toEqual([503, "spot_unavailable"]);
  });

  it("keeps all of it over a kill, and applies a correction that falls due", async () => {
    await service.stop("SIGKILL");
    const dueMs = Date.now() + offsetMs + 8_000;
    const corrected = settled("2026-11-27", "GCG27", "4052.00");
    const silver = {
      kind: "spot",
      source: "replay-b",
      instrument: "XAG-USD-SPOT",
      price: "40.00",
      expected_interval_seconds: 3_600,
    };
    const copper = { ...silver, instrument: "HG-USD-SPOT", price: "4.50" };
    settings = {
      ...settings,
      FEEDS: await replayFile(folder, [...LINES, at(dueMs, corrected), at(dueMs, silver), at(dueMs, copper)], "second.ndjson"),
    };
    await start();
    expect((await prices("GC")).slice(1)).toEqual(WEEK.slice(1));
    const newest = await eventually(
      "the correction counts",
      () => prices("GC"),
      ([row]) => row?.[1] === "4052.00",
      { withinMs: 180_000 },
    );
    expect(newest[0]).toEqual(["2026-11-27", "4052.00", "4046.60", "5.40"]);
    const { horizons } = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { key: keys.pro });
    expect(horizons[1]?.futures?.settle_usd).toBe("4052.00");
    const late = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { from: "198.51.100.11" });
    expect(late.horizons[1]?.futures?.settle_usd).toBe("4051.15");
    const copperView = await askRoute(service.url, contract.forwardView.get, { asset: "HG" }, { key: keys.pro });
    expect([copperView.status, copperView.json]).toMatchObject([503, { error: "no_horizons_available" }]);
    expect(
      (await read(service.url, contract.forwardView.get, { asset: "XAG" }, { key: keys.pro })).horizons[0]?.futures,
    ).toMatchObject({
      contract: "SIZ26",
      settle_usd: "40.1150",
    });
    expect(await ratios("gold-silver")).toContainEqual(["2026-11-20", "83.4000"]);
  });
});
