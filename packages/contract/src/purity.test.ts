import { describe, expect, it } from "vitest";
import { fineness, finenessParameter } from "./purity.ts";

const faultOf = (given: unknown): string | undefined => fineness.safeParse(given).error?.issues[0]?.message;

describe("a fineness", () => {
  it.each([750, 999.9, 916.667, 1_000, 100.5])("may be %s, as a number and as text", (given) => {
    expect(finenessParameter.safeParse(given).success).toBe(true);
    expect(fineness.safeParse(given).success).toBe(true);
    expect(fineness.safeParse(String(given)).success).toBe(true);
  });

  it.each([
    ["91.6", "must be parts of 1000, above 100: 91.6 % is 916"],
    ["99.99", "must be parts of 1000, above 100: 99.99 % is 999.9"],
    ["75", "must be parts of 1000, above 100: 75 % is 750"],
    ["22", "must be parts of 1000, above 100: 22 karat is karat: 22, 22 % is 220"],
    ["9", "must be parts of 1000, above 100: 9 karat is karat: 9"],
    ["100", "must be parts of 1000, above 100: 100 % is 1000"],
  ])("is not %s, and its refusal says what is", (given, message) => {
    expect(faultOf(given)).toBe(message);
    expect(faultOf(Number(given))).toBe(message);
    expect(finenessParameter.safeParse(Number(given)).error?.issues[0]?.message).toBe(message);
  });

  it.each(["0.750", "1000.1", 1_001, "-916", "9e2", "916,7", 916.6666, Number.NaN, null, true, "916.", ""])(
    "is not %s",
    (given) => {
      expect(faultOf(given)).toMatch(/^must be a purity in parts of 1000 with at most three decimals/);
    },
  );
});
