/** The map of folders and the READMEs of workspaces. */
import { describe, expect, test } from "vitest";
import { mapFaults, readmeFaults } from "./map.mjs";
import { layOut } from "./scratch.mjs";

const repository = (map, more = {}) =>
  layOut({
    "packages/db/package.json": { private: true },
    "packages/db/src/index.ts": "",
    "packages/db/src/read/bars.ts": "",
    "packages/db/src/read/deep/bars.ts": "",
    "packages/db/src/testing/engines.ts": "",
    "packages/sdk/package.json": {},
    "packages/sdk/src/generated/types.ts": "",
    "docs/map.md": map,
    ...more,
  });

describe("the map", () => {
  test("holds when it names every workspace and the first folders of its sources", () => {
    const map =
      "# Map\n\n- `packages/db`: queries; `read/`\n  them, `README.md`\n- `packages/sdk`: `generated/` by `npm run gen`\n";
    expect(mapFaults(repository(map))).toEqual([]);
  });

  test("names workspaces and folders it lacks, and those that are gone", () => {
    const map = "- `packages/db`: `write/`\n- `packages/fly`: wings\n";
    expect(mapFaults(repository(map))).toEqual([
      "docs/map.md: there is no workspace packages/fly",
      "docs/map.md lacks packages/db/src/read",
      "docs/map.md: there is no packages/db/src/write",
      "docs/map.md lacks packages/sdk",
    ]);
  });

  test("has at most sixty lines", () => {
    const map = `- \`packages/db\`: \`read/\`\n- \`packages/sdk\`: code\n${"\n".repeat(60)}The end.\n`;
    expect(mapFaults(repository(map))).toEqual(["docs/map.md has 63 lines, more than 60"]);
  });
});

describe("READMEs of workspaces", () => {
  test("exist, and are short except for published packages", () => {
    const long = "a line\n".repeat(16);
    const faults = (more) => readmeFaults(repository("", more));
    expect(faults({ "packages/db/README.md": long.slice(7), "packages/sdk/README.md": long })).toEqual([]);
    expect(faults({ "packages/db/README.md": long })).toEqual([
      "packages/db/README.md has 16 lines, more than 15",
      "packages/sdk has no README.md",
    ]);
  });
});
