/** What a writer that stands by announces when it reached the database: who leads without it can hand over. */
import type { Live } from "./ports.ts";

const STANDBYS_KEY = "standbys";

/**
 * Says that this process could write, if it held the lease.
 * @param text differs from what was said before
 */
export const announceStandby = async ({ latest }: Pick<Live, "latest">, text: string): Promise<void> => {
  // The newest stands, whatever its writer's clock says.
  await latest.put(STANDBYS_KEY, text, { token: 0, atMs: 0 });
};

/** The newest announcement; null when there is none, or when it cannot be read. */
export const readStandby = ({ latest }: Pick<Live, "latest">): Promise<string | null> =>
  latest.get(STANDBYS_KEY).catch(() => null);
