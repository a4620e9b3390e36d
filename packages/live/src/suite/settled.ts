/** What counters hand out in a settlement. */
import type { CountersPort, UsageDelta } from "../ports.ts";

/** Settles once without a store, and returns what was handed out. */
export const settled = async (counters: CountersPort): Promise<readonly UsageDelta[]> => {
  const handedOut: UsageDelta[] = [];
  await counters.settle(async (deltas) => void handedOut.push(...deltas));
  return handedOut;
};
