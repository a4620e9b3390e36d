/**
 * A service with an operator's catalogue and nothing else changed: rhodium from a replay file, and the Kuwaiti dinar, on every
 * door.
 */
import { join } from "node:path";
import { catalogue } from "@assay/catalogue";
import { MINUTE_MS, SECOND_MS } from "@assay/contract";
import { Assay } from "@assay/sdk/stream";
import type { AppRouter } from "@assay/sdk/trpc";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTRPCClient, httpLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, type Line, rates, replayFile } from "./harness/replay.ts";
import { endOf, runEntry, type Service, STANDALONE, spawnProgram, startService } from "./harness/service.ts";

const CATALOGUE = {
  metals: [
    {
      code: "XRH",
      name: "rhodium",
      quoted_in: "all",
      convertible: true,
      bounds: { low: "300", high: "60000" },
    },
  ],
  currencies: [{ code: "KWD", name: "Kuwaiti dinar", minor_units: 3, approximate_per_usd: 0.307 }],
};

const CONTRACT_TEST = "packages/contract-test/dist/command.js";

const spot = (instrument: string, price: string): Line => ({
  kind: "spot",
  source: "replay-a",
  instrument,
  price,
  bid: price,
  ask: price,
  expected_interval_seconds: 3_600,
});

const day = (symbol: string, close: string): Line => ({
  kind: "bar",
  source: "replay-bars",
  symbol,
  interval: "1d",
  bar_start: "2026-11-18T00:00:00Z",
  open: close,
  high: close,
  low: close,
  close,
  volume: null,
});

let folder: Folder;
let service: Service;
let keys: TierKeys;
const json = async (path: string, key = keys.realtime_pro): Promise<unknown> => (await ask(service.url, path, { key })).json;

