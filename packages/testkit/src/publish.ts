/** Publishes a moment as a writer does: into the store first, then to every process. */
import { type Moment, type Store, writeDealerQuotes, writeMoment, writeSurfaces } from "@assay/db";
import type { Live } from "@assay/live";
import type { DealerTick, HorizonSurface } from "@assay/pricing";

/** The writer id tests use. */
const WRITER = { token: 1, holder: "test-writer" };

/**
 * Stores and publishes a moment.
 * @param moment what happened; parts left out are empty
 * @param atMs when, epoch milliseconds
 */
export const publishMoment = async (store: Store, live: Live, moment: Partial<Moment>, atMs: number): Promise<void> => {
  const whole: Moment = { ticks: [], bars: [], fx: [], ...moment };
  await writeMoment(store, WRITER, whole);
  await live.bus.publish({ kind: "moment", token: WRITER.token, atMs, ...whole });
};

/** Stores changes of dealers' quotes and publishes them, as a writer does. */
export const publishDealers = async (store: Store, live: Live, quotes: readonly DealerTick[], atMs: number): Promise<void> => {
  await writeDealerQuotes(store, WRITER, quotes);
  await live.bus.publish({ kind: "dealer-quotes", token: WRITER.token, atMs, quotes });
};

/**
 * Stores surfaces and makes every process load them.
 * @param atMs when, epoch milliseconds
 */
export const publishSurfaces = async (
  store: Store,
  live: Live,
  surfaces: readonly HorizonSurface[],
  atMs: number,
): Promise<void> => {
  await writeSurfaces(store, WRITER, surfaces, atMs);
  for (const metal of new Set(surfaces.map((surface) => surface.metal)))
    await live.bus.publish({ kind: "surfaces-replaced", metal });
};
