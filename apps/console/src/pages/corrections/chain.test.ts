import { createHash } from "node:crypto";
import { contract } from "@assay/contract";
import type { Wire } from "@assay/sdk/trpc";
import { describe, expect, it } from "vitest";
import { canonical, checkChain } from "./chain.ts";

const { corrections } = contract.corrections.list.output.parse(contract.corrections.list.examples?.page?.value);
const [example] = corrections;

/** A chain of our own, by Node's own digest. */
const chained = (numbers: readonly number[]): Wire.Correction[] => {
  const rows: Wire.Correction[] = [];
  for (const number of numbers) {
    const entry = { ...(example as Wire.Correction), number, previous: rows.at(-1)?.digest ?? null };
    const { digest: _, ...rest } = entry;
    rows.push({ ...entry, digest: createHash("sha256").update(canonical(rest)).digest("hex") });
  }
  return rows;
};

const headOf = (rows: readonly Wire.Correction[]) => {
  const newest = rows.at(-1);
  return newest === undefined ? null : { number: newest.number, digest: newest.digest };
};

it("writes canonical JSON: names in order, no space, nothing left out", () => {
  expect(canonical({ b: null, a: { z: "é", y: 12 }, A: true })).toBe('{"A":true,"a":{"y":12,"z":"é"},"b":null}');
});

describe("a chain", () => {
  it("is whole when every row matches its digest and names the one before", async () => {
    const rows = chained([1, 2, 3, 7]);
    expect(await checkChain(rows, headOf(rows))).toEqual({ broken: [], linked: 3 });
    expect(await checkChain([], null)).toEqual({ broken: [], linked: 0 });
  });

  it("may lack rows between two others, which are then not linked", async () => {
    const rows = chained([1, 2, 3, 4]);
    expect(await checkChain([rows[0], rows[2], rows[3]] as Wire.Correction[], null)).toEqual({ broken: [], linked: 1 });
  });

  it("is broken by any figure that was changed", async () => {
    const rows = chained([1, 2, 3]);
    const changed = rows.map((row) => (row.number === 2 ? { ...row, before: { ...row.before, close: "3994.66" } } : row));
    expect((await checkChain(changed, null)).broken).toEqual([2]);
  });

  it("is broken by a row that was exchanged for another with a digest of its own", async () => {
    const rows = chained([1, 2, 3]);
    const [other] = chained([2]);
    expect((await checkChain([rows[0], other, rows[2]] as Wire.Correction[], null)).broken).toEqual([2, 3]);
  });

  it("is broken when its newest row is not the one that the head names", async () => {
    const rows = chained([1, 2]);
    expect((await checkChain(rows, { number: 2, digest: "0".repeat(64) })).broken).toEqual([2]);
    expect((await checkChain(rows, { number: 3, digest: "0".repeat(64) })).broken).toEqual([]);
  });
});
