/** The European Central Bank's documents: valid, broken and captured. */
import { type CURRENCIES, DAY_MS, MINUTE_MS, CURRENCIES as QUOTE_CURRENCIES } from "@assay/contract";
import { dec, divideExact, EMPTY_FX, type FxObservation, fxRate, toDecimal, validateFx, withFx } from "@assay/pricing";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { captured, capturedBytes, fixture, HTML_PAGE, NOW_MS, prepared } from "../testing/samples.ts";
import { ecb, ecbDelayMs, parseEcbCsv, parseEcbDaily, parseEcbHistory, parseEcbRecent } from "./ecb.ts";

const DAILY = fixture("ecb-daily.xml");
const RECENT = fixture("ecb-hist-90d.xml");
const CSV = fixture("ecb-hist.csv");
const zip = (name: string, text: string) => zipSync({ [name]: strToU8(text) });
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe("ecb daily", () => {
  it("keeps the published rates and is dated by the document", async () => {
    const context = prepared({ "/stats/eurofxref/eurofxref-daily.xml": DAILY });
    expect(await ecb.fetch(context)).toEqual([
      {
        kind: "fx",
        source: "ecb",
        role: "reference",
        base: "EUR",
        rates: { USD: "1.1628", JPY: "175.70", GBP: "0.87150", IDR: "18880.05" },
        observedAtMs: day("2026-11-19"),
        freshForMs: 135 * 3_600_000,
      },
    ]);
  });

  it("is fresh from the Thursday before Easter until the Tuesday after it at four in Frankfurt, and no day longer", () => {
    const maundyThursday = parseEcbDaily(DAILY.replace("2026-11-19", "2026-04-02"));
    const untilMs = maundyThursday.observedAtMs + maundyThursday.freshForMs;
    expect(untilMs).toBeGreaterThanOrEqual(Date.parse("2026-04-07T16:00:00+02:00"));
    expect(untilMs).toBeLessThan(day("2026-04-08"));
  });

  it("reads the same whatever the quoting, order and place of attributes", () => {
    const quoted = DAILY.replaceAll("'", '"');
    const turned = DAILY.replace(/currency='([A-Z]+)' rate='([0-9.]+)'/g, "rate=\"$2\"\n currency='$1' multiplier='1'");
    expect(parseEcbDaily(quoted)).toEqual(parseEcbDaily(DAILY));
    expect(parseEcbDaily(turned)).toEqual(parseEcbDaily(DAILY));
  });

  it.each([
    ["HTML", HTML_PAGE, /document type/],
    ["other XML", "<rss><channel/></rss>", /Envelope/],
    ["JSON", "{}", /XML|Envelope/],
    ["a name that would poison objects", "<__proto__><Cube/></__proto__>", /not supported XML/],
    ["endless nesting", `${"<a>".repeat(5000)}${"</a>".repeat(5000)}`, /not supported XML/],
    ["a cut document", DAILY.slice(0, 500), /not well-formed/],
    ["an empty set", DAILY.replace(/<Cube time=[\s\S]*?<\/Cube>\n\t<\/Cube>/, "</Cube>"), /Cube/],
    ["a rate that is no number", DAILY.replace("175.70", "n/a"), /rate: must be a positive figure/],
    ["a rate of zero", DAILY.replace("175.70", "0.00"), /rate: must be a positive figure/],
    ["an absurd rate", DAILY.replace("175.70", "175.70e300"), /rate: must be a positive figure/],
    ["a missing rate", DAILY.replace(" rate='175.70'", ""), /rate/],
    ["a missing currency", DAILY.replace("currency='JPY' ", ""), /currency/],
    ["a missing date", DAILY.replace(" time='2026-11-19'", ""), /time/],
    ["a day that does not exist", DAILY.replace("2026-11-19", "2026-02-30"), /time: must be a date/],
    ["a set without the dollar", DAILY.replace("'USD'", "'XXX'"), /USD is missing/],
    ["a currency given twice", DAILY.replace("'JPY'", "'USD'"), /duplicate/],
    ["a document type", DAILY.replace("<gesmes:Env", '<!DOCTYPE a [<!ENTITY x "1">]><gesmes:Env'), /document type/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseEcbDaily(body)).toThrow(message);
  });
});

