/** Checks that every source file starts with a sentence saying what it is for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, isCode, isTest, ROOT, workspacesOf } from "../workspaces.mjs";
import { readModule } from "./imports.mjs";

/** Folders of code outside the workspaces. */
const BESIDE = ["examples", "tools"];

/** Source files without a head comment, in words. */
export const headFaults = (root = ROOT) =>
  [...workspacesOf(root).map(({ folder }) => `${folder}/src`), ...BESIDE]
    .flatMap((folder) => filesUnder(folder, root))
    .filter((path) => isCode(path) && !isTest(path))
    .filter((path) => !/^\*[\s*]*[^\s*]/.test(readModule(path, readFileSync(join(root, path), "utf8")).head ?? ""))
    .map((path) => `${path} has no sentence at its head`);
