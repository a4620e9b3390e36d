/** `npx assay-contract-test`: runs the command in a process. */
import { contractTest } from "./contract-test.ts";

process.exitCode = await contractTest(
  process.argv.slice(2),
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  process.stderr.isTTY === true,
);
