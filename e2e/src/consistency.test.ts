/** A fresh simulated market, and the same one on the embedded engines and on PostgreSQL with Redis. */
import { contract, DAY_MS, INTERVALS, MINUTE_MS, type OutputOf, PHYSICAL_COUNTRIES, type SpotRow } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read, untilHistory } from "./harness/call.ts";
import { type Cluster, startCluster } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { mintKey, type Service, startService } from "./harness/service.ts";

sayWhySkipped("the embedded engines beside PostgreSQL and Redis");

const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 1_000_000 };

let folder: Folder;
let embedded: Service;
let embeddedKey: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const tiers = await folder.write("tiers.json", JSON.stringify({ pro: OFTEN }));
  embedded = await startService({ DATA_DIR: folder.path, TIERS_FILE: tiers, TRUST_PROXY: "127.0.0.1" });
  await untilHistory(embedded.url);
  embeddedKey = (await readDemoKeys(folder.path)).pro;
});
afterAll(async () => {
  await embedded?.stop("SIGKILL");
  await folder?.remove();
});

describe("a fresh simulated market", () => {
  const asking = { from: "198.51.100.30" };
  const keyed = () => ({ key: embeddedKey });

  it("has a forward view for every caller: a curve that rises above spot, complete and on time", async () => {
    const view = await read(embedded.url, contract.forwardView.get, { asset: "XAU" }, asking);
    const curve = view.horizons.map(({ futures }) => Number(futures?.settle_usd));
    expect(view.errors).toEqual([]);
    expect(curve.length).toBeGreaterThanOrEqual(5);
    expect(curve).toEqual(curve.toSorted((a, b) => a - b));
    for (const asset of ["XAG", "HG"]) {
      const { horizons } = await read(embedded.url, contract.forwardView.get, { asset }, keyed());
      expect(horizons.every(({ futures }) => futures !== null)).toBe(true);
    }
  });

  it("has settlements whose changes match each other, all of them marked as simulated", async () => {
    for (const symbol of ["GC", "SI", "HG"]) {
      const { settlements } = await read(embedded.url, contract.settlements.list, { symbol, limit: 365 }, keyed());
      expect(settlements.length).toBeGreaterThanOrEqual(18);
      for (const row of settlements) {
        const difference = Number(row.settlement_price) - Number(row.prior_settlement);
        expect(Math.abs(difference - Number(row.change_value))).toBeLessThan(0.01);
        expect(row).toMatchObject({ source_type: "proxy_simulated", disclaimer: expect.any(String) });
      }
    }
  });

  it("has ratios of every pair that are the quotient of the bars' own closes, back to the first shared day", async () => {
    const firstDays = { "gold-silver": "1996-01-01", "gold-palladium": "1996-01-01", "gld-xau": "2004-11-18" };
    for (const [pair, firstDay] of Object.entries(firstDays)) {
      const early = { pair, from: firstDay, to: "2005-01-01", limit: 10_000 };
      expect((await read(embedded.url, contract.ratios.list, early, keyed())).points.at(-1)?.date).toBe(firstDay);
    }
    const window = { from: "2020-01-01", to: "2020-03-31" };
    const { points } = await read(embedded.url, contract.ratios.list, { pair: "gold-silver", ...window }, keyed());
    const closes = async (symbol: string) => {
      const { bars } = await read(embedded.url, contract.bars.list, { symbol, interval: "1d", ...window }, keyed());
      return bars.map((bar) => ({ date: bar.bar_start.slice(0, 10), close: bar.close }));
    };
    const [gold, silver] = await Promise.all([closes("XAU-USD-SPOT"), closes("XAG-USD-SPOT")]);
    expect(points.map(({ date, numerator_close }) => ({ date, close: numerator_close }))).toEqual(gold);
    expect(points.map(({ date, denominator_close }) => ({ date, close: denominator_close }))).toEqual(silver);
    for (const { ratio, numerator_close, denominator_close } of points) {
      expect(Math.abs(Number(ratio) - Number(numerator_close) / Number(denominator_close))).toBeLessThanOrEqual(0.000_051);
    }
  });

  it("has fresh quotes of dealers in every country, and a surface of both metals", async () => {
    const { countries } = await eventually(
      "every dealer is heard",
      () => read(embedded.url, contract.physical.list, {}, keyed()),
      (index) => index.countries.every(({ quotes, is_stale }) => quotes > 0 && !is_stale),
    );
    expect(countries.map(({ country }) => country)).toEqual([...PHYSICAL_COUNTRIES]);
    for (const metal of ["xau", "xag"])
      await eventually(
        `the surface of ${metal} is made`,
        () => read(embedded.url, contract.surface.expiries, { metal }, keyed()),
        ({ horizons }) => horizons.length >= 10,
      );
  });
});

