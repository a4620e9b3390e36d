/** A bounded wait for work that must have ended before something else, and that others could keep from ending. */

/**
 * Waits for work, but no longer than a time; afterwards it goes on alone.
 * @returns whether it ended in time
 * @throws what the work throws in time
 */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
};
