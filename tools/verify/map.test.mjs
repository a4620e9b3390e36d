/** The map of the source files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawMap, MAP_PATH, mapFaults } from "./map.mjs";
import { layOut } from "./scratch.mjs";

const write = (root, text) => {
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(root, MAP_PATH), text);
};

const repository = (more = {}) =>
  layOut({
    "packages/pricing/package.json": { name: "@assay/pricing", description: "Arithmetic" },
    "packages/pricing/src/units.ts": "/** Weights: exact. A gram is a gram. */\nexport {};",
    "packages/pricing/src/units.test.ts": "export {};",
    "packages/pricing/src/deep/karat.ts": "/**\n * Karat prices,\n * per gram.\n *\n * More.\n */\nexport {};",
    "packages/contract/package.json": { name: "@assay/contract", description: "The wire" },
    "packages/contract/src/index.ts": "/** All of it. */\nexport {};",
    "tools/run.mjs": "#!/usr/bin/env node\n/** Runs. */\n",
    "examples/bot.mjs": "/** Trades. */\nexport {};",
    ...more,
  });

describe("the map", () => {
  test("has a line for each source file, the sentence at its head, from the ground of the house up", () => {
    const { text, silent } = drawMap(repository());
    expect(silent).toEqual([]);
    expect(text.split("\n").filter((line) => /^(##|-) /.test(line))).toEqual([
      "## packages/contract",
      "- `packages/contract/src/index.ts`: All of it.",
      "## packages/pricing",
      "- `packages/pricing/src/units.ts`: Weights: exact.",
      "- `packages/pricing/src/deep/karat.ts`: Karat prices, per gram.",
      "## examples",
      "- `examples/bot.mjs`: Trades.",
      "## tools",
      "- `tools/run.mjs`: Runs.",
    ]);
  });

  test("holds when it is as drawn", () => {
    const root = repository();
    write(root, drawMap(root).text);
    expect(mapFaults(root)).toEqual([]);
  });

  test("names files it lacks and lines of files that are gone", () => {
    const root = repository();
    write(root, drawMap(root).text.replace("pricing/src/units.ts", "pricing/src/gone.ts"));
    expect(mapFaults(root)).toEqual([
      "docs/map.md lacks: - `packages/pricing/src/units.ts`: Weights: exact.",
      "docs/map.md is out of date: - `packages/pricing/src/gone.ts`: Weights: exact.",
    ]);
  });

  test("names files that do not say what they are for; an import before the comment is no head", () => {
    const root = repository({ "tools/a.mjs": "export {};", "tools/b.mjs": 'import "node:fs";\n/** Late. */\nexport {};' });
    write(root, drawMap(root).text);
    expect(mapFaults(root)).toEqual(["tools/a.mjs has no sentence at its head", "tools/b.mjs has no sentence at its head"]);
  });
});
