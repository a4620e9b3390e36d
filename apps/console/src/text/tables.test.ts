/** What the messages of all languages say. */
import { argumentsOf } from "@assay/codegen/messages";
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
import { entriesIn, MESSAGES, TABLES } from "./testing/files.ts";
import { CODES, type Language } from "./text.ts";

const OTHERS = CODES.filter((code) => code !== "en");
const { en } = TABLES;

/** Counts that take different forms of a word in one language or another. */
const COUNTS = [0, 1, 2, 3, 11, 100] as const;

type Line = string | ((args: Readonly<Record<string, string | number>>) => string);

/** Every line by its path. */
const LINES = Object.fromEntries(CODES.map((code) => [code, new Map(entriesIn<Line>(TABLES[code]))])) as Record<
  Language,
  Map<string, Line>
>; // of every language
const paths = [...MESSAGES.en.keys()];

/** What a line is given in place of texts and of counts. */
const givenTo = (path: string, count: number): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    [...argumentsOf(MESSAGES.en.get(path) ?? "")].map(([name, kind], place) => [
      name,
      kind === "count" ? count + place : `⟦${name}⟧`,
    ]),
  );

const written = (code: Language, path: string, count: number): string => {
  const line = LINES[code].get(path) ?? "";
  return typeof line === "string" ? line : line(givenTo(path, count));
};

describe.each(CODES)("the table of %s", (code) => {
  it("says something in every line, for every count", () => {
    for (const path of paths)
      for (const count of COUNTS) {
        const said = written(code, path, count);
        expect(said.trim(), path).not.toBe("");
        expect(said, path).not.toMatch(/undefined|\[object| {2}/);
      }
  });

  it("shows everything that a line is given", () => {
    const { format } = new Intl.NumberFormat(code);
    for (const path of paths)
      for (const given of Object.values(givenTo(path, 11)))
        expect(written(code, path, 11), path).toContain(typeof given === "number" ? format(given) : given);
  });

  it("needs a key of any tier, or names the tier", () => {
    const { withTier } = TABLES[code].key;
    expect(withTier({ tier: "Pro" })).toContain("Pro");
    expect(withTier({ tier: "any" })).not.toBe(withTier({ tier: "Pro" }).replace("Pro", "any"));
  });
});

/** Names, codes and abbreviations that are the same in every language. */
const PROPER = [
  ...["API", "CSV", "PNG", "HTTPS", "https", "UTC", "USD", "Server-Sent Events", "bps", "ci", "Pro", "Basic"],
  ...["Status", "Streams", "Stream", "Name", "Median", "Live", "Max", "Cache", "Tick", "Ticks", "Spot", "spot", "Symbol"],
  ...["Tola", "Tael", "Luong", "Chi", "chi", "tola", "tael", "luong", "kilogram", "gram", "kg", "oz", "lb", "min", "platin"],
];
const withoutProper = (text: string): string =>
  PROPER.reduce((left, word) => left.replaceAll(word, ""), text.replaceAll(/⟦\w+⟧/g, ""));

/** Lines of German that are written as in English. */
const ALIKE = new Set(["de chart.named", "de converter.in", "de sources.instrument"]);

describe.each(OTHERS)("%s", (code) => {
  const texts = paths.map((path) => [path, written(code, path, 11)] as const);

  it("leaves no line in English", () => {
    const same = texts.filter(
      ([path, text]) =>
        !ALIKE.has(`${code} ${path}`) && /\p{L}{2}/u.test(withoutProper(text)) && text === written("en", path, 11),
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