describe("ecb backfill", () => {
  it("takes the 90-day document for recent days, oldest first and within the range", async () => {
    const context = prepared({ "/stats/eurofxref/eurofxref-hist-90d.xml": RECENT });
    const all = await ecb.backfill?.(context, { fromMs: NOW_MS - 30 * 86_400_000, toMs: NOW_MS });
    expect(all?.map((each) => each.observedAtMs)).toEqual([day("2026-11-18"), day("2026-11-19")]);
    const some = await ecb.backfill?.(context, { fromMs: day("2026-11-19"), toMs: NOW_MS });
    expect(some?.map((each) => each.observedAtMs)).toEqual([day("2026-11-19")]);
  });

  it("uses the full history for older days and leaves out currencies a day has no rate for", async () => {
    const context = prepared({ "/stats/eurofxref/eurofxref-hist.zip": zip("eurofxref-hist.csv", CSV) });
    const found = await ecb.backfill?.(context, { fromMs: day("2008-01-01"), toMs: day("2025-12-31") });
    expect(found?.map((each) => each.kind === "fx" && [each.observedAtMs, each.rates])).toEqual([
      [day("2009-01-02"), { USD: "1.3866", JPY: "126.64", BGN: "1.9558" }],
      [day("2025-12-31"), { USD: "1.175", JPY: "184.09", BGN: "1.9558", ISK: "147.4" }],
    ]);
  });

  it("reads the CSV with blanks after commas, without trailing commas, and with CRLF", () => {
    const spaced = CSV.replaceAll(",\n", "\r\n").replaceAll(",", ", ");
    expect(parseEcbCsv(spaced)).toEqual(parseEcbCsv(CSV));
  });

  it.each([
    ["HTML", HTML_PAGE, /line 1/],
    ["an empty file", "", /line 1/],
    ["a head alone", "Date,USD,\n", /no day/],
    ["a row that is short", CSV.replace("2026-11-19,1.1628,", "2026-11-19,"), /line 2: must have 4 rates/],
    ["a rate that is no number", CSV.replace("184.09", "184,09"), /line 3/],
    ["an absurd rate", CSV.replace("184.09", "-184.09"), /line 3: JPY/],
    ["a day that does not exist", CSV.replace("2009-01-02", "2009-13-02"), /line 4: must begin with a date/],
    ["a day that appears twice", CSV.replace("2025-12-31", "2026-11-19"), /duplicate/],
    ["a day without the dollar", CSV.replace("1.1628", "N/A"), /USD is missing/],
  ])("refuses %s as a history", (_what, text, message) => {
    expect(() => parseEcbCsv(text)).toThrow(message);
  });

  it("refuses an archive that is invalid, holds no CSV, or two", () => {
    expect(() => parseEcbHistory(strToU8("PK not really"))).toThrow(/not a ZIP archive/);
    expect(() => parseEcbHistory(zip("readme.txt", CSV))).toThrow(/exactly one/);
    expect(() => parseEcbHistory(zipSync({ "a.csv": strToU8(CSV), "b.csv": strToU8(CSV) }))).toThrow(/exactly one/);
  });

  it("refuses an archive that unpacks to more than 32 MiB", () => {
    expect(() => parseEcbHistory(zipSync({ "a.csv": new Uint8Array(33 * 1024 * 1024) }))).toThrow(/unpacks to more/);
  });
});

describe("ecb as captured", () => {
  it("reads daily documents of any year, and the 90-day document", (test) => {
    const daily = captured("ecb/eurofxref-daily_xpt-nl.xml");
    const older = captured("ecb/eurofxref-daily_dohliam.xml");
    const recent = captured("ecb/eurofxref-hist-90d_bensums.xml");
    const samples = ["ecb_eurofxref_daily.xml", "ecb_eurofxref_hist_90d.xml"].map((name) => captured(`payloads/${name}`));
    if (!daily || !older || !recent || !samples[0] || !samples[1]) return test.skip("no ../shared/data beside the repository");
    expect(parseEcbDaily(daily)).toMatchObject({ observedAtMs: day("2025-05-09"), rates: { GBP: "0.84770", RON: "5.1181" } });
    expect(parseEcbDaily(older)).toMatchObject({ observedAtMs: day("2017-03-08"), rates: { HRK: "7.4213", HUF: "310.70" } });
    expect(parseEcbDaily(samples[0])).toMatchObject({ observedAtMs: day("2026-07-09"), rates: { GBP: "0.85363" } });
    expect(parseEcbRecent(samples[1]).map((each) => each.observedAtMs)).toEqual(
      ["2026-08-20", "2026-08-21", "2026-08-24"].map(day),
    );
    const days = parseEcbRecent(recent);
    expect(days.length).toBeGreaterThan(60);
    expect(days.at(-1)).toMatchObject({ observedAtMs: day("2013-01-24"), rates: { USD: "1.3349", LVL: "0.6985" } });
  });

  it("reads every day since 1999, and a cross times its reverse is one within one unit of the last place", (test) => {
    const archive = capturedBytes("ecb/eurofxref-hist_20260413.zip");
    if (archive === null) return test.skip("no ../shared/data beside the repository");
    const days = parseEcbHistory(archive);
    expect(days).toHaveLength(6983);
    expect(days[0]).toMatchObject({ observedAtMs: day("1999-01-04"), rates: { USD: "1.1789" } });
    expect(days.at(-1)).toMatchObject({ observedAtMs: day("2026-04-13"), rates: { USD: "1.1684" } });
    const seen = new Set<string>();
    for (const [index, table] of days.entries()) for (const pair of pairsOfDay(index)) checkReciprocal(table, pair, seen);
    expect(seen.size).toBe((31 * 30) / 2);
  });

  it("as the reference of a day refuses nothing of the next day's rates except the few real breaks since 2010", (test) => {
    const archive = capturedBytes("ecb/eurofxref-hist_20260413.zip");
    if (archive === null) return test.skip("no ../shared/data beside the repository");
    const days = parseEcbHistory(archive).filter(({ observedAtMs }) => observedAtMs >= day("2010-01-01"));
    const refused = days.slice(1).flatMap((next, index) => {
      const today = new Date(next.observedAtMs).toISOString().slice(0, 10);
      if (!IS_DEEP && index % 8 !== 0 && !BREAKS.some((known) => known.startsWith(today))) return [];
      const known = days.slice(index, index + 1).reduce(withFx, EMPTY_FX);
      const verdict = validateFx({ ...next, source: "live", role: "live" }, next.observedAtMs, known);
      if (!verdict.ok) return [verdict.rule];
      const named = verdict.refused.filter(({ currency }) => QUOTE_CURRENCIES.some((code) => code === currency));
      return named.map(({ currency }) => `${today} ${currency}`);
    });
    expect(refused).toEqual(BREAKS);
  });
});

