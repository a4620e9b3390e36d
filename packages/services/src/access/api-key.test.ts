import { machineRandom } from "@assay/ports";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKey, hashKey, isKeyForm, KEY_PREFIX_LENGTH } from "./api-key.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("a generated key", () => {
  test("has the prefix, 32 characters and 6 of checksum, all base62", () => {
    for (let count = 0; count < 200; count += 1) expect(generateKey(machineRandom)).toMatch(/^assay_live_[0-9A-Za-z]{38}$/);
  });

  test("is never the same twice, and uses every character", () => {
    const keys = Array.from({ length: 500 }, () => generateKey(machineRandom));
    expect(new Set(keys).size).toBe(500);
    const used = new Set(keys.flatMap((key) => [...key.slice("assay_live_".length)]));
    expect([...used].sort()).toEqual([...ALPHABET].sort());
  });

  test("is of the form it is checked for", () => {
    for (let count = 0; count < 200; count += 1) expect(isKeyForm(generateKey(machineRandom))).toBe(true);
  });

  test("is so short in its prefix that most of it stays secret", () => {
    expect(generateKey(machineRandom).slice(0, KEY_PREFIX_LENGTH)).toHaveLength(16);
    expect(KEY_PREFIX_LENGTH - "assay_live_".length).toBe(5);
  });
});

describe("the checksum", () => {
  test("detects any one mistyped character", () => {
    const key = generateKey(machineRandom);
    for (let position = "assay_live_".length; position < key.length; position += 1) {
      for (const other of ALPHABET) {
        if (other === key[position]) continue;
        expect(isKeyForm(`${key.slice(0, position)}${other}${key.slice(position + 1)}`)).toBe(false);
      }
    }
  });

  test("rejects well-formed keys that were never made", () => {
    const letters = fc.constantFrom(...ALPHABET);
    fc.assert(
      fc.property(fc.array(letters, { minLength: 38, maxLength: 38 }), (made) => {
        expect(isKeyForm(`assay_live_${made.join("")}`)).toBe(false);
      }),
    );
  });

  test("rejects anything else", () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => isKeyForm(text) === false));
    const key = generateKey(machineRandom);
    for (const bad of [
      ` ${key}`,
      `${key}\n`,
      `${key} `,
      key.toUpperCase(),
      `${key}${key}`,
      key.replace("assay_live_", "assay_test_"),
    ]) {
      expect(isKeyForm(bad)).toBe(false);
    }
  });
});

test("what is stored of a key is its SHA-256 in hex", () => {
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
