/** The console in a real browser on a replayed market: every page shows what the API answers, digit for digit. */
import { contract, DAY_MS, MINUTE_MS, type OutputOf } from "@assay/contract";
import { Decimal, isBusinessDay, tradingContracts } from "@assay/pricing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { read } from "./harness/call.ts";
import { digitsIn, type OpenConsole } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, gold, type Line, optionLines, rates, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const dealer = (country: string, product: string, more: Readonly<Record<string, unknown>>): Line => ({
  kind: "dealer",
  source: "replay-dealer",
  country,
  dealer: "Souk",
  product,
  karat: 24,
  weight: "1",
  weight_unit: "gram",
  ...more,
});

/** Every day's settlements of every contract of gold, each dearer than the one before. */
const settlementLines = (nowMs: number): string[] => {
  const days = [7, 6, 5, 4, 3, 2].map((back) => nowMs - back * DAY_MS).filter((ms) => isBusinessDay(dayAt(ms)));
  return days.flatMap((ms, turn) =>
    tradingContracts("GC", dayAt(nowMs + DAY_MS)).map(({ name }, place) =>
      at(Date.parse(`${dayAt(ms)}T22:00:00Z`), {
        kind: "settlement",
        source: "replay-settle",
        symbol: "GC",
        contract: name,
        settlement_date: dayAt(ms),
        price: `${4_010 + turn * 3 + place * 31}.${turn}0`,
        volume: 120_034 - place * 1_234,
        open_interest: place === 1 ? null : 3_456 + place,
      }),
    ),
  );
};

const linesOf = (nowMs: number, expiry: string): string[] => {
  const pair = { kind: "market", source: "replay-pm", metal: "XAU", expiry, condition: "above", strike: "4200" };
  const sizes = { bid_size_usd: "800", ask_size_usd: "900" };
  return [
    ...settlementLines(nowMs),
    at(nowMs - 40 * MINUTE_MS, rates("replay-fx", { EUR: "0.8125", INR: "88.1234" })),
    at(nowMs - 40 * MINUTE_MS, gold("replay-a", "4003.20")),
    at(nowMs - 40 * MINUTE_MS, gold("replay-b", "4003.60")),
    ...optionLines(nowMs - 20 * MINUTE_MS, expiry),
    at(nowMs - 10 * MINUTE_MS, { ...pair, ...sizes, market_id: "k", fee_model: "kalshi", yes_bid: "0.29", yes_ask: "0.31" }),
    at(nowMs - 9 * MINUTE_MS, { ...pair, ...sizes, market_id: "p", fee_model: "polymarket", yes_bid: "0.40", yes_ask: "0.43" }),
    // Its line of a spot price says how long the dealers' quotes stay fresh.
    at(nowMs - 6 * MINUTE_MS, gold("replay-dealer", "4009.00", { role: "informational" })),
    at(nowMs - 5 * MINUTE_MS, dealer("AE", "24K gram", { currency: "AED", sell: "477.25", buyback: "470.50" })),
    at(nowMs - 5 * MINUTE_MS, dealer("AE", "Tola bar", { currency: "AED", sell: "5561.40", buyback: null, weight_unit: "tola" })),
    at(nowMs - 5 * MINUTE_MS, dealer("IN", "Coin", { currency: "INR", sell: "11780.00", buyback: "11250.50" })),
    at(nowMs - 2 * MINUTE_MS, rates("replay-fx", { EUR: "0.8000", INR: "88.0001" })),
    at(nowMs - MINUTE_MS, gold("replay-a", "4010.10", { bid: "4009.90", ask: "4010.30" })),
    at(nowMs - MINUTE_MS, gold("replay-b", "4010.50")),
    // Refused, and named with the rule that refused it.
    at(nowMs - MINUTE_MS / 2, gold("replay-c", "40.10")),
  ];
};

/** A share as the page shows it, without its point: the digits are those of the published number. */
const digitsOf = (figure: string | number): string =>
  String(figure)
    .replace(".", "")
    .replace(/^0+|0+$/g, "");
/** Published basis points as the page shows them, in percent. */
const percentOf = (bps: number): string => new Decimal(bps).div(100).toFixed(2);
const texts = (figures: readonly (string | number | null)[]): string[] =>
  figures.flatMap((figure) => (figure === null ? [] : [String(figure)]));