/** The long run checks every day and more pairs per day. */
const IS_DEEP = process.env.TEST_DEPTH === "deep";

/** The franc's euro peg ended, and five days of the lira: each is off the reference rate for a day at most. */
const BREAKS = ["2015-01-15 CHF", "2018-08-10 TRY", "2018-08-13 TRY", "2021-11-23 TRY", "2021-12-21 TRY", "2021-12-23 TRY"];

type Pair = readonly [(typeof CURRENCIES)[number], (typeof CURRENCIES)[number]];
const PAIRS: readonly Pair[] = QUOTE_CURRENCIES.flatMap((from, index) =>
  QUOTE_CURRENCIES.slice(index + 1).map((to) => [from, to] as const),
);

/** Every pair every few months, and in the long run every few weeks: all pairs on all days would take minutes. */
const PAIRS_IN = IS_DEEP ? 15 : 155;
const pairsOfDay = (index: number): readonly Pair[] => PAIRS.filter((_, place) => place % PAIRS_IN === index % PAIRS_IN);

const checkReciprocal = (table: FxObservation, [from, to]: Pair, seen: Set<string>): void => {
  const fx = { live: [], reference: [table] };
  const [fromRate, toRate] = [from, to].map((currency) => fxRate(fx, currency, table.observedAtMs + DAY_MS));
  if (!fromRate || !toRate) {
    // Only because the bank published no rate of it that day.
    expect([from, to].some((currency) => currency !== "EUR" && table.rates[currency] === undefined)).toBe(true);
    return;
  }
  seen.add(`${from}${to}`);
  // Both are rounded to 40 digits, so that each is off by at most half a unit in its last place.
  const [there, back] = [toDecimal(divideExact(toRate, fromRate)), toDecimal(divideExact(fromRate, toRate))];
  const off = there.times(back).minus(1).abs();
  if (off.gt(dec("1e-38")))
    expect.fail(`${from}/${to}: off by ${off.toString()} on ${new Date(table.observedAtMs).toISOString()}`);
};

const minutes = (at: string) => ecbDelayMs(Date.parse(at)) / MINUTE_MS;

describe("ecb schedule", () => {
  it.each([
    ["winter, the window opens", "2026-11-20T15:55:00+01:00", 15],
    ["winter, in the window", "2026-11-20T16:59:59+01:00", 15],
    ["winter, after it", "2026-11-19T17:00:00+01:00", 360],
    ["summer, in the window", "2026-07-09T16:00:00+02:00", 15],
    ["summer, an hour before it", "2026-07-09T14:55:00+02:00", 60],
    ["the morning", "2026-11-20T08:00:00+01:00", 360],
    ["Friday evening", "2026-11-20T17:30:00+01:00", 360],
    ["Saturday in what would be the window", "2026-11-21T16:00:00+01:00", 360],
    ["Sunday night", "2026-11-22T23:00:00+01:00", 360],
    ["Monday before the window", "2026-11-23T12:00:00+01:00", 235],
  ])("waits correctly: %s", (_what, at, expected) => {
    expect(minutes(at)).toBe(expected);
  });

  it("is in the window soon after four on every weekday of a year, however the clocks change", () => {
    const days = new Set<string>();
    const end = Date.parse("2027-01-01T00:00:00Z");
    for (let atMs = Date.parse("2026-01-01T00:00:00Z"); atMs < end; atMs += ecbDelayMs(atMs)) {
      const local = new Date(atMs).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" });
      const [day = "", time = ""] = local.split(" ");
      const isWeekday = ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
      if (isWeekday && time >= "16:00:00" && time <= "16:15:00") days.add(day);
    }
    expect(days.size).toBe(261);
  });
});
