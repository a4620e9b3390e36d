/** Sentences at the head of files. */
import { expect, test } from "vitest";
import { headFaults } from "./heads.mjs";
import { layOut } from "./scratch.mjs";

test("files that do not say what they are for are named; an import before the comment is not a head, and tests need none", () => {
  const root = layOut({
    "packages/pricing/package.json": { name: "@assay/pricing" },
    "packages/pricing/src/units.ts": "/**\n * Weights: exact.\n */\nexport {};",
    "packages/pricing/src/units.test.ts": "export {};",
    "packages/pricing/src/karat.ts": "/** */\nexport {};",
    "examples/bot.mjs": "// Trades.\nexport {};",
    "tools/run.mjs": "#!/usr/bin/env node\n/** Runs. */\n",
    "tools/late.mjs": 'import "node:fs";\n/** Late. */\nexport {};',
  });
  expect(headFaults(root)).toEqual([
    "packages/pricing/src/karat.ts has no sentence at its head",
    "examples/bot.mjs has no sentence at its head",
    "tools/late.mjs has no sentence at its head",
  ]);
});
