/**
 * Daily series against a year of published figures: daily gold, where a folder of them is beside the repository, and the European
 * Central Bank's rates. Every expected figure is a quotient of whole numbers, made without the service's arithmetic.
 */
import { existsSync, readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { type AssayContract, DAY_MS, type OutputOf } from "@assay/contract";
import { upsertBars, writeMoment } from "@assay/db";
import { fakeClock, makeBar, makeRates } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Page = OutputOf<AssayContract["series"]["list"]>;

const WRITER = { token: 1, holder: "one" };
const RATES = new URL("../../../../packages/testkit/data/ecb/eurofxref-hist_20260413.zip", import.meta.url);
const GOLD = new URL("../../../../../shared/data/bars-daily/xauusd_d_2000_20260204.csv", import.meta.url);
/** After the last day of the gold file, so that every day of it is settled. */
const NOW_MS = Date.parse("2026-02-06T12:00:00Z");
/** A leap year, with the days around it; and the weeks in which the lev left the bank's table. */
const WINDOWS = [
  ["2023-12-20", "2025-01-10"],
  ["2025-12-15", "2026-01-31"],
] as const;
const CURRENCIES = ["EUR", "INR", "JPY", "BGN", "USD"] as const;

const isWanted = (day: string): boolean => WINDOWS.some(([from, to]) => day >= from && day <= to);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Units per euro by day, as published. */
const readRates = (): Map<string, Record<string, string>> => {
  // A deflated file after a local header of 30 bytes, its name and its extra field.
  const zip = readFileSync(RATES);
  const text = inflateRawSync(zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28))).toString("utf8");
  const [header = "", ...lines] = text.trim().split(/\r?\n/);
  const codes = header.split(",").slice(1);
  return new Map(
    lines.map((line) => {
      const [day = "", ...figures] = line.split(",");
      const known = codes.flatMap((code, place): [string, string][] => {
        const figure = figures[place];
        return code && figure && figure !== "N/A" ? [[code, figure]] : [];
      });
      return [day, Object.fromEntries(known)];
    }),
  );
};

/** Closes by day: published ones, or one for each weekday. */
const readGold = (): Map<string, string> => {
  if (existsSync(GOLD)) {
    const [, ...lines] = readFileSync(GOLD, "utf8").trim().split(/\r?\n/);
    return new Map(lines.map((line): [string, string] => [line.slice(0, 10), line.split(",")[4] ?? ""]));
  }
  console.warn("no daily gold in ../shared/data beside the repository: closes are made up");
  const days = WINDOWS.flatMap(([from, to]) =>
    Array.from({ length: (startOf(to) - startOf(from)) / DAY_MS + 1 }, (_, count) => startOf(from) + count * DAY_MS),
  ).filter((dayMs) => ![0, 6].includes(new Date(dayMs).getUTCDay()));
  return new Map(
    days.map((dayMs, place): [string, string] => [
      new Date(dayMs).toISOString().slice(0, 10),
      (2_050 + place * 2.37 + (place % 7)).toFixed(2),
    ]),
  );
};

const rates = readRates();
const gold = readGold();

type Quotient = readonly [bigint, bigint];
const quotient = (text: string): Quotient => {
  const [whole = "", decimals = ""] = text.split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};
const times = (...factors: readonly Quotient[]): Quotient =>
  factors.reduce(([a, b], [c, d]) => [a * c, b * d] as const, [1n, 1n] as const);
const inverse = ([a, b]: Quotient): Quotient => [b, a];

