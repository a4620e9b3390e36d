/** Writes every file generated from the contract; with `--check` it writes nothing and fails on any difference. */
import { fileURLToPath } from "node:url";
import { findDifferences, generatedFiles, MADE_FOLDERS, settleDifferences } from "./generated-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const files = generatedFiles();
const differences = await findDifferences(ROOT, files, MADE_FOLDERS);
const isCheck = process.argv.includes("--check");
const said = isCheck
  ? { missing: "missing", changed: "changed", gone: "gone" }
  : { missing: "added", changed: "changed", gone: "removed" };
for (const { path, kind } of differences) process.stdout.write(`${said[kind]} ${path}\n`);
if (isCheck) process.exitCode = differences.length === 0 ? 0 : 1;
else await settleDifferences(ROOT, files, differences);
