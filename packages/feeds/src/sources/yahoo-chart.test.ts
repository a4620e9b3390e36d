/** Yahoo's chart: valid, broken and captured payloads. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, prepared } from "../testing/samples.ts";
import { parseChart, yahooChart } from "./yahoo-chart.ts";

/** Thursday 19th, Friday 20th and Tuesday 24th of November 2026, then a day without figures, and one in progress. */
const CHART = fixture("yahoo-chart.json.txt");
/** Tuesday evening in New York, the session over. */
const TUESDAY_MS = Date.parse("2026-11-24T22:00:00Z");
const of = (symbol: string) => CHART.replace("GCZ26.CMX", symbol);

describe("a chart", () => {
  it("is its finished sessions, with the published digits, each at its end in New York", () => {
    expect(parseChart(CHART, "GCZ26.CMX", TUESDAY_MS - 1).map(({ day, close, volume }) => [day, close, volume])).toEqual([
      ["2026-11-19", "4001.200195", 124_670],
      ["2026-11-20", "4012.5", 151_459],
      ["2026-11-23", "4025.0", 0],
    ]);
    expect(parseChart(CHART, "GCZ26.CMX", TUESDAY_MS).at(-1)).toEqual({
      day: "2026-11-24",
      endedAtMs: TUESDAY_MS,
      open: "4020.5",
      high: "4040.0",
      low: "4018.0",
      close: "4031.2",
      volume: 56_335,
    });
  });

  it("leaves out days on which the exchange does not settle", () => {
    const thanksgiving = CHART.replace("1795410000", String(Date.parse("2026-11-26T05:00:00Z") / 1_000));
    const days = parseChart(thanksgiving, "GCZ26.CMX", TUESDAY_MS + 7 * 86_400_000).map(({ day }) => day);
    expect(days).toEqual(["2026-11-19", "2026-11-20", "2026-11-24"]);
  });

  it("may be empty: a contract that has not traded yet", () => {
    const empty = `{"chart":{"result":[{"meta":{"symbol":"GCV27.CMX","currency":"USD"},"indicators":{"quote":[{}]}}],"error":null}}`;
    expect(parseChart(empty, "GCV27.CMX", TUESDAY_MS)).toEqual([]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error in its place", '{"chart":{"result":null,"error":{"code":"Not Found"}}}', /result/],
    ["another contract", of("GCG27.CMX"), /symbol: must be GCZ26\.CMX/],
    ["another currency", CHART.replace('"USD"', '"EUR"'), /currency: must be USD/],
    ["minutes", CHART.replace('"1d"', '"1m"'), /dataGranularity: must be 1d/],
    ["a price as text", CHART.replace("4012.5,4025.0", '"4012.5",4025.0'), /must be a number/],
    ["a negative price", CHART.replace("4001.200195", "-1"), /positive figure/],
    ["a column that is too short", CHART.replace("124670,", ""), /differ in length/],
    ["times without prices", CHART.replace(/\{"open".*?\}/, "{}"), /differ in length/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseChart(body, "GCZ26.CMX", TUESDAY_MS)).toThrow(message);
  });

  it("reads captured payloads", (test) => {
    const whole = captured("payloads/yahoo_chart_GCZ26.CMX.json");
    const holed = captured("payloads/yahoo_chart_GCZ26.CMX_null_bar.trimmed.json");
    if (whole === null || holed === null) return test.skip("no ../shared/data beside the repository");
    const days = parseChart(whole, "GCZ26.CMX", Date.parse("2026-08-18T20:59:59Z"));
    expect(days.map(({ day, close, volume }) => [day, close, volume])).toEqual([
      ["2026-08-14", "4380.399902", 124_670],
      ["2026-08-17", "4417.799805", 151_459],
    ]);
    expect(parseChart(holed, "GCZ26.CMX", Date.parse("2026-09-19T12:00:00Z"))).toMatchObject([
      { day: "2026-09-18", close: "4424.9", volume: null },
    ]);
  });
});

describe("the feed", () => {
  it("requests every main contract and the fund, and continues when some do not answer", async () => {
    const gold = "/v8/finance/chart/GCZ26.CMX?range=5d&interval=1d";
    const fund = "/v8/finance/chart/GLD?range=5d&interval=1d";
    const context = prepared({ [gold]: CHART, [fund]: of("GLD") }, TUESDAY_MS);
    const found = await yahooChart.fetch(context);
    expect(context.asked).toHaveLength(17);
    expect(context.asked).toContain("/v8/finance/chart/SIH27.CMX?range=5d&interval=1d");
    expect(context.partials).toHaveLength(15);
    expect(found.filter((each) => each.kind === "settlement").at(-1)).toEqual({
      kind: "settlement",
      source: "yahoo-chart",
      sourceType: "proxy_daily_close",
      symbol: "GC",
      futuresContract: "GCZ26",
      settlementDate: "2026-11-24",
      price: "4031.2",
      volume: 56_335,
      openInterest: null,
      observedAtMs: TUESDAY_MS,
    });
    expect(found.filter((each) => each.kind === "bar").map((each) => [each.symbol, each.barStartMs, each.close])).toContainEqual([
      "GLD",
      Date.parse("2026-11-20T00:00:00Z"),
      "4012.5",
    ]);
  });

  it("names itself in its own words in a browser's form", async () => {
    const context = prepared({}, TUESDAY_MS);
    await expect(yahooChart.fetch(context)).rejects.toThrow(/no answer/);
    expect(new Set(context.requests.map(({ browserLike }) => browserLike))).toEqual(new Set([true]));
  });
});
