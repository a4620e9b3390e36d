/** Every way to be broken that is tested. */
import { BROKEN_ANSWERS } from "./answers.ts";
import type { BrokenWay } from "./broken-way.ts";
import { BROKEN_GATES } from "./gates.ts";
import { BROKEN_HEADERS } from "./headers.ts";
import { BROKEN_INPUTS } from "./inputs.ts";
import { BROKEN_INVARIANTS } from "./invariants.ts";
import { BROKEN_TRUTHS } from "./truth.ts";

export const BROKEN_WAYS: readonly BrokenWay[] = [
  ...BROKEN_ANSWERS,
  ...BROKEN_HEADERS,
  ...BROKEN_GATES,
  ...BROKEN_INVARIANTS,
  ...BROKEN_INPUTS,
  ...BROKEN_TRUTHS,
];
