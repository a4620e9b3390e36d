import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Representations } from "./representations.ts";

const TEXT = JSON.stringify(Array.from({ length: 400 }, (_, index) => ({ date: `2026-11-${index}`, close: "4000.10" })));

test("each form is compressed once, whoever asks and however many at once", async () => {
  const representations = new Representations(TEXT);
  for (const [encoding, unpack] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const [first, second] = await Promise.all([representations.accepted(encoding), representations.accepted(encoding)]);
    expect(second.body, encoding).toBe(first.body);
    expect(representations.accepted(encoding), "without waiting, once it is made").toBe(first);
    expect(unpack(first.body).toString()).toBe(TEXT);
    expect(first.body.length).toBeLessThan(TEXT.length / 3);
  }
});

test("what fits one packet is never compressed", () => {
  const representations = new Representations("x".repeat(1_023));
  expect(representations.isCompressible).toBe(false);
  expect(representations.accepted("br, gzip")).toBe(representations.plain);
});

test("with forms made beforehand there are no others", () => {
  const representations = new Representations(TEXT, { gzip: Buffer.from("packed") });
  expect(representations.accepted("br")).toBe(representations.plain);
  expect(Buffer.from((representations.accepted("br, gzip") as typeof representations.plain).body).toString()).toBe("packed"); // made beforehand
});