/** With 2 decimals from 100 up, 4 from 1, otherwise 6, rounded half up. */
const shown = ([above, below]: Quotient): string => {
  const decimals = above >= 100n * below ? 2 : above >= below ? 4 : 6;
  const units = (2n * above * 10n ** BigInt(decimals) + below) / (2n * below);
  const digits = units.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** The newest day on or before another, at most seven days back, whose table has the currency. */
const publishedFor = (day: string, currency: string): string | undefined =>
  Array.from({ length: 8 }, (_, back) => new Date(startOf(day) - back * DAY_MS).toISOString().slice(0, 10)).find((each) =>
    currency === "EUR" || rates.get(each)?.[currency] !== undefined ? rates.has(each) : false,
  );

/** A close with every digit it has, and two decimals at least. */
const exactly = (close: string): string => {
  const [whole = "", decimals = ""] = close.split(".");
  return `${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
};

interface Expected {
  readonly date: string;
  readonly price: string;
  readonly usd_close: string;
  readonly fx_date: string;
}

/** The points of a window, newest first, of gold per gram. */
const expectedPoints = (currency: string, from: string, to: string, purity: Quotient = [1n, 1n]): Expected[] =>
  [...gold]
    .filter(([day]) => day >= from && day <= to)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .flatMap(([date, close]) => {
      const anchor = currency === "BGN" ? "EUR" : currency;
      const fxDay = currency === "USD" ? date : publishedFor(date, anchor);
      if (fxDay === undefined) return [];
      const table = rates.get(fxDay) ?? {};
      const perUsd: Quotient =
        currency === "USD"
          ? [1n, 1n]
          : times(quotient(anchor === "EUR" ? "1" : (table[anchor] ?? "")), inverse(quotient(table["USD"] ?? "")));
      const peg: Quotient = currency === "BGN" ? quotient("1.95583") : [1n, 1n];
      const price = shown(times(quotient(close), perUsd, peg, inverse(quotient("31.1034768")), purity));
      return [{ date, price, usd_close: exactly(close), fx_date: fxDay }];
    });

let app: TestApp;
let pro = "";
beforeAll(async () => {
  app = await startTestApp({
    clock: fakeClock(NOW_MS),
    before: async (store) => {
      const bars = [...gold]
        .filter(([day]) => isWanted(day))
        .map(([day, close]) =>
          makeBar({ interval: "1d", barStartMs: startOf(day), open: null, high: null, low: null, close, isClosed: true }),
        );
      await upsertBars(store, bars);
      const fx = [...rates]
        .filter(([day]) => isWanted(new Date(startOf(day) + 7 * DAY_MS).toISOString().slice(0, 10)) || isWanted(day))
        .map(([day, table]) =>
          makeRates({
            source: "ecb",
            role: "reference",
            base: "EUR",
            rates: table,
            observedAtMs: startOf(day),
            freshForMs: 5 * DAY_MS,
          }),
        );
      await writeMoment(store, WRITER, { ticks: [], bars: [], fx });
    },
  });
  pro = (await app.key("pro")).key;
}, 120_000);
afterAll(() => app?.close());

const ask = async (currency: string, from: string, to: string, more = ""): Promise<Page> => {
  const path = `/v1/series?symbol=XAU/${currency}&unit=gram&from=${from}&to=${to}&limit=10000${more}`;
  const { status, json, text } = await app.ask<Page>(path, { key: pro });
  expect(status, text).toBe(200);
  return json;
};

const withoutRate = ({ points }: Page): Expected[] => points.map(({ fx_rate: _, ...point }) => point);

describe.each(CURRENCIES)("gold per gram in %s", (currency) => {
  test("is exact to the digit on every day of a leap year, and of the turn of 2026", async () => {
    let compared = 0;
    for (const [from, to] of WINDOWS) {
      const page = await ask(currency, from, to);
      const expected = expectedPoints(currency, from, to);
      expect(withoutRate(page)).toEqual(expected);
      expect(page.meta.count).toBe(expected.length);
      compared += expected.length;
    }
    console.info(`series: ${compared} points of gold per gram in ${currency} agree to the digit`);
    expect(compared).toBeGreaterThan(290);
  });

  test("of 22 karat and of fineness 916 differ, and each is exact", async () => {
    const [from, to] = ["2024-02-01", "2024-04-30"];
    const karat = await ask(currency, from, to, "&karat=22");
    const fineness = await ask(currency, from, to, "&fineness=916");
    expect([karat.fineness, fineness.fineness]).toEqual(["916.667", "916"]);
    expect(withoutRate(karat)).toEqual(expectedPoints(currency, from, to, [22n, 24n]));
    expect(withoutRate(fineness)).toEqual(expectedPoints(currency, from, to, [916n, 1_000n]));
  });
});

describe("days without a table", () => {
  test("have the rate of the last day that has one: the leap day its own, holidays that of the day before", async () => {
    const dates = new Map((await ask("INR", "2023-12-20", "2025-01-10")).points.map(({ date, fx_date }) => [date, fx_date]));
    expect(dates.get("2024-02-29")).toBe("2024-02-29");
    // Good Friday and Easter Monday, the first of May, Christmas, and the new year.
    const holidays = ["2024-03-29", "2024-04-01", "2024-05-01", "2024-12-25", "2024-12-26", "2025-01-01"];
    const served = { "2024-03-29": "2024-03-28", "2024-04-01": "2024-03-28", "2024-05-01": "2024-04-30" } as const;
    for (const [day, published] of Object.entries({ ...served, "2024-12-25": "2024-12-24", "2024-12-26": "2024-12-24" }))
      if (gold.has(day)) expect(dates.get(day), day).toBe(published);
    for (const day of holidays) expect(rates.has(day), day).toBe(false);
  });

  test("of the lev, which the bank no longer publishes in 2026, have its peg to the euro", async () => {
    expect([rates.get("2025-12-31")?.["BGN"], rates.get("2026-01-02")?.["BGN"]]).toEqual(["1.9558", undefined]);
    const [lev, euro] = [await ask("BGN", "2026-01-02", "2026-01-31"), await ask("EUR", "2026-01-02", "2026-01-31")];
    expect(lev.points.length).toBeGreaterThan(15);
    expect(lev.points.map(({ fx_date }) => fx_date)).toEqual(euro.points.map(({ fx_date }) => fx_date));
  });

  test("make no point once the last rate is more than seven days old", async () => {
    const { points } = await ask("JPY", "2023-12-20", "2025-01-10");
    for (const { date, fx_date: published } of points) expect(startOf(date) - startOf(published)).toBeLessThanOrEqual(7 * DAY_MS);
  });
});
