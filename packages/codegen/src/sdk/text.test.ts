import { describe, expect, test } from "vitest";
import { bracketed, docComment, LINE_WIDTH, sentence, unionAlias, wrap } from "./text.ts";

describe("text", () => {
  test("ends sentences once", () => {
    expect(["A price", "A price.", "Default:", ""].map(sentence)).toEqual(["A price.", "A price.", "Default:", ""]);
  });

  test("is wrapped at spaces, but never inside a link", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("see {@link SomeError} there", 10)).toEqual(["see", "{@link SomeError}", "there"]);
  });

  test("of a comment is on one line where it fits, else in a block within the line width", () => {
    expect(docComment(["Short."], "  ")).toEqual(["  /** Short. */"]);
    const lines = docComment(["word ".repeat(60).trim(), "", "@param from the first day"], "  ");
    expect(lines[0]).toBe("  /**");
    expect(lines.at(-1)).toBe("   */");
    expect(lines).toContain("   *");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(LINE_WIDTH);
  });

  test("of a list is broken, an item a line, only where it has to be", () => {
    expect(bracketed("const a = ", ["[", "]"], ["1", "2"], ";")).toEqual(["const a = [1, 2];"]);
    const many = Array.from({ length: 40 }, (_, index) => `name${index}`);
    expect(bracketed("import ", ["{", "}"], many, ' from "x";')).toHaveLength(42);
  });

  test("of a union is broken the same way", () => {
    expect(unionAlias("Metal", ['"XAU"', '"HG"'])).toEqual(['export type Metal = "XAU" | "HG";']);
    const many = Array.from({ length: 40 }, (_, index) => `"value${index}"`);
    expect(unionAlias("Many", many).at(-1)).toBe('  | "value39";');
  });
});
