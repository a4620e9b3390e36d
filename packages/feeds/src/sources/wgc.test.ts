/** The council's chart: valid and broken payloads, and a captured one. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../testing/samples.ts";
import { parseWgc, wgc } from "./wgc.ts";

const BODY = fixture("wgc.json.txt");
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const path = (from: string, to: string) => `/api/goldprice/v11/chart/price/usd/oz/${day(from)},${day(to)}`;

describe("wgc", () => {
  it("gives the newest point as the council's rate, with its published time", async () => {
    expect(await wgc.fetch(prepared({ [path("2026-11-06", "2026-11-21")]: BODY }))).toEqual([
      { kind: "spot", source: "wgc", instrument: "XAU-USD-SPOT", price: "4003.25", observedAtMs: day("2026-11-20") },
    ]);
    expect(wgc.info).toMatchObject({ role: "council", freshForMs: 36 * 3_600_000 });
  });

  it("gives complete days as daily bars that are their close four times over", async () => {
    const context = prepared({ [path("2026-11-17", "2026-11-21")]: BODY });
    const bars = await wgc.backfill?.(context, { fromMs: day("2026-11-17"), toMs: NOW_MS });
    expect(bars?.map((bar) => bar.kind === "bar" && [bar.barStartMs, bar.close])).toEqual([
      [day("2026-11-17"), "3990.1"],
      [day("2026-11-18"), "3995.05"],
      [day("2026-11-19"), "4001.70"],
    ]);
    expect(bars?.[2]).toMatchObject({
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      open: "4001.70",
      high: "4001.70",
      low: "4001.70",
      volume: null,
    });
  });

  it("orders points by time", () => {
    const body = '{"chartData":{"USD":[[1795132800000,4003.25],[1795046400000,4001.70]]}}';
    expect(parseWgc(body).map((point) => point.price)).toEqual(["4001.70", "4003.25"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty object", "{}", /chartData/],
    ["an empty chart", '{"chartData":{"USD":[]}}', /empty/],
    ["another currency", BODY.replace('"USD"', '"EUR"'), /chartData.USD/],
    ["a null price", BODY.replace("4001.70", "null"), /chartData.USD.2.1/],
    ["a price as text", BODY.replace("4001.70", '"4001.70"'), /must be a number/],
    ["an absurd price", BODY.replace("4001.70", "4001700000000000"), /positive figure/],
    ["a point of three", BODY.replace("4001.70]", "4001.70,1]"), /chartData.USD.2/],
    ["a day that appears twice", BODY.replace("1795046400000", "1795132800000"), /duplicate/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseWgc(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/wgc_goldprice_chart.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    expect(parseWgc(body).at(-1)).toEqual({ atMs: day("2023-09-08"), price: "1927.8" });
  });
});
