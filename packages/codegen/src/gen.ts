/** Writes every file generated from the contract; with `--check` it writes nothing and fails on any difference. */
import { fileURLToPath } from "node:url";
import { generatedFiles, MADE_FOLDERS } from "./generated-files.ts";
import { findDifferences, settleDifferences } from "./write-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const files = generatedFiles();
const differences = await findDifferences(ROOT, files, MADE_FOLDERS);
for (const { path, kind } of differences) process.stdout.write(`${kind} ${path}\n`);
if (process.argv.includes("--check")) process.exitCode = differences.length === 0 ? 0 : 1;
else await settleDifferences(ROOT, files, differences);