describe.skipIf(!hasServers)(
  "the embedded engines, and PostgreSQL with Redis, on the same seed",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let cluster: Cluster;
    let clusterKey: string;
    beforeAll(async () => {
      cluster = await startCluster({}, { pro: OFTEN }, ["writer-one"]);
      clusterKey = (await mintKey(cluster.settings, "pro")).plaintext;
      for (const { url } of cluster.apis) await untilHistory(url);
    });
    afterAll(() => cluster?.close());

    const spots = (): Promise<SpotRow[]> =>
      Promise.all(
        [[embedded.url, embeddedKey] as const, [cluster.apis[0].url, clusterKey] as const].map(([url, key]) =>
          read(url, contract.spot.get, { symbol: "gold", include: "sources" }, { key }),
        ),
      );

    it("have the same price for the same second", async () => {
      const seen = [new Map<string, string>(), new Map<string, string>()] as const;
      const shared = await eventually(
        "three seconds that both were asked in",
        async () => {
          (await spots()).forEach((row, index) => {
            seen[index]?.set(row.computed_at ?? "", JSON.stringify(row));
          });
          return [...seen[0].keys()].filter((computedAt) => seen[1].has(computedAt));
        },
        (seconds) => seconds.length >= 3,
        { withinMs: 180_000, everyMs: 100 },
      );
      for (const computedAt of shared) expect(seen[1].get(computedAt)).toBe(seen[0].get(computedAt));
    });

    // A metal, a future and a fund; every symbol at every interval is a matter of the store's own suites, on both engines.
    it.each(["XAU-USD-SPOT", "GC", "GLD"])("answer identical bars of %s at every interval", async (symbol) => {
      const nowMs = Date.now();
      const toMs = nowMs - 2 * MINUTE_MS;
      // Both have yesterday, whichever day they were started on.
      const yesterdayMs = (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS;
      for (const interval of INTERVALS) {
        const from = interval === "1d" ? "1996-01-01" : new Date(yesterdayMs).toISOString();
        const query = { symbol, interval, from, to: new Date(toMs).toISOString(), limit: 10_000 };
        const [one, other] = await Promise.all([
          askRoute(embedded.url, contract.bars.list, query, { key: embeddedKey }),
          askRoute(cluster.apis[1].url, contract.bars.list, query, { key: clusterKey }),
        ]);
        const closed = ({ json }: typeof one): string[] =>
          (json as OutputOf<typeof contract.bars.list>).bars
            .filter(({ is_closed }) => is_closed)
            .map((bar) => JSON.stringify(bar)); // compared as text
        const [ours, theirs] = [closed(one), closed(other)];
        // The later request may have seen one more closed bar.
        const common = Math.min(ours.length, theirs.length);
        expect(Math.abs(ours.length - theirs.length)).toBeLessThanOrEqual(1);
        // As many days as a page holds or GLD has, since late 2004.
        expect(common, interval).toBeGreaterThanOrEqual(interval === "1d" ? 7_000 : 1);
        expect(theirs.slice(-common), interval).toEqual(ours.slice(-common));
      }
    });
  },
);
