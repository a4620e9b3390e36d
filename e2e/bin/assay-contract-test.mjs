#!/usr/bin/env node
/** `npx assay-contract-test`: holds any deployment to the contract; builds what changed first. */
import { run } from "../../tools/run.mjs";

await run("e2e/dist/contract-test/command.js", process.argv.slice(2));
