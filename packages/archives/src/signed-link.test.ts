/** Links of the file store. */
import { BAR_SYMBOLS, INTERVALS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ArchiveName, objectPath, readObjectPath } from "./archive-store.ts";
import { LINK_TTL_MS, readLink, signLink } from "./signed-link.ts";
import { GOLD_2025 } from "./testing/archive-suite.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14, 3, 27, 125);
const SECRET = "s3cret";

const names: fc.Arbitrary<ArchiveName> = fc.record({
  symbol: fc.constantFrom(...BAR_SYMBOLS),
  interval: fc.constantFrom(...INTERVALS),
  year: fc.integer({ min: 1996, max: 9999 }),
  format: fc.constantFrom("csv" as const, "parquet" as const),
});
const split = (link: string): [path: string, query: string] => link.split("?") as [string, string]; // the link has a query

describe("a link", () => {
  test("leads to its archive for an hour and no longer", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 2 * LINK_TTL_MS }), (name, laterMs) => {
        const [path, query] = split(signLink(name, SECRET, NOW_MS));
        const isGood = NOW_MS + laterMs < Math.floor((NOW_MS + LINK_TTL_MS) / 1_000) * 1_000;
        expect(readLink(path, query, SECRET, NOW_MS + laterMs)).toEqual(isGood ? name : null);
      }),
    );
  });

  test("is refused once a letter of it was changed", () => {
    const link = signLink(GOLD_2025, SECRET, NOW_MS);
    fc.assert(
      fc.property(fc.nat(link.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, put) => {
        const changed = link.slice(0, at) + put + link.slice(at + 1);
        fc.pre(changed !== link);
        const [path, ...query] = changed.split("?");
        expect(readLink(path ?? "", query.join("?"), SECRET, NOW_MS)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
    const [path, query] = split(link);
    expect(readLink(path, query, "another", NOW_MS)).toBeNull();
    expect(readLink(path, `${query}&more=1`, SECRET, NOW_MS)).toBeNull();
    expect(readLink(path.replace("2025", "2024"), query, SECRET, NOW_MS)).toBeNull();
  });
});

describe("a path", () => {
  test("is read back as it is written", () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(readObjectPath(objectPath(name))).toEqual(name);
      }),
    );
  });

  test.each([
    ["../../etc/passwd"],
    ["XAU-USD-SPOT/1d/../1d/2025.csv"],
    ["XAU-USD-SPOT/1d/2025.csv/"],
    ["XAU-USD-SPOT/1d/2025.csv\0"],
    ["XAU-USD-SPOT/1d/.2025.csv.x.unfinished"],
    ["XAU-USD-SPOT/1d/0995.csv"],
    ["XPT-USD-SPOT/1d/2025.csv"],
    ["XAU-USD-SPOT/1w/2025.csv"],
    ["/XAU-USD-SPOT/1d/2025.csv"],
    ["XAU-USD-SPOT//2025.csv"],
    [""],
  ])("%j is not one", (path) => {
    expect(readObjectPath(path)).toBeNull();
  });
});
