/** Replay files: every kind of line, order, cursors, silence, and their sources. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BAR, DEALER, EXAMPLE, FX, folder, load, refusal, SPOT, write } from "../testing/replay-files.ts";
import { loadReplay } from "./load.ts";

const at = (text: string) => Date.parse(text);
const minute = (number: number) => `2026-11-21T01:${String(number).padStart(2, "0")}:00Z`;
const spot = (more: object = {}) => ({
  kind: "spot",
  source: "replay-a",
  instrument: "XAU-USD-SPOT",
  price: "4003.20",
  observed_at: minute(0),
  ...more,
});

describe("a replay file", () => {
  it("holds every kind, figures as they were written", async () => {
    const { records } = await loadReplay(write(EXAMPLE));
    expect(records).toEqual([
      {
        kind: "spot",
        source: "replay-a",
        instrument: "XAU-USD-SPOT",
        price: "4003.20",
        bid: "4003.00",
        ask: "4003.40",
        observedAtMs: at("2026-11-21T01:00:00Z"),
      },
      {
        kind: "fx",
        source: "replay-fx",
        role: "live",
        base: "USD",
        rates: { EUR: "0.8600" },
        observedAtMs: at("2026-11-21T01:00:01Z"),
        freshForMs: 180_000,
      },
      {
        kind: "settlement",
        sourceType: "proxy_daily_close",
        source: "replay-settle",
        symbol: "GC",
        futuresContract: "GCZ26",
        settlementDate: "2026-11-20",
        price: "4010.50",
        volume: 1200,
        openInterest: null,
        observedAtMs: at("2026-11-21T01:00:02Z"),
      },
      {
        kind: "dealer",
        source: "replay-dealer",
        country: "AE",
        dealer: "Souk One",
        product: "24K gram",
        karat: 24,
        weight: "1",
        weightUnit: "gram",
        currency: "AED",
        sell: "477.25",
        buyback: "470.50",
        observedAtMs: at("2026-11-21T01:00:03Z"),
      },
      {
        kind: "bar",
        source: "replay-bars",
        symbol: "GLD",
        interval: "1d",
        barStartMs: at("2026-11-20T00:00:00Z"),
        open: "370.10",
        high: "372.00",
        low: "369.50",
        close: "371.20",
        volume: "8123400",
        observedAtMs: at("2026-11-21T01:00:04Z"),
      },
      {
        kind: "option",
        source: "replay-options",
        metal: "XAU",
        expiry: "2026-12-31",
        side: "call",
        strike: "4200",
        bid: "31.20",
        ask: "32.00",
        bidSize: "10",
        askSize: "12",
        style: "european",
        observedAtMs: at("2026-11-21T01:00:05Z"),
      },
      {
        kind: "market",
        source: "replay-pm",
        metal: "XAU",
        expiry: "2026-12-31",
        marketId: "m1",
        condition: "above",
        strike: "4200",
        yesBid: "0.29",
        yesAsk: "0.31",
        bidSizeUsd: "800",
        askSizeUsd: "900",
        feeModel: "kalshi",
        observedAtMs: at("2026-11-21T01:00:05.500Z"),
      },
      { kind: "silence", source: "replay-a", observedAtMs: at("2026-11-21T01:00:06Z") },
    ]);
  });

  it("may have a byte order mark, CRLF, blank lines and a last line without an end", async () => {
    const { records } = await loadReplay(write(`\uFEFF\r\n${SPOT}\r\n \t\r\n${FX}`));
    expect(records.map((record) => record.kind)).toEqual(["spot", "fx"]);
  });

  it("may be empty", async () => {
    const replay = await load("");
    expect([replay.records, replay.sources.size, replay.past(Number.MAX_SAFE_INTEGER)]).toEqual([[], 0, []]);
  });

  it("takes platinum and palladium by their short names", async () => {
    const { records } = await load(BAR.replace('"GLD"', '"XPT"'), BAR.replace('"GLD"', '"XPD-USD-SPOT"'));
    expect(records).toMatchObject([{ symbol: "XPT-USD-SPOT" }, { symbol: "XPD-USD-SPOT" }]);
  });

  it("leaves implausible figures to the rules, which count what they refuse", async () => {
    const { records } = await load(spot({ price: "-1", bid: "9", ask: "8" }));
    expect(records).toMatchObject([{ price: "-1", bid: "9", ask: "8" }]);
  });
});

describe("order and cursors", () => {
  it("sorts by the instant observed and keeps the file's order among equals", async () => {
    const { records } = await load(
      spot({ price: "3", observed_at: minute(2) }),
      spot({ price: "1" }),
      spot({ price: "4", observed_at: minute(2) }),
      spot({ price: "2", observed_at: minute(1) }),
    );
    expect(records.map((record) => record.kind === "spot" && record.price)).toEqual(["1", "2", "3", "4"]);
  });

  it("knows when each source last reported, up to any instant", async () => {
    const replay = await load(
      spot({ observed_at: minute(1) }),
      spot({ source: "replay-b", observed_at: minute(2) }),
      spot({ observed_at: minute(3) }),
      JSON.stringify({ kind: "silence", source: "replay-b", observed_at: minute(4) }),
    );
    const lastOf = (source: string, at: string) => replay.lastSpokeMs(source, Date.parse(at));
    expect([0, 1, 2, 3].map((number) => lastOf("replay-a", minute(number)))).toEqual(
      [null, minute(1), minute(1), minute(3)].map((iso) => (iso === null ? null : Date.parse(iso))),
    );
    expect(lastOf("replay-b", minute(9))).toBe(Date.parse(minute(2)));
    expect(lastOf("nobody", minute(9))).toBeNull();
  });

  it("returns the past once and every later record exactly once, however the clock steps", async () => {
    const replay = await load(
      ...Array.from({ length: 40 }, (_, each) => spot({ price: String(each + 1), observed_at: minute((each * 7) % 20) })),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 30 }), (steps) => {
        let nowMs = at(minute(3));
        const seen = [...replay.past(nowMs)];
        for (const step of [...steps, 3_600_000]) {
          const due = replay.due(nowMs, nowMs + step);
          expect(due.every((record) => record.observedAtMs > nowMs && record.observedAtMs <= nowMs + step)).toBe(true);
          seen.push(...due);
          nowMs += step;
        }
        expect(seen).toEqual(replay.records);
      }),
      { numRuns: 50 },
    );
  });

  it("makes a source fall silent from then on, and only that source", async () => {
    const { records } = await load(
      spot({ price: "5", observed_at: minute(5) }),
      { kind: "silence", source: "replay-a", observed_at: minute(3) },
      spot({ price: "2", observed_at: minute(2) }),
      spot({ price: "3", observed_at: minute(3) }),
      spot({ price: "6", source: "replay-b", observed_at: minute(6) }),
    );
    expect(records.map((record) => (record.kind === "spot" ? record.price : record.kind))).toEqual(["2", "silence", "6"]);
  });
});

describe("sources", () => {
  it("are what their lines say, wherever in the file", async () => {
    const { sources } = await load(
      spot({ source: "a" }),
      spot({ source: "a", required: true, expected_interval_seconds: 60 }),
      spot({ source: "b", role: "council", expected_interval_seconds: 21_600 }),
      spot({ source: "b" }),
      spot({ source: "c", role: "informational", expected_interval_seconds: 5 }),
      { ...JSON.parse(FX), source: "d", role: "reference" },
      DEALER,
    );
    const of = (key: string) => sources.get(key);
    expect(of("a")).toEqual({
      key: "a",
      displayName: "a",
      license: "operator-licence",
      role: "primary",
      intervalMs: 60_000,
      freshForMs: 180_000,
      required: true,
      instruments: ["XAU-USD-SPOT"],
    });
    expect(of("b")).toMatchObject({ role: "council", intervalMs: 21_600_000, freshForMs: 36 * 3_600_000, required: false });
    expect(of("c")).toMatchObject({ role: "informational", intervalMs: 5_000, freshForMs: 60_000 });
    expect(of("d")).toMatchObject({ freshForMs: 5 * 86_400_000, intervalMs: 60_000 });
    expect([...sources.keys()]).toEqual(["a", "b", "c", "d", "replay-dealer"]);
  });

  it("give currency tables the freshness of their role and interval", async () => {
    const { records } = await load(
      { ...JSON.parse(FX), role: "reference" },
      { ...JSON.parse(FX), source: "slow", expected_interval_seconds: 600 },
    );
    expect(records.map((record) => record.kind === "fx" && record.freshForMs)).toEqual([5 * 86_400_000, 1_800_000]);
  });

  it("have one role", async () => {
    const error = await refusal(load(spot({ role: "council" }), spot({ role: "primary" })));
    expect(error).toMatchObject({ line: 2, field: "role" });
  });
});

describe("a file", () => {
  it("that does not exist is named", async () => {
    const file = join(folder, "missing.ndjson");
    expect((await refusal(loadReplay(file))).message).toBe(`${file}: cannot be read (ENOENT)`);
  });

  it("that is a folder is named", async () => {
    expect((await refusal(loadReplay(folder))).message).toContain("cannot be read (EISDIR)");
  });
});
