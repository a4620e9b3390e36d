/** Three small worlds. `npm run world` plays more. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import PLANTED from "../planted.json" with { type: "json" };
import { openWorldStore, playSeed } from "./main.ts";

/** Between them they find half of the planted faults. */
const SEEDS = [1, 7, 2];

test("in a world with faults every promise holds, and one seed is one world", async () => {
  const store = await openWorldStore();
  const hashes: string[] = [];
  for (const seed of [...SEEDS, ...SEEDS.slice(0, 1)]) {
    const { outcome } = await playSeed(seed, store);
    expect(outcome.failure).toBeNull();
    hashes.push(outcome.hash);
  }
  await store.close();
  expect(hashes.at(-1)).toBe(hashes[0]);
  expect(new Set(hashes).size).toBe(SEEDS.length);
});

test.each(PLANTED)("$name is still planted in words that its file has", ({ also = [], ...change }) => {
  for (const { file, is } of [change, ...also]) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    expect(text.split(is)).toHaveLength(2);
  }
});
