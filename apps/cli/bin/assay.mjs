#!/usr/bin/env -S MALLOC_TRIM_THRESHOLD_=131072 node --max-semi-space-size=2
/**
 * `assay`: runs the compiled code. In the repository, where the sources exist, it first builds what changed. Node keeps up to 48 MB
 * of short-lived objects by default; an eighth of that costs no measurable time. glibc raises this threshold when a large block is
 * freed, and then keeps up to 64 MB; a threshold that is set stays.
 */
import { existsSync } from "node:fs";

if (existsSync(new URL("../src", import.meta.url))) {
  const { run } = await import("../../../tools/run.mjs");
  await run("apps/cli/dist/bundle/assay.js", process.argv.slice(2));
} else await import("../dist/bundle/assay.js");