describeConsoles("the console on a replay", (consoles) => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const nowMs = Date.now();
    const feeds = await replayFile(folder, linesOf(nowMs, dayAt(nowMs + 40 * DAY_MS)));
    service = await startService({ DATA_DIR: folder.path, FEEDS: feeds });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  const open = (path: string, key: string | undefined = keys.pro): Promise<OpenConsole> => consoles.open(service.url, path, key);
  const column = (page: Page, table: string, place: number): Promise<string[]> =>
    digitsIn(page, `section[aria-label="${table}"] tbody td:nth-child(${place})`);

  it("shows the price, its karats and its sources on Market, and calls them a replay", async () => {
    const published = await read(service.url, contract.spot.get, { symbol: "XAU-EUR-SPOT", include: "all" }, { key: keys.pro });
    const dollars = await read(service.url, contract.spot.get, { symbol: "XAU-USD-SPOT", include: "all" }, { key: keys.pro });
    const { page, close } = await open("?currency=EUR");
    await page.waitForSelector(".digits data");
    expect(await digitsIn(page, ".digits")).toEqual([published.price]);
    await page.selectOption("select[aria-label=Weight]", "gram");
    expect(await digitsIn(page, ".karat")).toEqual([
      ...[published.price_gram_24k, published.price_gram_22k, published.price_gram_21k, published.price_gram_20k],
      ...[published.price_gram_18k, published.price_gram_16k, published.price_gram_14k, published.price_gram_10k],
    ]);
    expect(await page.innerText(".price .badges")).toContain("Replay");
    await page.selectOption("select[aria-label=Currency]", "USD");
    await page.selectOption("select[aria-label=Weight]", "oz");
    const sources = dollars.sources?.flatMap(({ price }) => price ?? []);
    await expect.poll(() => column(page, "Sources", 2)).toEqual(sources);
    await close();
  });

  it("shows the price of 15 minutes ago without a key", async () => {
    const { page, close } = await consoles.open(service.url, "");
    await page.waitForSelector(".digits data");
    expect(await digitsIn(page, ".digits")).toEqual(["4003.40"]);
    expect(await page.innerText(".price .badges")).toMatch(/Replay\s+15 minutes late/);
    await close();
  });

  it("shows the bars of the chart as a table", async () => {
    const { page, close } = await open("?interval=1h");
    await page.click("text=The newest bars as a table");
    const { bars } = await read(
      service.url,
      contract.bars.list,
      { symbol: "XAU-USD-SPOT", interval: "1h", from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date().toISOString() },
      { key: keys.pro },
    );
    expect(bars.length).toBeGreaterThan(0);
    const shown = await digitsIn(page, 'section[aria-label="The newest bars"] tbody');
    expect(shown).toEqual(
      bars.slice(0, 30).flatMap(({ open: first, high, low, close: last }) => texts([first, high, low, last])),
    );
    await close();
  });

  it("shows contracts, carry against the nearest, and settlements on Curve", async () => {
    const { horizons } = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { key: keys.pro });
    const { settlements } = await read(service.url, contract.settlements.list, { symbol: "GC" }, { key: keys.pro });
    const { page, close } = await open("curve");
    await page.waitForSelector('section[aria-label="Contracts"] td');
    const futures = horizons.flatMap(({ expiry, futures: one }) => (one === null ? [] : [{ expiry, ...one }]));
    expect(futures.length).toBeGreaterThan(3);
    expect(await column(page, "Contracts", 3)).toEqual(futures.map(({ settle_usd }) => settle_usd));
    expect(await column(page, "Contracts", 5)).toEqual(texts(futures.map(({ open_interest }) => open_interest)));
    expect(await column(page, "Contracts", 6)).toEqual(texts(futures.map(({ volume }) => volume)));
    const [nearest, ...later] = futures;
    const carries = later.map(({ expiry, settle_usd }) => {
      const days = (Date.parse(expiry) - Date.parse(nearest?.expiry ?? "")) / DAY_MS;
      return new Decimal(settle_usd)
        .div(nearest?.settle_usd ?? "")
        .minus(1)
        .times(36_500)
        .div(days)
        .toFixed(2);
    });
    expect(await column(page, "Contracts", 4)).toEqual(carries.map((carry) => `+${carry}`));

    await page.waitForSelector('section[aria-label="Settlements"] td');
    expect(settlements.length).toBeGreaterThan(2);
    expect(await column(page, "Settlements", 2)).toEqual(texts(settlements.map((row) => row.settlement_price)));
    expect(await column(page, "Settlements", 3)).toEqual(texts(settlements.map((row) => row.prior_settlement)));
    expect(await column(page, "Settlements", 4)).toEqual(
      texts(settlements.map((row) => row.change_value)).map((change) => (/^(-|0\.0+$)/.test(change) ? change : `+${change}`)),
    );
    expect(await column(page, "Settlements", 5)).toEqual(texts(settlements.map((row) => row.volume)));
    await close();
  });

  it("shows premiums by country and a country's dealers on Physical", async () => {
    const { page, close } = await open("physical");
    await page.waitForSelector(".countries");
    for (const [country, name] of [
      ["AE", "United Arab Emirates"],
      ["IN", "India"],
    ] as const) {
      const { quotes, spot_reference } = await read(service.url, contract.physical.get, { country }, { key: keys.pro });
      expect(quotes.length, country).toBeGreaterThan(0);
      const row = `.countries button:has-text("${name}")`;
      // A replay file names no form, so its quotes are reference prices, and none is a country's cheapest bar.
      expect(await page.locator(row).innerText(), country).toContain("reference price only");
      await page.click(row);
      await page.waitForSelector(`h2:text-is("Dealers in ${name}")`);
      for (const [place, field] of [
        [2, "weight"],
        [3, "sell_price"],
        [4, "buyback_price"],
      ] as const)
        expect(await column(page, "Dealers", place), `${country} ${field}`).toEqual(texts(quotes.map((quote) => quote[field])));
      for (const [place, field] of [
        [5, "premium_over_spot_bps"],
        [6, "spread_bps"],
      ] as const) {
        const published = quotes.flatMap((quote) => quote[field] ?? []);
        expect(await column(page, "Dealers", place), `${country} ${field}`).toEqual(published.map(percentOf));
      }
      expect((await digitsIn(page, ".legend"))[0]).toBe(spot_reference?.price_local_per_gram);
    }
    await close();
  });

  it("shows percentiles, strikes with their chances, and signals on Probability", async () => {
    const surface: OutputOf<typeof contract.surface.get> = await read(
      service.url,
      contract.surface.get,
      { metal: "xau" },
      { key: keys.pro },
    );
    const { signals } = await read(service.url, contract.signals.arbitrage, { metal: "xau" }, { key: keys.pro });
    const { page, close } = await open("probability");
    await page.click("text=strikes behind it");
    const { p10, p25, p50, p75, p90 } = surface.percentiles;
    expect(await digitsIn(page, ".tiles")).toEqual(texts([p10, p25, p50, p75, p90]));
    expect((await digitsIn(page, ".legend")).slice(0, 2)).toEqual(texts([surface.spot_usd, surface.forward_usd]));
    expect(surface.points.length).toBeGreaterThan(5);
    expect(await column(page, "Strikes", 1)).toEqual(surface.points.map(({ strike }) => strike));
    expect((await column(page, "Strikes", 2)).map(digitsOf)).toEqual(
      surface.points.map(({ prob_above }) => digitsOf(prob_above)),
    );
    await page.waitForSelector('section[aria-label="Signals"] td');
    expect(signals).toHaveLength(1);
    expect(await digitsIn(page, 'section[aria-label="Signals"] tbody')).toEqual(
      signals.flatMap(({ strike, buy, sell, net_edge_bps, executable_size_usd }) =>
        texts([strike, buy.price, sell.price, net_edge_bps, executable_size_usd]),
      ),
    );
    await close();
  });

  it("shows each feed's failures, refused readings and the rule on Status", async () => {
    const { scrapers, status, reasons } = await read(service.url, contract.system.status, {});
    const { page, close } = await open("status", undefined);
    await page.waitForSelector('section[aria-label="Feeds"] td');
    const names = (await page.locator('section[aria-label="Feeds"] tbody th').allInnerTexts()).map(
      (text) => text.split(/\s/)[0] ?? "",
    );
    expect(names.toSorted()).toEqual(Object.keys(scrapers).sort());
    const feeds = names.map((name) => scrapers[name]);
    expect(await column(page, "Feeds", 5)).toEqual(feeds.map((feed) => String(feed?.consecutive_failures)));
    expect(await column(page, "Feeds", 6)).toEqual(feeds.map((feed) => String(feed?.rejected_observations)));
    expect(feeds.reduce((sum, feed) => sum + (feed?.rejected_observations ?? 0), 0)).toBeGreaterThan(0);
    const rules = await page.locator('section[aria-label="Feeds"] tbody td:nth-child(7)').allInnerTexts();
    expect(rules).toEqual(feeds.map((feed) => feed?.last_error?.replaceAll("_", " ") ?? "none"));
    expect(await page.innerText(".page-head .badges")).toContain(status === "ok" ? "All is well" : "Degraded");
    if (reasons.length > 0) expect(await page.locator(".reasons li").allInnerTexts()).toEqual(reasons);
    await close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(6);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
