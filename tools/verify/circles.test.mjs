/** Circles between files. */
import { describe, expect, test } from "vitest";
import { circleFaults } from "./circles.mjs";
import { layOut } from "./scratch.mjs";

const AT = "packages/db/src";

const faultsOf = (files) =>
  circleFaults(
    layOut({
      "packages/db/package.json": { name: "@assay/db" },
      ...Object.fromEntries(Object.entries(files).map(([path, code]) => [`${AT}/${path}`, code])),
    }),
  );

describe("files that import each other", () => {
  test("are absent where every import leads down", () => {
    const faults = faultsOf({
      "open.ts": 'import "./read/a.ts"; import "./read/b.ts"; import "./gone.ts";',
      "read/a.ts": 'import "./b.ts"; import "@assay/contract";',
      "read/b.ts": "export {};",
    });
    expect(faults).toEqual([]);
  });

  test("are named with the way round, however they import", () => {
    for (const words of ["import type { B } from", "export * from", "import", "export type { B } from"]) {
      const faults = faultsOf({
        "a.ts": `${words} "./read/b.ts";`,
        "read/b.ts": 'import "../c.ts";',
        "c.ts": 'import "./a.ts";',
      });
      expect(faults, words).toEqual([`files import each other: ${AT}/a.ts -> ${AT}/read/b.ts -> ${AT}/c.ts -> ${AT}/a.ts`]);
    }
  });

  test("are found in every knot, and where a file imports itself", () => {
    const faults = faultsOf({
      "a.ts": 'import "./b.ts"; import "./x.ts"; import "./self.ts";',
      "b.ts": 'import "./a.ts";',
      "x.ts": 'import "./y.ts";',
      "y.ts": 'import "./x.ts";',
      "self.ts": 'import "./self.ts";',
    });
    expect(faults).toHaveLength(3);
  });
});
