import { machineRandom } from "@assay/ports";
import { describe, expect, test } from "vitest";
import { generateKey } from "../access/api-key.ts";
import { scopeOf, seal, unseal } from "./retry.ts";

const KEY = generateKey(machineRandom);
const ANSWER = JSON.stringify({ id: "k1", plaintext: generateKey(machineRandom) });

describe("a sealed answer", () => {
  test("opens under the same key and Idempotency-Key", () => {
    expect(unseal(seal(ANSWER, KEY, "retry-1", machineRandom), KEY, "retry-1")).toBe(ANSWER);
  });

  test("opens under no other", () => {
    const sealed = seal(ANSWER, KEY, "retry-1", machineRandom);
    expect(() => unseal(sealed, generateKey(machineRandom), "retry-1")).toThrow();
    expect(() => unseal(sealed, KEY, "retry-2")).toThrow();
  });

  test("does not open when any byte of it was changed", () => {
    const sealed = Buffer.from(seal(ANSWER, KEY, "retry-1", machineRandom));
    for (let position = 0; position < sealed.length; position += 7) {
      const changed = Buffer.from(sealed);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(() => unseal(changed, KEY, "retry-1"), `byte ${position}`).toThrow();
    }
  });

  test("shows nothing of the answer, and is another each time", () => {
    const sealed = Buffer.from(seal(ANSWER, KEY, "retry-1", machineRandom));
    expect(sealed.includes("assay_live_")).toBe(false);
    expect(sealed.equals(Buffer.from(seal(ANSWER, KEY, "retry-1", machineRandom)))).toBe(false);
  });
});

test("a scope tells keys and Idempotency-Keys apart, however they are cut", () => {
  expect(scopeOf("a", "bc")).not.toBe(scopeOf("ab", "c"));
  expect(scopeOf('a","b', "c")).not.toBe(scopeOf("a", 'b","c'));
  expect(scopeOf("a", "b")).toBe(scopeOf("a", "b"));
});
