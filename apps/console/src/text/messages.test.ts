/** The messages of all languages: the same ones with the same arguments, whole, and each of them used. */
import { argumentsOf } from "@assay/codegen/messages";
import { isPluralElement, isSelectElement, type MessageFormatElement, parse } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "./testing/files.ts";
import { sources } from "./testing/sources.ts";
import { isAmong, usesIn } from "./testing/uses.ts";
import { CODES } from "./text.ts";

const kindsIn = (messages: ReadonlyMap<string, string>) =>
  Object.fromEntries([...messages].map(([path, message]) => [path, Object.fromEntries([...argumentsOf(message)].sort())]));

/** The forms that each choice by a count has, but for those of single numbers. */
const formsIn = (elements: readonly MessageFormatElement[]): readonly (readonly string[])[] =>
  elements.flatMap((element) => {
    if (!isPluralElement(element) && !isSelectElement(element)) return [];
    const within = Object.values(element.options).flatMap(({ value }) => formsIn(value));
    if (!isPluralElement(element)) return within;
    return [Object.keys(element.options).filter((form) => !form.startsWith("=")), ...within];
  });

describe.each(CODES)("the messages of %s", (code) => {
  it("are all there, and no others, with the same arguments as in English", () => {
    expect(kindsIn(MESSAGES[code])).toEqual(kindsIn(MESSAGES.en));
  });

  it("have every form of a word that the language knows beside a count", () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.sort();
    for (const [path, message] of MESSAGES[code])
      for (const found of formsIn(parse(message))) expect([...found].sort(), path).toEqual(forms);
  });
});

describe("the messages that pages use", () => {
  it("are all that there are", () => {
    const isUsed = isAmong(sources().flatMap(([path, source]) => usesIn(path, source)));
    expect([...MESSAGES.en.keys()].filter((path) => !isUsed(path))).toEqual([]);
  });

  it.each([
    ["text().ui.yes", ["ui.yes"]],
    ["const { ui: { yes }, chart } = text(); f(yes, chart.rate)", ["ui.yes", "chart.rate"]],
    ["const lines = text().chart; lines.parts[part].long", ["chart.parts.*.long"]],
    ["lineOf(text().rules, rule, rule)", ["rules"]],
    ["const { ui } = text(); const f = (ui) => ui.no", []],
  ])("are found in %s", (source, uses) => {
    expect(usesIn("a.ts", `import { text } from "./text.ts"; ${source};`)).toEqual(uses);
  });

  it("are those of a group and of no other", () => {
    const isUsed = isAmong(["chart.parts.*.long", "rules"]);
    expect(["chart.parts.open.long", "rules.jump"].every(isUsed)).toBe(true);
    expect(["chart.parts.open.short", "chart.parts", "rulesOf.jump"].some(isUsed)).toBe(false);
  });
});
