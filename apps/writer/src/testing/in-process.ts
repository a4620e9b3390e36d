/** The writer's threads in the test's own process: real ones only run compiled code. */
import { setImmediate } from "node:timers/promises";
import { probabilitySurface } from "@assay/pricing";
import { makeLines } from "../simulated/make-bars.ts";
import type { Thread, Threads } from "../threads/threads.ts";

const computing = <Input, Output>(compute: (input: Input) => Output): Thread<Input, Output> => ({
  ask: async (input) => {
    await setImmediate();
    return compute(input);
  },
  close: async () => {},
});

/** Threads without a thread. */
export const inProcess: Threads = {
  surfaces: () => computing(probabilitySurface),
  bars: () => computing(({ gap, ...options }) => makeLines(gap, options)),
};
