/** The simulated currency rates. */
import { catalogue } from "@assay/catalogue";
import { CURRENCIES } from "@assay/contract";
import { dec, EMPTY_FX, validateFx, withFx } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./fx.ts";

const instant = fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2040, 0, 1) });
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const IN_2026 = Date.UTC(2026, 10, 21, 14, 3, 27);

describe("the simulated live table", () => {
  it("has the quote currencies per dollar, and passes every rule for tables", () => {
    const expected = CURRENCIES.filter((code) => code !== "USD");
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const table = simulatedFx(atMs, of);
        expect(Object.keys(table.rates)).toEqual(expected);
        expect(table).toMatchObject({ kind: "fx", source: "simulated-fx", role: "live", base: "USD", freshForMs: 60_000 });
        const known = [simulatedFxReference(atMs, of), simulatedFx(atMs - 10_000, of)].reduce(withFx, EMPTY_FX);
        expect(validateFx(table, atMs, known)).toEqual({ ok: true, table, refused: [] });
      }),
      { numRuns: 50 },
    );
  });

  it("keeps the figures that every process so far has had", () => {
    expect(simulatedFx(IN_2026, 1).rates).toMatchObject({ AUD: "1.50472", BGN: "1.6469848847", BRL: "5.52636" });
    expect(simulatedFxReference(IN_2026, 1).rates).toMatchObject({ AUD: "1.7940", BRL: "6.5454", CAD: "1.6812" });
  });

  it("is new every ten seconds, and the same in between", () => {
    const startMs = Date.UTC(2026, 10, 20, 14, 0, 0);
    expect(simulatedFx(startMs + 9_999, 1)).toEqual(simulatedFx(startMs, 1));
    expect(simulatedFx(startMs + 10_000, 1).rates).not.toEqual(simulatedFx(startMs, 1).rates);
    expect(simulatedFx(startMs, 2).rates).not.toEqual(simulatedFx(startMs, 1).rates);
  });

  it("holds the lev at its legal rate to the euro, to the last digit", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const { BGN = "0", EUR = "1" } = simulatedFx(atMs, of).rates;
        expect(dec(BGN).div(EUR).toFixed()).toBe("1.95583");
      }),
    );
  });

  it("stays near today's levels: the euro within 15 %, the Hong Kong dollar within its band or a percent of it", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const { EUR, HKD } = simulatedFx(atMs, of).rates;
        expect(Math.abs(Number(EUR) / 0.86 - 1)).toBeLessThan(0.15);
        expect(Math.abs(Number(HKD) / 7.8 - 1)).toBeLessThan(0.016);
      }),
    );
  });

  it("has the dealers' other currencies on request, pegs unmoved, and refuses unknown ones", () => {
    const { rates } = simulatedFx(IN_2026, 1, SIMULATED_DEALER_CURRENCIES);
    expect(Object.keys(rates)).toEqual(expect.arrayContaining([...SIMULATED_DEALER_CURRENCIES]));
    expect(rates).toMatchObject({ AED: "3.6725", SAR: "3.75" });
    expect(() => simulatedFx(IN_2026, 1, ["XYZ"])).toThrow(RangeError);
  });
});

describe("the simulated daily reference", () => {
  it("has what the central bank publishes per euro: the dollar, but neither euro nor lev", () => {
    const { rates, ...rest } = simulatedFxReference(IN_2026, 1);
    const published = CURRENCIES.filter((code) => code !== "EUR" && catalogue.currency(code).reference !== null);
    expect(Object.keys(rates)).toEqual(published);
    expect(rest).toMatchObject({ source: "simulated-ecb", role: "reference", base: "EUR", freshForMs: 432_000_000 });
  });

  it("is published at 15:00 UTC on working days, and remains over the weekend", () => {
    const published = (atMs: number) => new Date(simulatedFxReference(atMs, 1).observedAtMs).toISOString();
    expect(published(Date.UTC(2026, 10, 20, 14, 59, 59, 999))).toBe("2026-11-19T15:00:00.000Z");
    expect(published(Date.UTC(2026, 10, 20, 15))).toBe("2026-11-20T15:00:00.000Z");
    expect(published(Date.UTC(2026, 10, 21, 23))).toBe("2026-11-20T15:00:00.000Z");
    expect(published(Date.UTC(2026, 10, 23, 14))).toBe("2026-11-20T15:00:00.000Z");
    expect(published(Date.UTC(2026, 10, 23, 15))).toBe("2026-11-23T15:00:00.000Z");
  });

  it("equals the live table at its fixing, within 2 bps", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const reference = simulatedFxReference(atMs, of);
        const live: Readonly<Record<string, string>> = simulatedFx(reference.observedAtMs - 105 * 60_000, of).rates;
        const { EUR } = live;
        for (const [code, text] of Object.entries(reference.rates)) {
          const crossed = (code === "USD" ? 1 : Number(live[code])) / Number(EUR);
          expect(Math.abs(Number(text) / crossed - 1), code).toBeLessThan(0.0002);
        }
      }),
      { numRuns: 50 },
    );
  });
});
