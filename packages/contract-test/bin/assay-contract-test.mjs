#!/usr/bin/env node
/**
 * `npx assay-contract-test`: runs the package's bundle. In the repository, where the sources exist, it builds and runs those.
 */
import { existsSync } from "node:fs";

if (existsSync(new URL("../src", import.meta.url))) {
  const { run } = await import("../../../tools/run.mjs");
  await run("packages/contract-test/dist/command.js", process.argv.slice(2));
} else await import("../dist/bundle/command.js");
