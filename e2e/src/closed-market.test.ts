/** Starts while the market is closed: every route shows the last known close, and the status agrees. */
import { contract, HOUR_MS, type SpotRow } from "@assay/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, rates, replayFile } from "./harness/replay.ts";
import { type Service, type Settings, startService } from "./harness/service.ts";
import { readStatus, untilStatus } from "./harness/status.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const CLOSED_AT = "2026-11-20T22:00:00Z";
const SUNDAY_MS = Date.parse("2026-11-22T12:00:00Z");

let folder: Folder;
let service: Service;
let keys: TierKeys;
/** Starts a service with real market hours, its clock at an instant. */
const startAt = async (atMs: number, feedsOf: (folder: Folder) => Promise<Settings>): Promise<void> => {
  folder = await temporaryFolder();
  const feeds = await feedsOf(folder);
  const clock = { CLOCK_OFFSET_MS: String(atMs - Date.now()), SIM_HOURS: "market" };
  service = await startService({ DATA_DIR: folder.path, TRUST_PROXY: "127.0.0.1", ...clock, ...feeds });
  keys = await readDemoKeys(folder.path);
};
afterEach(async () => {
  await service?.stop("SIGKILL");
  await folder.remove();
});

const rowsOf = async (): Promise<readonly SpotRow[]> =>
  (await read(service.url, contract.prices.list, { include: "all" }, { key: keys.pro })).symbols;
const nameOf = ({ symbol, quote_currency, contract_type }: SpotRow): string =>
  `${symbol}-${quote_currency}-${contract_type.toUpperCase()}`;

/** Every row's verdict with the status's: they must agree. */
const verdicts = async () => {
  const { value_staleness } = await readStatus(service.url);
  const rows = await rowsOf();
  return {
    rows: Object.fromEntries(rows.map((row) => [nameOf(row), row.is_stale ? row.stale_reason : null])),
    status: Object.fromEntries(Object.entries(value_staleness).map(([symbol, { reason }]) => [symbol, reason])),
  };
};

describe("a first start of the simulated market on a weekend", () => {
  // On Saturday Friday's council rate is still within its window; by Sunday it is not.
  it.each([
    ["Saturday", "2026-11-21T12:00:00Z"],
    ["Sunday", "2026-11-22T12:00:00Z"],
  ])("shows Friday's last prices on %s, stale because the market is closed, with status ok", async (_, instant) => {
    await startAt(Date.parse(instant), async () => ({ FEEDS: "simulated" }));
    const { status, reasons, market } = await untilStatus(service.url, "the status is ok", (said) => said.status === "ok");
    expect([status, reasons, market.state]).toEqual(["ok", [], "closed"]);
    const rows = await rowsOf();
    expect(rows).toHaveLength(36);
    for (const row of rows) {
      expect(row, nameOf(row)).toMatchObject({ is_stale: true, stale_reason: "market_closed", computed_at: CLOSED_AT });
      expect(Number(row.price), nameOf(row)).toBeGreaterThan(0);
    }
    const said = await verdicts();
    expect(said.status).toEqual(said.rows);
    const { bar } = await read(service.url, contract.bars.latest, { symbol: "XAU-USD-SPOT", interval: "1h" }, { key: keys.pro });
    const gold = rows.find((row) => nameOf(row) === "XAU-USD-SPOT");
    expect(bar).toMatchObject({ bar_start: "2026-11-20T21:00:00Z", close: gold?.price, is_closed: true });
    // Without a key too: the close is older than the delay.
    const asked = { from: "198.51.100.1" };
    const late = await read(service.url, contract.spot.get, { symbol: "gold" }, asked);
    expect(late).toMatchObject({ price: gold?.price, computed_at: CLOSED_AT, stale_reason: "market_closed" });
    expect(await read(service.url, contract.carat.get, {}, asked)).toMatchObject({
      ...{ timestamp: CLOSED_AT, price_gram_24k: gold?.price_gram_24k },
    });
    expect(await read(service.url, contract.convert.get, { from: "XAU", to: "USD" }, asked)).toMatchObject({
      ...{ timestamp: CLOSED_AT, result: gold?.price },
    });
    expect(await read(service.url, contract.forwardView.get, { asset: "XAU" }, asked)).toMatchObject({
      ...{ computed_at: CLOSED_AT, spot_usd: gold?.price },
    });
    const { spot_reference } = await read(service.url, contract.physical.get, { country: "ae" }, { key: keys.pro });
    expect(spot_reference).toMatchObject({ price_usd: gold?.price, computed_at: CLOSED_AT, is_stale: true });
  });
});

