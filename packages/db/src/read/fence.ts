/** The state that writes are checked against. */
import { writerFence } from "../schema/writer-fence.ts";
import type { Store } from "../store.ts";

/** The highest token the store has seen: the floor of the next lease. Zero before the first writer. */
export const readFenceToken = (store: Store): Promise<number> =>
  store.run(async (db) => {
    const [row] = await db.select({ token: writerFence.token }).from(writerFence);
    return row?.token ?? 0;
  });

/** The revision of running bars; read it before the bars that a write is computed from. */
export const readBarsRevision = (store: Store): Promise<number> =>
  store.run(async (db) => {
    const [row] = await db.select({ revision: writerFence.barsRevision }).from(writerFence);
    return row?.revision ?? 0;
  });
