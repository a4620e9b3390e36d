import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { catalogue } from "@assay/catalogue";
import { CURRENCIES } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { dec, toDecimal } from "../number/exact.ts";
import { type ReferenceDay, referenceCurrency, referenceHistory, servingRate } from "./reference-history.ts";

const tables: ReferenceDay[] = [
  { day: "2026-11-20", rates: { USD: "1.16", JPY: "180" } },
  { day: "2026-11-17", rates: { USD: "1.10", JPY: "176", ISK: "143" } },
  { day: "2026-11-18", rates: { JPY: "177", ISK: "144" } },
];
const history = referenceHistory(tables);
const rateOn = (currency: string, day: string) => {
  const rate = history.rateOn(currency, day);
  return rate && [toDecimal(rate).toFixed(), rate.day];
};

describe("a rate of a day", () => {
  it("is that day's, crossed through the base", () => {
    expect(rateOn("JPY", "2026-11-17")).toEqual(["160", "2026-11-17"]);
    expect(toDecimal(history.rateOn("EUR", "2026-11-20") ?? { numerator: 0n, denominator: 1n }).toFixed(10)).toBe("0.8620689655");
  });

  it("is the last one before it on a day without a table, or without the currency or the dollar", () => {
    expect(rateOn("JPY", "2026-11-19")).toEqual(["160", "2026-11-17"]);
    expect(rateOn("ISK", "2026-11-21")).toEqual(["130", "2026-11-17"]);
    expect(history.rateOn("JPY", "2030-01-01")?.day).toBe("2026-11-20");
  });

  it("is missing before the first table, and for what was never published", () => {
    expect(rateOn("JPY", "2026-11-16")).toBeNull();
    expect(rateOn("THB", "2026-11-20")).toBeNull();
    expect(referenceHistory([]).rateOn("JPY", "2026-11-20")).toBeNull();
  });

  it("of the dollar is one, and of the lev 1.95583 per euro", () => {
    expect(rateOn("USD", "1990-01-01")).toEqual(["1", "1990-01-01"]);
    expect(rateOn("BGN", "2026-11-17")).toEqual([dec("1.95583").div("1.10").toFixed(), "2026-11-17"]);
  });
});

describe("the rate that serves a day", () => {
  it("is at most seven days old", () => {
    const dayOf = (currency: string, day: string) => servingRate(history, currency, day)?.day;
    expect([dayOf("ISK", "2026-11-24"), dayOf("ISK", "2026-11-25")]).toEqual(["2026-11-17", undefined]);
    expect([dayOf("BGN", "2026-11-27"), dayOf("BGN", "2026-11-28")]).toEqual(["2026-11-20", undefined]);
    expect(dayOf("USD", "2040-01-01")).toBe("2040-01-01");
  });

  it("is of the currency itself, or of the one it is fixed to", () => {
    expect(["INR", "BGN", "DKK", "SAR", "USD"].map(referenceCurrency)).toEqual(["INR", "EUR", "DKK", "USD", "USD"]);
  });
});

describe("the history", () => {
  it("counts the later of two tables of one day", () => {
    const corrected = referenceHistory([...tables, { day: "2026-11-20", rates: { USD: "1.20", JPY: "180" } }]);
    expect(toDecimal(corrected.rateOn("JPY", "2026-11-20") ?? { numerator: 0n, denominator: 1n }).toFixed()).toBe("150");
  });
});

const archive = new URL("../../../testkit/data/ecb/eurofxref-hist_20260413.zip", import.meta.url);

describe("the published history since 1999", () => {
  const read = (): ReferenceDay[] => {
    // A deflated file after a local header of 30 bytes, its name and its extra field.
    const zip = readFileSync(archive);
    const text = inflateRawSync(zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28))).toString("utf8");
    const [header = "", ...lines] = text.trim().split(/\r?\n/);
    const codes = header.split(",").slice(1);
    return lines.map((line) => {
      const [day = "", ...figures] = line.split(",");
      const known = codes.flatMap((code, place) =>
        code && figures[place] && figures[place] !== "N/A" ? [[code, figures[place]]] : [],
      );
      return { day, rates: Object.fromEntries(known) as Record<string, string> };
    });
  };

  it("has a rate of every currency on any day of 2026, and reaches back over what was not published", () => {
    const ecb = referenceHistory(read());
    const published = CURRENCIES.filter((code) => catalogue.currency(code).reference === "ecb" || code === "BGN");
    for (const currency of published) expect(ecb.rateOn(currency, "2026-04-12")?.day).toMatch(/^(2026-04-10|2026-04-12)$/);
    expect(ecb.rateOn("ISK", "2015-06-15")?.day).toMatch(/^2008-12-/);
    expect(ecb.rateOn("INR", "2005-01-03")).toBeNull();
  });
});
