/** Runs work side by side without leaving any of it behind. */

/** Waits for all, and then throws the first error. */
export const allDone = async (works: readonly (Promise<unknown> | undefined)[]): Promise<void> => {
  const failed = (await Promise.allSettled(works)).find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
};
