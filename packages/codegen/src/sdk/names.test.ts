import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, errorClassName, kebabCase, listName, pascalCase, propertyName, statusClassName } from "./names.ts";

describe("names", () => {
  test.each([
    ["bar_start", "barStart"],
    ["price_gram_24k", "priceGram24k"],
    ["symbol", "symbol"],
    ["nextCursor", "nextCursor"],
  ])("calls the wire's %s %s", (wireName, name) => {
    expect(camelCase(wireName)).toBe(name);
  });

  test.each([
    ["plan_gated", "PlanGatedError"],
    ["storage_error", "StorageError"],
    ["storage_unavailable", "StorageUnavailableError"],
    ["validation_error", "ValidationError"],
  ])("turns the code %s into the class %s", (code, name) => {
    expect(errorClassName(code)).toBe(name);
  });

  test.each([
    ["Currency", "CURRENCIES"],
    ["Cross", "CROSSES"],
    ["BarSymbol", "BAR_SYMBOLS"],
    ["ErrorCode", "ERROR_CODES"],
  ])("calls the list of %s %s", (type, name) => {
    expect(listName(type)).toBe(name);
  });

  test("names statuses, types, files and properties", () => {
    expect(statusClassName(403)).toBe("Http403Error");
    expect(pascalCase("mintKey")).toBe("MintKey");
    expect(pascalCase("required_tier")).toBe("RequiredTier");
    expect(kebabCase("publicHistory")).toBe("public-history");
    expect(propertyName("open")).toBe("open");
    expect(propertyName("XAU-USD-SPOT")).toBe('"XAU-USD-SPOT"');
  });

  test("are words without underscores, whatever snake case they come from", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        expect(camelCase(words.join("_"))).toMatch(/^[a-z][A-Za-z0-9]*$/);
        expect(camelCase(words.join("_")).toLowerCase()).toBe(words.join(""));
      }),
    );
  });
});
