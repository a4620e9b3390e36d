/** Pages dated with a local calendar day. */
import { describe, expect, it } from "vitest";
import { withinDay } from "./local-day.ts";

const at = (text: string) => Date.parse(text);

describe("a page dated by a day", () => {
  it("is as new as its arrival while that day lasts in its city", () => {
    const evening = at("2026-11-20T20:59:59Z");
    expect(withinDay("Asia/Riyadh", "2026-11-20", evening)).toBe(evening);
  });

  it("is as old as that day's end afterwards", () => {
    expect(withinDay("Asia/Riyadh", "2026-11-20", at("2026-11-20T21:00:00Z"))).toBe(at("2026-11-20T20:59:59.999Z"));
    expect(withinDay("Asia/Riyadh", "2026-11-20", at("2026-11-23T09:00:00Z"))).toBe(at("2026-11-20T20:59:59.999Z"));
  });

  it("is refused before that day begins there", () => {
    expect(withinDay("Asia/Jakarta", "2026-11-21", at("2026-11-20T17:00:00Z"))).toBe(at("2026-11-20T17:00:00Z"));
    expect(() => withinDay("Asia/Jakarta", "2026-11-21", at("2026-11-20T16:59:59Z"))).toThrow("dated in the future");
  });
});