describe("a first start on a replay file", () => {
  const bar = (symbol: string, close: string) => ({
    ...{ kind: "bar", source: "replay-bars", symbol, interval: "1d", bar_start: "2026-11-20T00:00:00Z" },
    ...{ open: close, high: close, low: close, close, volume: null },
  });
  const lines = (nowMs: number) => [
    at(Date.parse("2026-11-20T22:30:00Z"), bar("XAU-USD-SPOT", "4003.95")),
    at(nowMs - HOUR_MS, rates("replay-fx", { EUR: "0.86" })),
    at(Date.parse("2026-11-20T18:30:00Z"), {
      ...{ kind: "settlement", source: "replay-settle", symbol: "HG", contract: "HGZ26", settlement_date: "2026-11-20" },
      ...{ price: "4.5605", volume: 1_200, open_interest: null },
    }),
  ];
  const replayed = (nowMs: number) => async (to: Folder) => ({ FEEDS: await replayFile(to, lines(nowMs)) });

  it("shows the newest close and settlement in the file, on a Sunday", async () => {
    await startAt(SUNDAY_MS, replayed(SUNDAY_MS));
    const rows = await eventually("the day's close is the price", rowsOf, (all) => all[0] !== undefined && all.some(isGold));
    const closed = { is_stale: true, stale_reason: "market_closed", computed_at: "2026-11-21T00:00:00Z" };
    const byName = new Map(rows.map((row) => [nameOf(row), row]));
    expect(byName.get("XAU-USD-SPOT")).toMatchObject({ ...closed, price: "4003.95" });
    // 4003.95 × 0.86 = 3443.397
    expect(byName.get("XAU-EUR-SPOT")).toMatchObject({ ...closed, price: "3443.40" });
    expect(byName.get("XAU-GBP-SPOT")).toMatchObject({ is_stale: true, stale_reason: "market_closed" });
    expect(byName.get("XAU-GBP-SPOT")?.price).toBeUndefined();
    const { json } = await ask(service.url, "/v1/spot/copper?include=sources", { key: keys.pro });
    expect(json).toMatchObject({
      ...{ price: "4.5605", computed_at: "2026-11-20T18:30:00Z", is_stale: false, contract_type: "futures" },
      sources: [{ source: "replay-settle", license: "operator-licence", price: "4.5605" }],
    });
    const said = await verdicts();
    expect(said.status).toEqual(said.rows);
    expect((await readStatus(service.url)).reasons).toEqual([]);
  });

  it("shows no close as the price of an open market", async () => {
    const mondayMs = Date.parse("2026-11-23T12:00:00Z");
    await startAt(mondayMs, replayed(mondayMs));
    const copper = await eventually(
      "the settlement is read",
      async () => (await rowsOf()).find((row) => nameOf(row) === "HG-USD-FUTURES"),
      (row) => row?.price !== undefined,
    );
    expect(copper).toMatchObject({ price: "4.5605", is_stale: false });
    const gold = (await rowsOf()).find((row) => nameOf(row) === "XAU-USD-SPOT");
    expect(gold).toMatchObject({ is_stale: true, stale_reason: "feed_down" });
    expect(gold?.price).toBeUndefined();
    const said = await verdicts();
    expect(said.status).toEqual(said.rows);
    expect((await readStatus(service.url)).reasons).toEqual(["XAU-USD-SPOT bars are not fresh."]);
  });
});

const isGold = (row: SpotRow): boolean => nameOf(row) === "XAU-USD-SPOT" && row.price !== undefined;
