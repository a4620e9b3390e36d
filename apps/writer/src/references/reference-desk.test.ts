/** The references' desk: what it refuses, that it makes no price, and when it says that none supports the price. */
import type { Observation, ReferenceObservation } from "@assay/pricing";
import { beforeEach, describe, expect, it } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { Desks } from "../desks.ts";
import { Refusals } from "../feed-health.ts";
import { isEmpty, MarketDesk } from "../prices/market-desk.ts";
import { SourceRecorder } from "../record/source-recorder.ts";
import { gold, source } from "../testing/readings.ts";
import { ReferenceDesk } from "./reference-desk.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;
const bank = (key: string) => ({ ...source(key, "informational"), freshForMs: 5 * DAY_MS });
const SOURCES = new Map([source("a"), source("b"), bank("cbr"), bank("nbp")].map((each) => [each.key, each]));

/** A dollar is 31.1034768, so that the price of a gram is that of an ounce in USD. */
const reference = (key: string, perGram: string, change: Partial<ReferenceObservation> = {}): ReferenceObservation => ({
  kind: "reference",
  source: key,
  metal: "XAU",
  perGram,
  perUsd: "31.1034768",
  observedAtMs: Date.parse("2026-11-19T00:00:00Z"),
  ...change,
});

let references: ReferenceDesk;
let desks: Desks;
beforeEach(() => {
  const market = new MarketDesk({ sources: SOURCES, bars: new BarKeeper("composed"), seqs: new Map(), isOpen: () => true });
  const log = {
    info: () => undefined,
    warn: () => undefined,
    feed: () => undefined,
    archives: () => undefined,
    fault: () => undefined,
  };
  references = new ReferenceDesk(SOURCES, market.prices.beliefs);
  desks = new Desks(market, [references], new Refusals([], log), new SourceRecorder(SOURCES, false));
});

const take = (observations: readonly Observation[], atMs = NOON_MS) => desks.take(desks.accept(observations, atMs), atMs);
const live = (price: string, atMs = NOON_MS) => take([gold("a", price, atMs), gold("b", price, atMs)], atMs);
const rule = (observation: ReferenceObservation, atMs = NOON_MS): string => {
  const judgement = desks.judge(observation, atMs);
  return judgement.ok ? "ok" : judgement.rule;
};

describe("references", () => {
  it("make no price, fresh or stale, and do not move the one there is", () => {
    expect(isEmpty(take([reference("cbr", "4000"), reference("nbp", "4010")]))).toBe(true);
    expect(desks.market.priceAt("XAU-USD-SPOT", NOON_MS)).toBeNull();
    expect(desks.market.nextChangeMs).toBe(Number.POSITIVE_INFINITY);
    expect(live("3000.00").ticks).toMatchObject([{ price: "3000.00", sources: [{ source: "a" }, { source: "b" }] }]);
    expect(isEmpty(take([reference("cbr", "4001")], NOON_MS + 1_000))).toBe(true);
  });

  it("do not confirm a price that one source alone reports", () => {
    take([reference("cbr", "4000"), reference("nbp", "4000")]);
    take([gold("a", "4000.00", NOON_MS)]);
    expect(desks.market.prices.beliefs.at("XAU-USD-SPOT", NOON_MS).verdict).toBe("unconfirmed");
  });

  it("contradict a price that none of them supports", () => {
    take([reference("cbr", "4000"), reference("nbp", "4010")]);
    live("3400.00");
    expect(references.contradicted(NOON_MS)).toEqual([{ instrument: "XAU-USD-SPOT", sources: ["cbr", "nbp"] }]);
  });

  it("say nothing while one of them supports the price, there is none, or they are no longer fresh", () => {
    take([reference("cbr", "4000"), reference("nbp", "3500")]);
    expect(references.contradicted(NOON_MS)).toEqual([]);
    live("3400.00");
    expect(references.contradicted(NOON_MS)).toEqual([]);
    take([reference("nbp", "4000", { observedAtMs: Date.parse("2026-11-20T00:00:00Z") })]);
    expect(references.contradicted(NOON_MS)).toHaveLength(1);
    // The price is stale after three minutes.
    expect(references.contradicted(NOON_MS + 180_001)).toEqual([]);
    const laterMs = Date.parse("2026-11-25T00:00:01Z");
    live("2000.00", laterMs);
    expect(references.contradicted(laterMs)).toEqual([]);
  });

  it("keep the newest of each bank, whatever arrives after it", () => {
    take([reference("cbr", "4000"), reference("cbr", "3400", { observedAtMs: Date.parse("2026-11-18T00:00:00Z") })]);
    live("3400.00");
    expect(references.contradicted(NOON_MS)).toHaveLength(1);
  });

  it("are refused in another unit than the metal is believed in, or the bank's last price was in", () => {
    const palladium = (perGram: string) => reference("cbr", perGram, { metal: "XPD" });
    expect(rule(palladium("43862"))).toBe("ok");
    take([palladium("1410")]);
    expect(rule(palladium("43862"))).toBe("unit_slip");
    expect(rule(palladium("1300"))).toBe("ok");
    live("4000.00");
    expect(rule(reference("cbr", "700"))).toBe("unit_slip");
    expect(rule(reference("cbr", "2000"))).toBe("ok");
  });

  it("are not measured by a price that one source alone reports, which they may be there to contradict", () => {
    const laterMs = NOON_MS + 60_000;
    take([gold("a", "21000.00", NOON_MS)]);
    take([gold("a", "21000.00", laterMs)], laterMs);
    expect(desks.market.prices.beliefs.at("XAU-USD-SPOT", laterMs).verdict).toBe("unconfirmed");
    expect(rule(reference("cbr", "4000"), laterMs)).toBe("ok");
    take([reference("cbr", "4000")], laterMs);
    expect(references.contradicted(laterMs)).toEqual([{ instrument: "XAU-USD-SPOT", sources: ["cbr"] }]);
  });

  it.each([
    ["out of the metal's range", { perGram: "400000" }, "out_of_range"],
    ["of nothing", { perGram: "0" }, "not_positive"],
    ["of tomorrow", { observedAtMs: Date.parse("2026-11-21T00:00:00Z") }, "from_the_future"],
    ["of a source that is not there", { source: "other", observedAtMs: NOON_MS - 8 * DAY_MS }, "too_old"],
  ])("are refused %s", (_what, change, expected) => {
    expect(rule(reference("cbr", "4000", change))).toBe(expected);
  });
});
