/** Futures rows of live feeds without futures quotes: the front contract's settlement, from a chart and from dropped files. */
import { contract, HOUR_MS, type SpotRow } from "@assay/contract";
import { activeContracts, addDays, businessDayUpTo, dayIn, frontContract, NEW_YORK, utcDay, wallTimeMs } from "@assay/pricing";
import { openUpstream, type Upstream } from "@assay/testkit/upstreams";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { mintKey } from "./harness/keys.ts";
import { type Service, startService } from "./harness/service.ts";
import { readStatus } from "./harness/status.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 });

/** The newest day that has ended in New York. */
const DAY = businessDayUpTo(addDays(dayIn(NEW_YORK, Date.now()), -1));
const [front] = [frontContract(activeContracts("GC", utcDay(Date.now())), utcDay(Date.now()))];
const isoOf = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** The chart of a dated contract: one session; each later gold contract is a dollar higher, silver likewise. */
const chart = (path: string): { readonly status?: number; readonly body: string } => {
  const symbol = /chart\/([A-Z0-9.]+)\?/.exec(path)?.[1] ?? "";
  const close = symbol.startsWith("GC") ? 4_000 + symbol.charCodeAt(2) : symbol.startsWith("SI") ? 48 : null;
  if (close === null) return { status: 404, body: "{}" };
  const result = {
    meta: { symbol, currency: "USD", dataGranularity: "1d" },
    timestamp: [wallTimeMs(NEW_YORK, DAY, 0) / 1_000],
    indicators: { quote: [{ open: [close], high: [close], low: [close], close: [close], volume: [100] }] },
  };
  return { body: JSON.stringify({ chart: { result: [result] } }) };
};

describe("settlements of live feeds", () => {
  let folder: Folder;
  let dropped: Folder;
  let upstream: Upstream;
  let service: Service;
  let key: string;
  const spot = (symbol: string): Promise<SpotRow> =>
    read(service.url, contract.spot.get, { symbol, include: "sources" }, { key });

  beforeAll(async () => {
    [folder, dropped, upstream] = await Promise.all([temporaryFolder(), temporaryFolder(), openUpstream(chart)]);
    const copper = frontContract(activeContracts("HG", utcDay(Date.now())), utcDay(Date.now()))?.name ?? "";
    await dropped.write("hg.csv", `date,contract,settlement,volume,oi\n${DAY},${copper},4.5605,10,20\n`);
    const settings = { DATA_DIR: folder.path, FEEDS: "yahoo-chart,cme-files", TRUST_PROXY: "127.0.0.1" };
    ({ plaintext: key } = await mintKey(settings, "pro"));
    service = await startService({ ...settings, FEED_YAHOO_CHART_URL: upstream.url, SETTLEMENTS_DIR: dropped.path });
    await eventually(
      "both feeds' settlements are in",
      async () => [await spot("copper"), await spot("XAU-USD-FUTURES"), await spot("XAG-USD-FUTURES")],
      (rows) => rows.every(({ price }) => price !== undefined),
      { withinMs: 60_000 },
    );
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await upstream?.close();
    await Promise.all([folder?.remove(), dropped?.remove()]);
  });

  it("price the futures rows and the alias copper, fresh whatever hour it is, without bid or ask", async () => {
    const gold = await spot("XAU-USD-FUTURES");
    expect(gold).toMatchObject({
      ...{ contract_type: "futures", is_stale: false, price: `${4_000 + (front?.name.charCodeAt(2) ?? 0)}.00` },
      computed_at: isoOf(wallTimeMs(NEW_YORK, DAY, 17 * HOUR_MS)),
      sources: [
        { source: "yahoo-chart", display_name: "Yahoo Finance chart", license: "personal-use-only", informational: false },
      ],
    });
    expect(gold.bid ?? gold.ask).toBeUndefined();
    expect(await spot("copper")).toMatchObject({
      ...{ symbol: "HG", contract_type: "futures", is_stale: false, price: "4.5605" },
      sources: [{ source: "cme-files", display_name: "CME settlement files", license: "operator-licence" }],
    });
  });

  it("appear in the list and the status with the same verdict", async () => {
    const { symbols } = await read(service.url, contract.prices.list, {}, { key });
    const { value_staleness } = await readStatus(service.url);
    for (const row of symbols) {
      const said = value_staleness[`${row.symbol}-${row.quote_currency}-${row.contract_type.toUpperCase()}`];
      expect(said).toMatchObject({ is_stale: row.is_stale, reason: row.stale_reason ?? null });
    }
  });
});
