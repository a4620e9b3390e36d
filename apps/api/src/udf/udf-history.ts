/** Bars as the protocol's columns: the published digits as JSON numbers, which are written without ever being floats. */
import { type AssayContract, type Bar, INTERVAL_MS, type OutputOf, type RequestOf } from "@assay/contract";
import { type Caller, depthFloor, type FailInput } from "@assay/services";
import type { z } from "zod";
import type { historyQuery } from "./udf-query.ts";
import { RESOLUTIONS, readUdfSymbol } from "./udf-symbols.ts";

type History = z.output<typeof historyQuery>;
type BarsInput = RequestOf<AssayContract["bars"]["list"]>;
type BarsPage = OutputOf<AssayContract["bars"]["list"]>;

/** The most bars of a page of the API. */
const MAX_BARS = 10_000;

const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * The page of bars that answers a request: up to `to`, from as far back as the caller may see. So the newest bar before an empty
 * window is known as well.
 */
export const barsInput = (query: History, caller: Caller, nowMs: number, fail: FailInput): BarsInput => {
  const symbol = readUdfSymbol(query.symbol);
  if (symbol === null) {
    return fail("validation_error", { issues: [{ path: ["query", "symbol"], code: "invalid_value", message: "is unknown" }] });
  }
  const interval = RESOLUTIONS[query.resolution];
  const floorMs = Math.max(0, depthFloor(caller, interval, nowMs));
  const wanted = query.countback ?? Math.ceil(((query.to - query.from) * 1_000) / INTERVAL_MS[interval]);
  return {
    symbol,
    interval,
    from: isoOf(floorMs),
    // `to` is exclusive here and inclusive there.
    to: isoOf(Math.max(floorMs, query.to * 1_000 - 1)),
    limit: Math.min(MAX_BARS, Math.max(1, wanted)),
  };
};

const secondsOf = ({ bar_start }: Bar): number => Date.parse(bar_start) / 1_000;

/** A column of decimal texts. A JSON number may have as many digits as they have. */
const column = (name: string, figures: readonly (string | null)[]): string =>
  `"${name}":[${figures.map((figure) => figure ?? "null").join(",")}]`;

/**
 * Writes the answer.
 * @returns JSON text
 */
export const historyText = (query: History, { bars }: BarsPage): string => {
  const known = bars.filter((bar) => bar.close !== null && secondsOf(bar) < query.to);
  const inWindow = query.countback === undefined ? known.filter((bar) => secondsOf(bar) >= query.from) : known;
  if (inWindow.length === 0) {
    const [older] = known;
    return JSON.stringify({ s: "no_data", ...(older ? { nextTime: secondsOf(older) } : {}) });
  }
  const rows = inWindow.toReversed();
  const columns = [
    `"t":[${rows.map(secondsOf).join(",")}]`,
    column(
      "o",
      rows.map(({ open }) => open),
    ),
    column(
      "h",
      rows.map(({ high }) => high),
    ),
    column(
      "l",
      rows.map(({ low }) => low),
    ),
    column(
      "c",
      rows.map(({ close }) => close),
    ),
  ];
  // Spot has no volume.
  if (rows.some(({ volume }) => volume !== null)) {
    columns.push(
      column(
        "v",
        rows.map(({ volume }) => volume ?? "0"),
      ),
    );
  }
  return `{"s":"ok",${columns.join(",")}}`;
};