beforeAll(async () => {
  folder = await temporaryFolder();
  const nowMs = Date.now();
  const moments = [nowMs - 20 * MINUTE_MS, nowMs - 10 * SECOND_MS];
  const feeds = await replayFile(
    folder,
    moments.flatMap((ms) => [
      at(ms, rates("replay-fx", { KWD: "0.3070", EUR: "0.8000" })),
      at(ms, spot("XAU-USD-SPOT", "4000.00")),
      at(ms, spot("XRH-USD-SPOT", "8000.00")),
      at(ms, day("XRH-USD-SPOT", "7900.00")),
      at(ms, day("XAU-USD-SPOT", "3950.00")),
    ]),
  );
  const file = await folder.write("catalogue.json", JSON.stringify(CATALOGUE));
  service = await startService({ DATA_DIR: folder.path, FEEDS: feeds, CATALOG: file, SIM_HOURS: "always" });
  keys = await readDemoKeys(folder.path);
  await eventually(
    "rhodium has a price",
    () => json("/v1/spot/rhodium"),
    (row) => (row as { price?: string }).price !== undefined,
  );
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

describe("an added metal and currency", () => {
  it("have spot prices to the last digit, by name, code and symbol", async () => {
    for (const name of ["rhodium", "XRH", "xrh-usd-spot"])
      expect(await json(`/v1/spot/${name}`)).toMatchObject({ symbol: "XRH", unit: "troy_ounce", price: "8000.00" });
    // 8000 × 0.3070
    expect(await json("/v1/spot/XRH-KWD-SPOT")).toMatchObject({ quote_currency: "KWD", price: "2456.00" });
    expect(await json("/v1/spot/XAU-KWD-SPOT")).toMatchObject({ price: "1228.00" });
    const { symbols } = (await json("/v1/prices")) as { symbols: { symbol: string; quote_currency: string }[] };
    expect(symbols.filter(({ symbol }) => symbol === "XRH")).toHaveLength(catalogue.quoted.length + 1);
    expect(symbols.filter(({ quote_currency }) => quote_currency === "KWD")).toHaveLength(2);
  });

  it("convert, with three decimals of the dinar", async () => {
    // 10 g = 10 / 31.1034768 ozt × 8000 × 0.3070 = 789.6223…
    expect(await json("/v1/convert?from=XRH&to=KWD&amount=10&unit=gram")).toMatchObject({ result: "789.622" });
    expect(await json("/v1/convert?from=XRH&to=XAU")).toMatchObject({ result: "2.000000", rate: "2" });
    // 4000 × 0.3070 / 31.1034768
    expect(await json("/v1/carat?currency=KWD")).toMatchObject({ currency: "KWD", price_gram_24k: "39.4811" });
  });

  it("price a piece at a counter, with three decimals of the dinar", async () => {
    const items = [
      { metal: "XAU", weight: "10", unit: "gram", karat: 18 },
      { metal: "XRH", weight: "10", unit: "gram" },
    ];
    const { json: bill } = await ask(service.url, "/v1/quotes", {
      method: "POST",
      key: keys.realtime_pro,
      body: JSON.stringify({ currency: "KWD", items }),
    });
    // 7.5 g × 4000 × 0.3070 / 31.1034768 = 296.1083… and 10 g × 8000 × 0.3070 / 31.1034768 = 789.6223…
    expect(bill).toMatchObject({ items: [{ total: "296.108" }, { total: "789.622" }], totals: { total: "1085.730" } });
  });

  it("have bars, ratios and symbols of charts", async () => {
    expect(await json("/v1/bars/latest?symbol=XRH/USD&interval=1m")).toMatchObject({
      symbol: "XRH-USD-SPOT",
      bar: { close: "8000.00" },
    });
    const page = (await json("/v1/bars?symbol=rhodium&from=2026-11-18&to=2026-11-18")) as { bars: unknown[] };
    expect(page.bars).toEqual([expect.objectContaining({ bar_start: "2026-11-18T00:00:00Z", close: "7900.00" })]);
    expect(await json("/v1/ratios?pair=rhodium-gold&from=2026-11-18&to=2026-11-18")).toMatchObject({
      numerator: "XRH-USD-SPOT",
      points: [{ date: "2026-11-18", ratio: "2.0000" }],
    });
    expect(await json("/udf/symbols?symbol=XRH-USD-SPOT")).toMatchObject({ description: "Rhodium spot, USD per troy ounce" });
  });

  it("are named where something else was asked for", async () => {
    const { message } = (await json("/v1/convert?from=XAU&to=XXX")) as { message: string };
    const [first, second, third, ...currencies] = /use one of (.+)\.$/.exec(message)?.[1]?.split(", ") ?? [];
    expect([first, second, third]).toEqual(["XAU", "XAG", "XRH"]);
    expect(currencies).toHaveLength(catalogue.quoted.length + 1);
    expect(currencies).toContain("KWD");
    // It has no futures, so it has no curve.
    expect(await json("/v1/forward-view/XRH")).toMatchObject({
      error: "bad_request",
      message: "asset must be one of XAU, XAG, HG.",
    });
    expect(await json("/udf/search?query=rhodium")).toEqual([expect.objectContaining({ symbol: "XRH-USD-SPOT" })]);
  });

  it("need Pro, and are late without it nowhere", async () => {
    expect(await ask(service.url, "/v1/spot/rhodium", { key: keys.free })).toMatchObject({
      status: 403,
      json: { error: "plan_gated", required_tier: "pro" },
    });
    expect(await ask(service.url, "/v1/spot/XAU-KWD-SPOT")).toMatchObject({ status: 200, json: { price: "1228.00" } });
  });

  it("are in the documents and lists of the running service", async () => {
    const { text } = await ask(service.url, "/openapi.json");
    for (const name of ["XRH-USD-SPOT", "XRH-KWD-SPOT", "rhodium-gold", "32 currencies"]) expect(text).toContain(name);
    expect((await ask(service.url, "/asyncapi.json")).text).toContain("XRH-USD-SPOT");
    expect((await ask(service.url, "/llms.txt")).text).toContain("gold, silver, copper and rhodium: spot in 32 currencies");
    expect((await ask(service.url, "/llms-full.txt")).text).toContain("rhodium-gold");
    expect((await ask(service.url, "/docs")).text).toContain("/v1/metadata/catalog");
    expect((await ask(service.url, "/docs/guides/keys-and-tiers")).text).toContain("XAU XAG HG XRH");
    for (const page of ["unsupported_currency", "unsupported_currency.md"])
      expect((await ask(service.url, `/docs/errors/${page}`)).text).toContain("one of the 32 currency codes");
    expect((await ask(service.url, "/docs/errors/unknown_pair.md")).text).toContain("rhodium-gold");
    const listed = (await json("/v1/metadata/catalog")) as { metals: { code: string }[]; symbols: string[] };
    expect(listed.metals.map(({ code }) => code)).toContain("XRH");
    expect(listed.symbols).toContain("XRH-KWD-SPOT");
    const { value_staleness } = (await json("/v1/status")) as { value_staleness: Record<string, unknown> };
    expect(value_staleness).toHaveProperty("XRH-KWD-SPOT");
    const tiers = (await json("/v1/metadata/tiers")) as { name: string; allowed_bases: string[] }[];
    expect(tiers.find(({ name }) => name === "pro")?.allowed_bases).toContain("XRH");
    expect(tiers.find(({ name }) => name === "free")?.allowed_bases).toEqual(["XAU"]);
  });

  it("stream over SSE and WebSocket, and the SDK reads all of it", async () => {
    const assay = new Assay({ apiKey: keys.realtime_pro, baseUrl: service.url });
    expect(`${(await assay.spot.get("XRH-KWD-SPOT")).price}`).toBe("2456.00");
    expect((await assay.catalog.get()).metals.some(({ code }) => code === "XRH")).toBe(true);
    for (const transport of ["sse", "websocket"] as const) {
      for await (const event of assay.stream.subscribe({ symbols: ["XRH-USD-SPOT"], transport })) {
        if (event.type !== "tick") continue;
        expect([event.symbol, `${event.price}`]).toEqual(["XRH-USD-SPOT", "8000.00"]);
        break;
      }
    }
  });

  it("are tested by assay-contract-test with the same setting, and differ from its contract without", async () => {
    const test = async (catalog: string) => {
      const key = `realtime_pro=${keys.realtime_pro}`;
      const args = [
        CONTRACT_TEST,
        "--base-url",
        service.url,
        "--key",
        key,
        "--only",
        "tiers.list",
        "--max-wait",
        "0",
        "--runs",
        "1",
        "--seed",
        "1",
      ];
      const run = spawnProgram(ROOT, { CATALOG: catalog }, args);
      return { ...(await endOf(run, 220_000)), stdout: run.stdout(), stderr: run.stderr() };
    };
    expect(await test(join(folder.path, "catalogue.json"))).toMatchObject({ code: 0, stderr: "" });
    expect(await test("")).toMatchObject({ code: 1 });
  });

  it("are prices to tRPC and to agents", async () => {
    const headers = { authorization: `Bearer ${keys.pro}` };
    const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${service.url}/trpc`, headers })] });
    expect(await trpc.spot.get.query({ symbol: "XRH-KWD-SPOT" })).toMatchObject({ price: "2456.00" });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
    const answer = await client.callTool({ name: "get_spot_price", arguments: { symbol: "rhodium" } });
    expect(answer.structuredContent).toMatchObject({ symbol: "XRH", price: "8000.00" });
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).toContain("rhodium");
    await client.close();
  });
});

describe("a row that was taken out of the file", () => {
  it("keeps its bars, which the log names, and has them again when it returns with bounds that fit", async () => {
    const own = await temporaryFolder();
    const nowMs = Date.now();
    const gold = at(nowMs - 10 * SECOND_MS, spot("XAU-USD-SPOT", "4000.00"));
    const rhodiumLines = [spot("XRH-USD-SPOT", "8000.00"), day("XRH-USD-SPOT", "7900.00")];
    const feeds = await replayFile(own, [gold, ...rhodiumLines.map((line) => at(nowMs - 10 * SECOND_MS, line))]);
    const feedsOfGold = await replayFile(own, [gold], "gold.ndjson");
    const start = (catalog: string) =>
      startService({
        DATA_DIR: join(own.path, "data"),
        CATALOG: catalog,
        SIM_HOURS: "always",
        FEEDS: catalog === "" ? feedsOfGold : feeds,
      });
    const askPro = async ({ url }: Service, path: string) => {
      const { pro } = await readDemoKeys(join(own.path, "data"));
      return ask(url, path, { key: pro });
    };
    const days = (of: Service) => askPro(of, "/v1/bars?symbol=XRH/USD&from=2026-11-18&to=2026-11-18");
    const has = (closes: readonly string[]) => (answer: { status: number; json: unknown }) =>
      answer.status === 200 &&
      (answer.json as { bars: { close: string }[] }).bars.map(({ close }) => close).join() === closes.join();
    const file = await own.write("catalogue.json", JSON.stringify(CATALOGUE));
    const [rhodium] = CATALOGUE.metals;
    const low = { metals: [{ ...rhodium, bounds: { low: "300", high: "600" } }] };
    const contradicted = await own.write("low.json", JSON.stringify(low));
    try {
      const first = await start(file);
      await eventually("the day is stored", () => days(first), has(["7900.00"]));
      await first.stop("SIGTERM");

      const without = await start("");
      expect(without.stderr()).toContain(
        "bars of XRH-USD-SPOT are stored, but the catalogue does not have it; they are kept and not served",
      );
      expect(await askPro(without, "/v1/spot/gold")).toMatchObject({ status: 200, json: { price: "4000.00" } });
      expect(await days(without)).toMatchObject({ status: 422 });
      await without.stop("SIGTERM");

      const refused = await runEntry(STANDALONE, { DATA_DIR: join(own.path, "data"), FEEDS: feeds, CATALOG: contradicted });
      expect(refused.code).toBe(1);
      expect(refused.stderr.trim().split("\n").at(-1)).toContain(
        `CATALOG is ${JSON.stringify(contradicted)} (metals.XRH.bounds: the newest stored close of XRH-USD-SPOT is `,
      );

      const again = await start(file);
      expect(again.stderr()).not.toContain("are kept and not served");
      expect(await days(again)).toSatisfy(has(["7900.00"]));
      await again.stop("SIGTERM");
    } finally {
      await own.remove();
    }
  });
});

it("a catalogue that cannot be used stops the start with one line", async () => {
  const own = await temporaryFolder();
  const [dinar] = CATALOGUE.currencies;
  const bad = { currencies: [{ ...dinar, peg: { to: "XXX", units: "1", fixed: true } }] };
  const file = await own.write("bad.json", JSON.stringify(bad));
  const { code, stderr } = await runEntry(STANDALONE, { DATA_DIR: own.path, CATALOG: file });
  await own.remove();
  expect(code).toBe(1);
  const because = "line 1, column 2: currencies.KWD.peg.to: no currency XXX";
  expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(`CATALOG is ${JSON.stringify(file)} (${because})`)]);
});

it("the test itself runs on the built-in catalogue", () => {
  expect(catalogue.rows.metals.some(({ code }) => code === "XRH")).toBe(false);
});
