/** Real files, imported and archived: DuckDB computes the same sums from the archives as from the files. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openArchives } from "@assay/archives";
import { askDuckDb } from "@assay/archives/testing";
import type { Interval } from "@assay/contract";
import { claimFence, readArchives, readSeriesSources, type Store } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { fakeClock } from "@assay/ports/virtual";
import { buildArchive, dueArchives } from "@assay/writer/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tryImport, zoneNamed } from "./testing/trial.ts";

const folder = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.info("skipped: real bars are not here (../shared/data)");

const NOW_MS = Date.UTC(2026, 5, 1);
const WRITER = { token: 1, holder: "real" };
/** Prices from 100 up have two decimals on the wire and in archives; some of the files have three. */
const FIGURES = [
  "count(*)::int as rows",
  ...["open", "high", "low", "close"].map((name) => `sum(round(${name}, 2))::varchar as ${name}`),
].join(", ");

/** Sums of a publisher's file; its columns in the order time, open, high, low, close and, if present, volume. */
const sumsOfFile = async (path: string, hasVolume: boolean, where = "true"): Promise<unknown> => {
  const columns = `{begins: 'timestamp', open: 'decimal(18,6)', high: 'decimal(18,6)', low: 'decimal(18,6)', close: 'decimal(18,6)'${hasVolume ? ", volume: 'decimal(38,9)'" : ""}}`;
  return askDuckDb(
    `select ${FIGURES}${hasVolume ? ", sum(volume)::varchar as volume" : ""} from read_csv('${path}', header = true, columns = ${columns}) where ${where}`,
  );
};

describe.skipIf(!isHere).each(testEngines)(
  "real bars on $name",
  { meta: { needs: "no ../shared/data beside the repository" } },
  (engine) => {
    let store: Store;
    let archives: string;
    beforeAll(async () => {
      store = await engine.open();
      archives = await mkdtemp(join(tmpdir(), "assay-real-"));
      await claimFence(store, WRITER.token, WRITER.holder);
      const zone = zoneNamed("UTC");
      const clock = fakeClock(NOW_MS);
      // Futures keep the volume, so the broker's minutes and hours are imported there.
      await tryImport(store, [`${folder}bars-mt5/XAUUSD_M1.csv.gz`], { symbol: "GC", zone, isAggregating: false }, { clock });
      await tryImport(
        store,
        [`${folder}bars-mt5/XAUUSD_H1.csv.gz`],
        { symbol: "GC", interval: "1h", zone, isAggregating: false },
        { clock },
      );
      await tryImport(
        store,
        [`${folder}bars-daily/xauusd_d_2000_20260204.csv`],
        { symbol: "XAU-USD-SPOT", interval: "1d" },
        { clock },
      );
      const place = openArchives({ kind: "file", directory: archives });
      const { signal } = new AbortController();
      for (const due of dueArchives(await readSeriesSources(store), await readArchives(store), NOW_MS)) {
        await buildArchive(due, { store, archives: place, writer: WRITER, clock, signal, mayWrite: () => true });
      }
    });
    afterAll(async () => {
      await store?.close();
      if (archives) await rm(archives, { recursive: true, force: true });
    });

    const sumsOfArchives = (symbol: string, interval: Interval, hasVolume: boolean): Promise<unknown> =>
      askDuckDb(
        `select ${FIGURES}${hasVolume ? ", sum(volume)::varchar as volume" : ""} from read_parquet('${archives}/${symbol}/${interval}/*.parquet')`,
      );

    test("of MetaTrader match the sums of its files, minutes and hours, volume included", async () => {
      expect(await sumsOfArchives("GC", "1m", true)).toEqual(await sumsOfFile(`${folder}bars-mt5/XAUUSD_M1.csv.gz`, true));
      expect(await sumsOfArchives("GC", "1h", true)).toEqual(await sumsOfFile(`${folder}bars-mt5/XAUUSD_H1.csv.gz`, true));
    });

    test("of days since 2000 match the sums of their file, year by year and in all", async () => {
      const path = `${folder}bars-daily/xauusd_d_2000_20260204.csv`;
      expect(await sumsOfArchives("XAU-USD-SPOT", "1d", false)).toEqual(await sumsOfFile(path, false));
      for (const year of [2000, 2008, 2020, 2026]) {
        const archive = await askDuckDb(`select ${FIGURES} from '${archives}/XAU-USD-SPOT/1d/${year}.parquet'`);
        expect(archive, String(year)).toEqual(await sumsOfFile(path, false, `year(begins) = ${year}`));
      }
    });

    test("are the same in CSV", async () => {
      const csv = await askDuckDb(
        `select ${FIGURES} from read_csv('${archives}/GC/1m/*.csv', header = true, columns = {bar_start: 'timestamptz', open: 'decimal(18,6)', high: 'decimal(18,6)', low: 'decimal(18,6)', close: 'decimal(18,6)', volume: 'decimal(38,9)', is_closed: 'boolean'})`,
      );
      expect(csv).toEqual(await sumsOfArchives("GC", "1m", false));
    });
  },
);
