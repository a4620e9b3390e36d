/** Many streams asked for at once: how many are given. */

const ANSWER_WITHIN_MS = 30_000;

/** What was opened. */
export interface OpenedPlaces {
  readonly open: number;
  close(): Promise<void>;
}

/**
 * Asks for streams at once, in turn at each process.
 * @throws Error when one is neither given nor refused for the number of them
 */
export const openPlaces = async (urls: readonly string[], key: string, count: number): Promise<OpenedPlaces> => {
  const asked = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const ending = new AbortController();
      const late = setTimeout(() => ending.abort(), ANSWER_WITHIN_MS);
      const response = await fetch(`${urls[at % urls.length]}/v1/prices/stream?symbol=gold`, {
        headers: { authorization: `Bearer ${key}` },
        signal: ending.signal,
      });
      clearTimeout(late);
      return { status: response.status, ending, response };
    }),
  );
  const strange = asked.filter(({ status }) => status !== 200 && status !== 429);
  if (strange.length > 0) throw new Error(`a stream was answered with ${strange[0]?.status}`);
  const given = asked.filter(({ status }) => status === 200);
  return {
    open: given.length,
    close: async () => {
      for (const { response, ending } of asked) {
        await response.body?.cancel().catch(() => undefined);
        ending.abort();
      }
    },
  };
};
