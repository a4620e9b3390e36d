#!/usr/bin/env node
/** `assay`: runs the compiled code. In the repository, where the sources exist, it first builds what changed. */
import { existsSync } from "node:fs";

if (existsSync(new URL("../src", import.meta.url))) {
  const { run } = await import("../../../tools/run.mjs");
  await run("apps/cli/dist/bundle/assay.js", process.argv.slice(2));
} else await import("../dist/bundle/assay.js");
