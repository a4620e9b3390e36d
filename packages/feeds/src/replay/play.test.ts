/** Options and prediction markets recorded line by line in a replay file. */
import type { Observation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { load } from "../testing/replay-files.ts";
import { replaySource } from "./play.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:00Z");

describe("a replay file", () => {
  const minute = (number: number): string => `2026-11-20T12:${String(number).padStart(2, "0")}:00Z`;
  const market = (more: object) => ({
    kind: "market",
    source: "pm",
    metal: "XAU",
    expiry: "2026-12-31",
    market_id: "m1",
    condition: "above",
    strike: "4200",
    ...{
      yes_bid: "0.29",
      yes_ask: "0.31",
      bid_size_usd: "800",
      ask_size_usd: "900",
      fee_model: "kalshi",
      observed_at: minute(0),
    },
    ...more,
  });
  const option = (more: object) => ({
    kind: "option",
    source: "opt",
    metal: "XAU",
    expiry: "2026-12-31",
    side: "call",
    strike: "4200",
    bid: "31.20",
    ask: "32.00",
    bid_size: "10",
    ask_size: "12",
    style: "european",
    observed_at: minute(0),
    ...more,
  });
  const played = async (lines: object[], cuts: number[] = [60]) => {
    const source = replaySource(await load(...lines));
    const ends = [0, ...cuts].map((at) => FRIDAY_MS - 1 + at * 60_000);
    return ends.slice(1).flatMap((toMs, index) => [...source.due(ends[index] ?? 0, toMs)]);
  };
  const marketsOf = (observations: readonly Observation[]) =>
    observations.flatMap((each) =>
      each.kind === "markets" ? each.markets.map(({ marketId, book }) => [marketId, book.bids[0]?.price]) : [],
    );

  it("gives a complete venue at each instant something of it changed: a later line replaces the market's own", async () => {
    const lines = [market({}), market({ market_id: "m2" }), market({ yes_bid: "0.30", observed_at: minute(5) })];
    for (const cuts of [[60], [3, 60], [1, 2, 5, 6, 60]]) {
      const readings = await played(lines, cuts);
      expect(readings.map(({ observations }) => marketsOf(observations))).toEqual([
        [
          ["m1", "0.29"],
          ["m2", "0.29"],
        ],
        [
          ["m1", "0.30"],
          ["m2", "0.29"],
        ],
      ]);
    }
  });

  it("gives the complete chain of a source, without a price of the metal", async () => {
    const readings = await played(
      [option({}), option({ side: "put" }), option({ bid: "31.50", observed_at: minute(5) })],
      [3, 60],
    );
    const chains = readings.flatMap(({ observations }) =>
      observations.flatMap((each) => (each.kind === "options" ? [each.chain] : [])),
    );
    expect(chains).toHaveLength(2);
    expect(chains[1]).toMatchObject({ venue: "opt", metal: "xau", style: "european", underlying: "XAU", underlyingUsd: null });
    expect(chains[1]?.expiries[0]?.quotes.map(({ right, bid }) => [right, bid])).toEqual([
      ["call", "31.50"],
      ["put", "31.20"],
    ]);
    expect(chains[1]?.retrievedAtMs).toBe(FRIDAY_MS + 5 * 60_000);
  });

  it("ignores a source after it fell silent, and its books last no longer than a stopped source's", async () => {
    const silence = { kind: "silence", source: "pm", observed_at: minute(5) };
    const readings = await played([market({}), silence, market({ yes_bid: "0.30", observed_at: minute(6) })]);
    const stands = readings.flatMap(({ observations }) =>
      observations.flatMap((each) => (each.kind === "markets" ? [each.validForMs] : [])),
    );
    expect(stands).toEqual([3_600_000, 60_000]);
    expect(readings.flatMap(({ observations }) => marketsOf(observations))).toEqual([
      ["m1", "0.29"],
      ["m1", "0.29"],
    ]);
  });

  it("reads the past once, however many periods follow each other, and again after a step back", async () => {
    const replay = await load(
      ...Array.from({ length: 9 }, (_, number) => market({ yes_bid: `0.2${number}`, observed_at: minute(number) })),
    );
    let reads = 0;
    const past = (nowMs: number) => {
      reads += 1;
      return replay.past(nowMs);
    };
    const source = replaySource({ ...replay, past });
    const from = (atMs: number) => marketsOf([...source.due(atMs, atMs + 60_000)].flatMap(({ observations }) => observations));
    const bids = [1, 2, 3, 4].map((number) => from(FRIDAY_MS - 1 + number * 60_000));
    expect(bids).toEqual(["0.21", "0.22", "0.23", "0.24"].map((bid) => [["m1", bid]]));
    expect(reads).toBe(1);
    expect(from(FRIDAY_MS - 1 + 2 * 60_000)).toEqual([["m1", "0.22"]]);
    expect(reads).toBe(2);
  });
});
