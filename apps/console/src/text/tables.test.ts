import {
  ALERT_KINDS,
  ALERT_STATES,
  CONTRACT_TYPES,
  CORRECTION_REASONS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  ERRORS,
  GAP_REASONS,
  publishedCatalog,
  REJECTIONS,
  SETTLEMENT_TYPES,
  SURFACE_FLAGS,
  WEBHOOK_TYPES,
} from "@assay/contract";
import { describe, expect, it } from "vitest";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import type { Text } from "./en.ts";
import { en } from "./en.ts";
import { hi } from "./hi.ts";
import type { Count } from "./lines.ts";
import { CODES, type Language } from "./text.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

const TABLES: Readonly<Record<Language, Text>> = { en, de, hi, ar, tr, zh };
const OTHERS = CODES.filter((code) => code !== "en");

/** Counts that take different forms of a word in one language or another. */
const COUNTS = [0, 1, 2, 3, 11, 100] as const;

/** What a line is given in place of a figure, a name or a part of the page. */
const given = (place: number, of: number): Count => ({ of, toString: () => `⟦${place}⟧` });

type LineOf = string | ((...parts: readonly unknown[]) => unknown);

/** Every line by its path. */
const linesIn = (table: object, path = ""): readonly (readonly [path: string, line: LineOf])[] =>
  Object.entries(table).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? linesIn(value, `${path}${name}.`) : [[`${path}${name}`, value as LineOf]],
  );

/** A line that takes a list, which has none of these places. */
const LISTS = new Set(["names.list"]);

const written = (line: LineOf, of: number): string => {
  if (typeof line === "string") return line;
  const said = line(...Array.from({ length: line.length }, (_, place) => given(place, of)));
  return Array.isArray(said) ? said.join("") : String(said);
};

const all = Object.fromEntries(CODES.map((code) => [code, new Map(linesIn(TABLES[code]))])) as Record<
  Language,
  Map<string, LineOf>
>; // of every language
const paths = [...all.en.keys()].filter((path) => !LISTS.has(path));

const placesIn = (text: string): readonly string[] => [...new Set(text.match(/⟦\d⟧/g))].sort();

describe.each(CODES)("the table of %s", (code) => {
  const lineAt = (path: string): LineOf => all[code].get(path) ?? "";

  it("has every line, and no other", () => {
    expect([...all[code].keys()].sort()).toEqual([...all.en.keys()].sort());
  });

  it("says something in every line, for every count", () => {
    for (const path of paths)
      for (const of of COUNTS) {
        const said = written(lineAt(path), of);
        expect(said.trim(), path).not.toBe("");
        expect(said, path).not.toMatch(/undefined|\[object| {2}/);
      }
  });

  it("shows every figure that the English line shows", () => {
    for (const path of paths)
      expect(placesIn(written(lineAt(path), 11)), path).toEqual(placesIn(written(all.en.get(path) ?? "", 11)));
  });

  it("lists names with something between them", () => {
    expect(TABLES[code].names.list(["Au", "Ag"])).toMatch(/Au.+Ag/);
  });

  it("needs a key of any tier, or names the tier", () => {
    for (const said of Object.values(TABLES[code].needs)) {
      expect(said("Pro")).toContain("Pro");
      expect(said(null)).not.toMatch(/Pro|null/);
    }
  });
});

/** Names, codes and abbreviations that are the same in every language. */
const PROPER = [
  ...["API", "CSV", "PNG", "HTTPS", "https", "UTC", "USD", "Server-Sent Events", "bps", "ci", "Pro", "Basic"],
  ...["Status", "Streams", "Stream", "Name", "Median", "Live", "Max", "Cache", "Tick", "Ticks", "Spot", "spot", "Symbol"],
  ...["Tola", "Tael", "Luong", "Chi", "chi", "tola", "tael", "luong", "kilogram", "gram", "kg", "oz", "lb", "min", "platin"],
];
const withoutProper = (text: string): string => PROPER.reduce((left, word) => left.replaceAll(word, ""), text);

/** Lines of German that are written as in English. */
const ALIKE = new Set(["de chart.named", "de converter.in", "de sources.instrument"]);

describe.each(OTHERS)("%s", (code) => {
  const texts = paths.map((path) => [path, written(all[code].get(path) ?? "", 11)] as const);

  it("leaves no line in English", () => {
    const same = texts.filter(
      ([path, text]) =>
        !ALIKE.has(`${code} ${path}`) && /\p{L}{2}/u.test(withoutProper(text)) && text === written(all.en.get(path) ?? "", 11),
    );
    expect(same).toEqual([]);
    const english = texts.filter(([, text]) =>
      /\b(the|and|of|with|this|that|from|not|are|key|price)\b/i.test(withoutProper(text)),
    );
    expect(english).toEqual([]);
  });

  const isLatin = code === "de" || code === "tr";
  it(`is written in ${isLatin ? "Latin letters" : "its own script, but for proper words"}`, () => {
    const other = isLatin ? /[^\p{Script=Latin}\p{Script=Common}]/u : /[A-Za-z]{2}/;
    expect(texts.filter(([, text]) => other.test(withoutProper(text)))).toEqual([]);
  });
});

describe("the lines of codes", () => {
  it("name what the built-in catalogue has, in its words", () => {
    const { metals, units } = publishedCatalog();
    const priced = metals.filter(({ coverage }) => coverage === "spot");
    expect(en.names.metals).toMatchObject(Object.fromEntries(priced.map(({ code, name }) => [code, name])));
    expect(en.names.units).toEqual(Object.fromEntries(units.map(({ code, name }) => [code, name])));
    expect(Object.keys(en.names.short).sort()).toEqual(units.map(({ code }) => code).sort());
  });

  it("are the contract's, and its errors in the contract's words", () => {
    expect(Object.keys(en.barCorrections.reasons).sort()).toEqual([...CORRECTION_REASONS].sort());
    expect(Object.keys(en.probability.flags).sort()).toEqual([...SURFACE_FLAGS].sort());
    expect(Object.keys(en.curve.proxies).sort()).toEqual(
      SETTLEMENT_TYPES.filter((type) => type !== "official_settlement").sort(),
    );
    expect(Object.keys(en.account.contractTypes).sort()).toEqual([...CONTRACT_TYPES].sort());
    expect(Object.keys(en.streams.gapReasons).sort()).toEqual([...GAP_REASONS].sort());
    expect(Object.keys(en.streams.rejections).sort()).toEqual([...REJECTIONS].sort());
    expect(Object.keys(en.alerts.kinds).sort()).toEqual([...ALERT_KINDS].sort());
    expect(Object.keys(en.alerts.states).sort()).toEqual([...ALERT_STATES].sort());
    expect(Object.keys(en.endpoints.reasons).sort()).toEqual([...DISABLED_REASONS].sort());
    expect(Object.keys(en.deliveries.statuses).sort()).toEqual([...DELIVERY_STATUSES].sort());
    expect(Object.keys(en.deliveries.events).sort()).toEqual([...WEBHOOK_TYPES].sort());
    for (const [code, said] of Object.entries(en.refusal.said))
      expect({ code, said }).toEqual({ code, said: ERRORS[code as keyof typeof ERRORS]?.message }); // looked up
  });
});
