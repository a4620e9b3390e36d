/** A first start of the simulated market on a weekend: every door shows Friday's close, and the status agrees. */
import { contract, type SpotRow } from "@assay/contract";
import { Assay, type SubscribeOptions } from "@assay/sdk/stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read, untilStatus } from "./harness/call.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startUnready } from "./harness/service.ts";

/** Early in the history, so that a first start makes little of it. */
const CLOSED_AT = "1998-03-06T22:00:00Z";
/** On Saturday Friday's council rate is still within its window, and does not replace the close. */
const SATURDAY_MS = Date.parse("1998-03-07T12:00:00Z");
const METALS = ["XAU-USD-SPOT", "XAG-USD-SPOT"];

const nameOf = ({ symbol, quote_currency, contract_type }: SpotRow): string =>
  `${symbol}-${quote_currency}-${contract_type.toUpperCase()}`;

describe("a first start on a Saturday", () => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;
  let rows: ReadonlyMap<string, SpotRow>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startUnready({
      DATA_DIR: folder.path,
      TRUST_PROXY: "127.0.0.1",
      FEEDS: "simulated",
      SIM_HOURS: "market",
      CLOCK_OFFSET_MS: String(SATURDAY_MS - Date.now()),
    });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  it("has status ok, and every row is Friday's last price, stale because the market is closed", async () => {
    const { value_staleness, ...status } = await untilStatus(service.url, "it is ok", (said) => said.status === "ok");
    expect(status).toMatchObject({ reasons: [], market: { state: "closed" } });
    const { symbols } = await read(service.url, contract.prices.list, {}, { key: keys.pro });
    rows = new Map(symbols.map((row) => [nameOf(row), row]));
    expect(rows.size).toBe(36);
    for (const [name, row] of rows) {
      expect(row, name).toMatchObject({ is_stale: true, stale_reason: "market_closed", computed_at: CLOSED_AT });
      expect(Number(row.price), name).toBeGreaterThan(0);
      expect(value_staleness[name], name).toMatchObject({ is_stale: true, reason: "market_closed" });
    }
  });

  it("shows it to callers without a key, too: the close is older than the delay", async () => {
    const late = await read(service.url, contract.spot.get, { symbol: "gold" }, { from: "198.51.100.1" });
    expect(late).toMatchObject({ price: rows.get("XAU-USD-SPOT")?.price, computed_at: CLOSED_AT });
  });

  it.each<SubscribeOptions & { readonly symbols: readonly string[] }>([
    { transport: "sse", symbols: METALS },
    { transport: "websocket", symbols: METALS },
  ])("begins streams over $transport with it", async (options) => {
    const assay = new Assay({ apiKey: keys.realtime_pro, baseUrl: service.url });
    const first = new Map<string, object>();
    for await (const event of assay.stream.subscribe(options)) {
      if (event.type !== "tick") continue;
      const { symbol, price, computedAt, snapshot, staleReason } = event;
      first.set(symbol, { price: price.text, at: computedAt.getTime(), snapshot, staleReason });
      if (first.size === METALS.length) break;
    }
    for (const symbol of METALS) {
      const close = { price: rows.get(symbol)?.price, at: Date.parse(CLOSED_AT) };
      expect(first.get(symbol), symbol).toEqual({ ...close, snapshot: true, staleReason: "market_closed" });
    }
  });
});
