/** Names, main months and last days of futures contracts, and which of them are front and active. */
import { FUTURES_SYMBOLS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBusinessDay } from "../conventions/exchange-calendar.ts";
import { addDays } from "../conventions/zoned-time.ts";
import {
  activeContract,
  futuresContract,
  isMainMonth,
  lastTradeDay,
  readFuturesContract,
  tradingContracts,
} from "./futures-contract.ts";

const named = (...names: string[]) => names.flatMap((name) => readFuturesContract(name) ?? []);
const active = (day: string, ...names: string[]) => activeContract(named(...names), day)?.name ?? null;
const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("1996-01-01", days));

describe("a contract", () => {
  test("is read from its name, and is written the same again", () => {
    expect(readFuturesContract("GCZ26")).toEqual({ name: "GCZ26", symbol: "GC", year: 2026, month: 12 });
    expect(readFuturesContract("HGF74")).toMatchObject({ year: 1974, month: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(...FUTURES_SYMBOLS),
        fc.integer({ min: 1974, max: 2073 }),
        fc.integer({ min: 1, max: 12 }),
        (symbol, year, month) => {
          const contract = futuresContract(symbol, year, month);
          expect(readFuturesContract(contract.name)).toEqual(contract);
        },
      ),
    );
  });

  test.each(["", "GC", "GCZ6", "GCZ2026", "gcz26", "GCA26", "PLV26", " GCZ26"])("cannot be named %j", (name) => {
    expect(readFuturesContract(name)).toBeNull();
  });

  test("ends on the third last business day of its month, as the exchange's calendar has it", () => {
    expect(named("GCQ26", "GCZ26", "SIH24", "GCK21", "GCG28").map(lastTradeDay)).toEqual([
      "2026-08-27",
      "2026-12-29",
      "2024-03-26",
      "2021-05-26",
      "2028-02-25",
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1996, max: 2050 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const day = lastTradeDay(futuresContract("GC", year, month));
        let after = 0;
        for (let next = addDays(day, 1); next.slice(0, 7) === day.slice(0, 7); next = addDays(next, 1)) {
          if (isBusinessDay(next)) after += 1;
        }
        expect(after).toBe(2);
      }),
    );
  });
});

describe("the trading contracts of a day", () => {
  test("are those of the product's months that end within a year", () => {
    const names = (symbol: "GC" | "SI" | "HG") => tradingContracts(symbol, "2026-11-21").map(({ name }) => name);
    expect(names("GC")).toEqual(["GCZ26", "GCG27", "GCJ27", "GCM27", "GCQ27", "GCV27"]);
    expect(names("SI")).toEqual(["SIZ26", "SIH27", "SIK27", "SIN27", "SIU27"]);
    expect(names("HG")).toEqual(["HGZ26", "HGH27", "HGK27", "HGN27", "HGU27"]);
  });

  test("begin with the front contract, which ends on that very day, and no longer hold it the day after", () => {
    expect(tradingContracts("GC", "2026-12-29")[0]?.name).toBe("GCZ26");
    expect(tradingContracts("GC", "2026-12-30")[0]?.name).toBe("GCG27");
    expect(tradingContracts("GC", "2027-02-24").at(-1)?.name).toBe("GCZ27");
  });

  test("are in order, and never fewer than four", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FUTURES_SYMBOLS), anyDay, (symbol, day) => {
        const ends = tradingContracts(symbol, day).map(lastTradeDay);
        expect(ends).toEqual(ends.toSorted());
        expect(new Set(ends).size).toBe(ends.length);
        expect(ends.length).toBeGreaterThanOrEqual(4);
        for (const end of ends) expect(end >= day).toBe(true);
      }),
    );
  });
});

describe("the active contract", () => {
  test("is the nearest main month until the 25th of the month before its delivery", () => {
    const all = ["GCG27", "GCZ26", "GCJ27", "GCX26", "GCF27"];
    expect(active("2026-11-24", ...all)).toBe("GCZ26");
    expect(active("2026-11-25", ...all)).toBe("GCG27");
    expect(active("2027-01-24", ...all)).toBe("GCG27");
    expect(active("2027-01-25", ...all)).toBe("GCJ27");
  });

  test("is the next available one, where the calendar's own is missing", () => {
    expect(active("2026-11-27", "GCZ26")).toBe("GCZ26");
    expect(active("2026-11-27", "GCX26", "GCF27")).toBe("GCF27");
    expect(active("2026-11-10", "GCX26")).toBe("GCX26");
    expect(active("2026-11-10")).toBeNull();
  });

  test("does not depend on the order it is asked in, and never goes back in time", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FUTURES_SYMBOLS), anyDay, (symbol, day) => {
        const contracts = tradingContracts(symbol, day);
        const chosen = activeContract(contracts, day);
        expect(chosen && isMainMonth(chosen)).toBe(true);
        expect(activeContract(contracts.toReversed(), day)).toEqual(chosen);
        const next = activeContract(tradingContracts(symbol, addDays(day, 1)), addDays(day, 1));
        expect(
          lastTradeDay(next ?? futuresContract("GC", 1974, 1)) >= lastTradeDay(chosen ?? futuresContract("GC", 2073, 1)),
        ).toBe(true);
      }),
    );
  });

  test("is the front contract until the roll, and the next one from there to the front contract's last day", () => {
    const both = (day: string) => {
      const contracts = tradingContracts("GC", day);
      return [contracts[0]?.name, activeContract(contracts, day)?.name];
    };
    expect(both("2026-11-24")).toEqual(["GCZ26", "GCZ26"]);
    expect(both("2026-11-25")).toEqual(["GCZ26", "GCG27"]);
    expect(both("2026-12-29")).toEqual(["GCZ26", "GCG27"]);
    expect(both("2026-12-30")).toEqual(["GCG27", "GCG27"]);
  });
});
