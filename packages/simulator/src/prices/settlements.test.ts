/** Settlements of the simulated market: a rising curve, the same for every caller. */
import { FUTURES_SYMBOLS } from "@assay/contract";
import { dec, validateSettlement } from "@assay/pricing";
import { describe, expect, test } from "vitest";
import { simulatedPrice } from "./price.ts";
import { simulatedSettlementMs, simulatedSettlements } from "./settlements.ts";

const FRIDAY = "2026-11-20";
const SETTLED_MS = Date.parse("2026-11-20T18:30:00Z");
const TICKS: Readonly<Record<string, string>> = { GC: "0.1", SI: "0.005", HG: "0.0005" };

describe("a simulated day's settlements", () => {
  const found = simulatedSettlements(FRIDAY, 1);

  test("belong to every main month, at 13:30 in New York, and pass the rules", () => {
    expect(found.map(({ futuresContract }) => futuresContract)).toEqual([
      ...["GCZ26", "GCG27", "GCJ27", "GCM27", "GCQ27", "GCV27"],
      ...["SIZ26", "SIH27", "SIK27", "SIN27", "SIU27"],
      ...["HGZ26", "HGH27", "HGK27", "HGN27", "HGU27"],
    ]);
    for (const each of found) {
      expect(each.observedAtMs).toBe(SETTLED_MS);
      expect(validateSettlement(each, SETTLED_MS)).toEqual({ ok: true });
      expect(
        dec(each.price)
          .mod(TICKS[each.symbol] ?? "0")
          .isZero(),
      ).toBe(true);
    }
  });

  test("rise with the time to delivery, from just above spot", () => {
    for (const symbol of FUTURES_SYMBOLS) {
      const prices = found.filter((each) => each.symbol === symbol).map(({ price }) => Number(price));
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    }
    const spot = Number(simulatedPrice("XAU-USD-SPOT", SETTLED_MS, 1));
    expect(Number(found[0]?.price) / spot).toBeGreaterThan(1);
    expect(Number(found[0]?.price) / spot).toBeLessThan(1.01);
  });

  test("are the same for the same seed, and others for another", () => {
    expect(simulatedSettlements(FRIDAY, 1)).toEqual(found);
    expect(simulatedSettlements(FRIDAY, 2)).not.toEqual(found);
  });

  test("do not exist on weekends and holidays", () => {
    for (const day of ["2026-11-21", "2026-11-26", "2026-12-25"]) {
      expect(simulatedSettlements(day, 1)).toEqual([]);
      expect(simulatedSettlementMs(day)).toBeNull();
    }
  });
});
