/** A broker's minutes, imported, add up to the broker's own coarser bars. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { INTERVAL_MS, type Interval } from "@assay/contract";
import type { Store } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { type BarRow, compareDecimalText } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recogniseLayout } from "./layout.ts";
import { readFileBars } from "./read-bars.ts";
import { headOf, inspectFile } from "./source-file.ts";
import { NOW_MS, seriesOf, tryImport, zoneNamed } from "./testing/trial.ts";

const folder = fileURLToPath(new URL("../../../../../shared/data/bars-mt5/", import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.info("skipped: a broker's own bars are not here (../shared/data/bars-mt5)");

const published = async (name: string, interval: Interval): Promise<ReadonlyMap<number, BarRow>> => {
  const file = await inspectFile(`${folder}${name}`);
  const layout = recogniseLayout(name, await headOf(file), { isZoneNamed: false });
  const bars = new Map<number, BarRow>();
  const source = { file, layout, interval, symbol: "GC", zone: zoneNamed("UTC"), nowMs: NOW_MS } as const;
  for await (const batch of readFileBars(source)) for (const { bar } of batch) bars.set(bar.barStartMs, bar);
  return bars;
};

const isSame = (a: BarRow, b: BarRow): boolean =>
  (["open", "high", "low", "close", "volume"] as const).every(
    (figure) => compareDecimalText(a[figure] ?? "-1", b[figure] ?? "-1") === 0,
  );

describe.skipIf(!isHere).each(testEngines)(
  "a broker's bars on $name",
  { meta: { needs: "no ../shared/data beside the repository" } },
  (engine) => {
    // Futures, because they keep the volume; a store per file, because both are gold's.
    let minutes: Store;
    let hours: Store;
    beforeAll(async () => {
      [minutes, hours] = [await engine.open(), await engine.open()];
      await tryImport(minutes, [`${folder}XAUUSD_M1.csv.gz`]);
      await tryImport(hours, [`${folder}XAUUSD_H1.csv.gz`], { interval: "1h" });
    });
    afterAll(() => Promise.all([minutes.close(), hours.close()]));

    /** Complete imported bars, with the published ones. */
    const compare = async (store: Store, fine: Interval, coarse: Interval, name: string) => {
      const rows = await seriesOf(store, "GC", fine);
      const fromMs = rows[0]?.barStartMs ?? 0;
      const untilMs = (rows.at(-1)?.barStartMs ?? 0) + INTERVAL_MS[fine];
      const theirs = await published(name, coarse);
      const whole = (await seriesOf(store, "GC", coarse)).filter(
        ({ barStartMs }) => barStartMs >= fromMs && barStartMs + INTERVAL_MS[coarse] <= untilMs,
      );
      const differing = whole.filter((bar) => {
        const their = theirs.get(bar.barStartMs);
        return !their || !isSame(bar, their);
      });
      return { rows: rows.length, whole: whole.length, differing };
    };

    it.each([
      ["1m", "5m", "XAUUSD_M5.csv.gz", 20_000, 4_000],
      ["1m", "1h", "XAUUSD_H1.csv.gz", 20_000, 333],
      ["1m", "1d", "XAUUSD_D1.csv", 20_000, 13],
      ["1h", "1d", "XAUUSD_D1.csv", 20_000, 872],
    ] as const)("at %s aggregate to all published ones at %s (%s), to the digit and volume included", async (...row) => {
      const [fine, coarse, name, rows, whole] = row;
      expect(await compare(fine === "1m" ? minutes : hours, fine, coarse, name)).toEqual({ rows, whole, differing: [] });
    });

    it("are exactly the rows of the file", async () => {
      const theirs = [...(await published("XAUUSD_M1.csv.gz", "1m")).values()];
      const ours = await seriesOf(minutes, "GC", "1m");
      expect(
        ours.filter((bar, index) => !theirs[index] || !isSame(bar, theirs[index]) || bar.barStartMs !== theirs[index].barStartMs),
      ).toEqual([]);
    });
  },
);
