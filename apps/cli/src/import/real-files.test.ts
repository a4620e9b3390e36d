/** Real files of publishers, unmodified; a broker's minutes, imported, add up to its own longer bars. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { INTERVAL_MS, type Interval } from "@assay/contract";
import type { Store } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { type BarRow, compareDecimalText } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFile } from "./check/check-file.ts";
import { recogniseLayout } from "./read/layout.ts";
import { readFileBars } from "./read/read-bars.ts";
import { headOf, inspectFile } from "./read/source-file.ts";
import { type ImportRequest, planImport } from "./run-import.ts";
import { NOW_MS, openScratch, refusalOf, seriesOf, tryImport, zoneNamed } from "./testing/trial.ts";

const folder = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));
const isHere = existsSync(`${folder}bars-mt5`) && existsSync(`${folder}bars-daily`);
if (!isHere) console.info("skipped: real files are not here (../shared/data)");

/** A broker's minutes, and its own bars of longer intervals. */
const BROKER = `${folder}bars-mt5/`;

const scratch = openScratch();
afterAll(() => scratch.remove());

const DAILY = `${folder}bars-daily/xauusd_d_2000_20260204.csv`;
const check = async (path: string, interval: Interval, change: Partial<ImportRequest> = {}) => {
  const request = {
    symbol: "XAU-USD-SPOT",
    interval,
    files: [path],
    isAggregating: true,
    isForced: false,
    ...change,
  } as const;
  const [source] = await planImport(request, NOW_MS + 86_400_000 * 60);
  if (!source) throw new Error("no source");
  return checkFile(source);
};
const zone = zoneNamed("Europe/Athens");

describe.skipIf(!isHere)("a real file", { meta: { needs: "no ../shared/data beside the repository" } }, () => {
  it.each([
    ["XAUUSD_M1.csv.gz", "1m"],
    ["XAUUSD_M5.csv.gz", "5m"],
    ["XAUUSD_H1.csv.gz", "1h"],
  ] as const)(
    "of a broker, %s, asks for its zone, and lies within the market's hours in the usual one",
    async (name, interval) => {
      expect(await refusalOf(check(`${BROKER}${name}`, interval))).toContain("pass --timezone: America/New_York+07:00");
      const { rows, continuity } = await check(`${BROKER}${name}`, interval, { zone });
      expect(rows).toBe(20_000);
      // The broker kept one hour after a close, and quoted on, thinly, after the early closes of 2022.
      expect(continuity.closedHourBars).toBeLessThanOrEqual(9);
      const shifted = await check(`${BROKER}${name}`, interval, { zone: zoneNamed("UTC") });
      expect(shifted.continuity.closedHourBars).toBeGreaterThan(rows / 100);
    },
  );

  it("of a broker's days, and of a publisher's, needs no zone", async () => {
    expect((await check(`${BROKER}XAUUSD_D1.csv`, "1d")).rows).toBeGreaterThan(5_000);
    expect((await check(DAILY, "1d")).rows).toBeGreaterThan(6_000);
  });

  it("of gold is refused in silver, times a hundred, and as weeks given for days", async () => {
    const [header = "", ...rows] = readFileSync(DAILY, "utf8").trim().split(/\r?\n/);
    expect(await refusalOf(check(DAILY, "1d", { symbol: "XAG-USD-SPOT" }))).toContain("the price check failed");
    const cents = rows.map((row) => row.replace(/,([\d.]+)/g, (_, price: string) => `,${(Number(price) * 100).toFixed(0)}`));
    const hundredfold = scratch.write("cents.csv", [header, ...cents].join("\n"));
    expect(await refusalOf(check(hundredfold, "1d"))).toContain("the price check failed");
    expect((await check(hundredfold, "1d", { scale: "0.01" })).rows).toBe(rows.length);
    const weekly = scratch.write(
      "weeks.csv",
      [header, ...rows.filter((row) => new Date(row.slice(0, 10)).getUTCDay() === 3)].join("\n"),
    );
    expect(await refusalOf(check(weekly, "1d"))).toContain("the spacing check failed: most of its");
  });
});

const published = async (name: string, interval: Interval): Promise<ReadonlyMap<number, BarRow>> => {
  const file = await inspectFile(`${BROKER}${name}`);
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
      await tryImport(minutes, [`${BROKER}XAUUSD_M1.csv.gz`]);
      await tryImport(hours, [`${BROKER}XAUUSD_H1.csv.gz`], { interval: "1h" });
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
