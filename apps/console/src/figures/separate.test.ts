import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { separate, separatorsOf } from "./separate.ts";

const ENGLISH = separatorsOf("en-US");

describe("separated figures", () => {
  it("keep every digit and add the locale's separators", () => {
    expect(separate("4003.20", ENGLISH)).toBe("4,003.20");
    expect(separate("4003.20", separatorsOf("de-DE"))).toBe("4.003,20");
    expect(separate("333612.50", separatorsOf("en-IN"))).toBe("3,33,612.50");
    expect(separate("4003.20", separatorsOf("fr-FR"))).toBe("4\u202f003,20");
    expect(separate("12345678901234567890.123456789", ENGLISH)).toBe("12,345,678,901,234,567,890.123456789");
  });

  it("use Latin digits in every locale", () => {
    expect(separate("4003.20", separatorsOf("ar-EG")).replaceAll(/\D/g, "")).toBe("400320");
  });

  it("keep trailing zeros, and signs", () => {
    expect(separate("0.50", ENGLISH)).toBe("0.50");
    expect(separate("-1204.00", ENGLISH)).toBe("−1,204.00");
    expect(separate("+12.40", ENGLISH)).toBe("+12.40");
  });

  it("leave text alone that is not a plain decimal", () => {
    for (const text of ["", "n/a", "1e3", "4,003.20"]) expect(separate(text, ENGLISH)).toBe(text);
  });

  it("show the published figure again once the separators are removed", () => {
    const figures = fc.tuple(fc.bigInt({ min: 0n }), fc.stringMatching(/^\d{1,12}$/)).map(([whole, rest]) => `${whole}.${rest}`);
    fc.assert(fc.property(figures, (figure) => separate(figure, ENGLISH).replaceAll(",", "") === figure));
  });
});
