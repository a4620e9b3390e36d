/** What a writer does with a moment: into the store first, then to every process. */
import { type Moment, type Store, writeMoment } from "@assay/db";
import type { Live } from "@assay/live";

/** The writer tests play. */
const WRITER = { token: 1, holder: "test-writer" };

/**
 * Writes and tells a moment.
 * @param moment what happened; parts left out are empty
 * @param atMs when, epoch milliseconds
 */
export const publishMoment = async (store: Store, live: Live, moment: Partial<Moment>, atMs: number): Promise<void> => {
  const whole: Moment = { ticks: [], bars: [], fx: [], ...moment };
  await writeMoment(store, WRITER, whole);
  await live.bus.publish({ kind: "moment", token: WRITER.token, atMs, ...whole });
};
