/** Checks that metals and currencies are named in the catalogue alone, so that a row of it is all that a new one needs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, isCode, isTest, ROOT, workspacesOf } from "../workspaces.mjs";

/** Codes that only code about one particular metal or currency would name. */
const NAMED = /(["'`])(XAG|XPT|EUR)\1/;
const COMMENT = /^\s*(\*|\/\/|\/\*)/;

/** Where they may stand, and why. */
const ALLOWED = [
  ["packages/catalogue/", "the catalogue"],
  ["packages/contract/src/routes/", "examples"],
  ["packages/feeds/src/sources/", "as publishers write them"],
  ["apps/console/", "examples and defaults of its forms"],
  ["packages/testkit/", "fixtures"],
  ["e2e/", "tests"],
  ["bench/", "tests"],
];

/** Source files that name a metal or a currency themselves, in words. */
export const literalFaults = (root = ROOT) =>
  workspacesOf(root)
    .flatMap(({ folder }) => filesUnder(`${folder}/src`, root))
    .filter((path) => isCode(path) && !isTest(path) && !ALLOWED.some(([folder]) => path.startsWith(folder)))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, index) => {
          const code = COMMENT.test(line) ? undefined : NAMED.exec(line)?.[2];
          return code === undefined ? [] : [`${path}:${index + 1} names ${code}; derive it from packages/catalogue`];
        }),
    );
