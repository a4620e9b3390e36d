/** Empties a store between the tests of a suite. */
import { sql } from "drizzle-orm";
import type { Store } from "../store.ts";

/** Resets the tables to their state after the migrations. */
export const emptyTables = (store: Store): Promise<void> =>
  store.run(async (db) => {
    await db.execute(sql`truncate api_keys, organisations, idempotency_keys, usage_daily, bars, ticks, fx_tables,
      service_secrets, feed_runs, imports, settlements, archives, dealer_quotes, surfaces, beliefs, history_gaps`);
    await db.execute(sql`update writer_fence set token = 0, holder = '', since = 'epoch'`);
  });
