/** What counters hand out in one settlement. */
import type { CountersPort, UsageDelta } from "../ports.ts";

/** Settles once into nothing, and tells what was handed out. */
export const settled = async (counters: CountersPort): Promise<readonly UsageDelta[]> => {
  const handedOut: UsageDelta[] = [];
  await counters.settle(async (deltas) => void handedOut.push(...deltas));
  return handedOut;
};
