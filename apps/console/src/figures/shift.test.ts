import { expect, it } from "vitest";
import { asPercent } from "./shift.ts";

it("moves the point and changes no digit", () => {
  expect(asPercent("0.748413")).toBe("74.8413");
  expect(asPercent(0.5)).toBe("50");
  expect(asPercent(1)).toBe("100");
  expect(asPercent("0.006204")).toBe("0.6204");
  expect(asPercent("0.00")).toBe("0");
  expect(asPercent("-0.0125")).toBe("-1.25");
  expect(asPercent(0.1 + 0.2)).toBe("30.000000000000004");
  expect(asPercent("unknown")).toBe("unknown");
});
