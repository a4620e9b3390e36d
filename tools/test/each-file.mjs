/** Set up before every file of tests: random cases are those of one seed, and the CPU of the file is counted, its import included. */
import { configureGlobal } from "fast-check";
import { afterAll } from "vitest";
import { cpuSeconds } from "./cpu.mjs";

configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

const before = cpuSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
afterAll(({}, { file }) => {
  file.meta.cpuSeconds = cpuSeconds() - before;
});
