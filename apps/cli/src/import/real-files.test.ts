/** Real files of publishers, unmodified. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Interval } from "@assay/contract";
import { afterAll, describe, expect, it } from "vitest";
import { checkFile } from "./check-file.ts";
import { type ImportRequest, planImport } from "./run-import.ts";
import { openScratch } from "./testing/scratch.ts";
import { NOW_MS, refusalOf, zoneNamed } from "./testing/trial.ts";

const folder = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));
const isHere = existsSync(`${folder}bars-mt5`) && existsSync(`${folder}bars-daily`);
if (!isHere) console.info("skipped: real files are not here (../shared/data)");

const scratch = openScratch();
afterAll(() => scratch.remove());

const DAILY = `${folder}bars-daily/xauusd_d_2000_20260204.csv`;
const check = async (path: string, interval: Interval, change: Partial<ImportRequest> = {}) => {
  const request = {
    symbol: "XAU-USD-SPOT",
    interval,
    files: [path],
    isLastForming: false,
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
      expect(await refusalOf(check(`${folder}bars-mt5/${name}`, interval))).toContain("pass --timezone: America/New_York+07:00");
      const { rows, continuity } = await check(`${folder}bars-mt5/${name}`, interval, { zone });
      expect(rows).toBe(20_000);
      // In all those years the broker kept one hour after a close.
      expect(continuity.closedHourBars).toBeLessThanOrEqual(1);
      const shifted = await check(`${folder}bars-mt5/${name}`, interval, { zone: zoneNamed("UTC") });
      expect(shifted.continuity.closedHourBars).toBeGreaterThan(rows / 100);
    },
  );

  it("of a broker's days, and of a publisher's, needs no zone", async () => {
    expect((await check(`${folder}bars-mt5/XAUUSD_D1.csv`, "1d")).rows).toBeGreaterThan(5_000);
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
