/** Set up before every file of tests: random cases are those of one seed, and the CPU of the file is counted, its import included. */
import { configureGlobal } from "fast-check";
import { afterAll } from "vitest";
import { cpuSeconds } from "./cpu.mjs";

const { TEST_SEED = 1 } = process.env;
configureGlobal({ seed: Number(TEST_SEED) });

const before = cpuSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
afterAll(({}, { file }) => {
  file.meta.cpuSeconds = cpuSeconds() - before;
});
