/** Writes probability surfaces to the store. */
import type { HorizonSurface } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/**
 * Replaces the surfaces of their horizons and deletes horizons that are over, in one statement. Other horizons are unchanged.
 * @param nowMs horizons that ended at or before it are over
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeSurfaces = (
  store: Store,
  writer: WriterToken,
  surfaces: readonly HorizonSurface[],
  nowMs: number,
): Promise<void> => {
  const now = sql`${formatInstant(nowMs)}::timestamptz`;
  const rows = new Map(
    surfaces.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map((surface) => [`${surface.metal} ${surface.horizon}`, surface]),
  );
  return insertBehindFence(store, writer, [
    sql`
      insert into surfaces as stored (metal, horizon, expires_at, computed_at, document)
      select s ->> 'metal', (s ->> 'horizon')::date, to_timestamp((s ->> 'expiresAtMs')::numeric / 1000),
        to_timestamp((s ->> 'computedAtMs')::numeric / 1000), s
      from fence, json_array_elements(${JSON.stringify([...rows.values()])}::text::json) as s
      on conflict (metal, horizon) do update set
        expires_at = excluded.expires_at, computed_at = excluded.computed_at, document = excluded.document
      where stored.computed_at <= excluded.computed_at`,
    sql`
      delete from surfaces using fence where surfaces.expires_at <= ${now}
        and (metal, horizon) not in (
          select s ->> 'metal', (s ->> 'horizon')::date
          from json_array_elements(${JSON.stringify([...rows.values()].map(({ metal, horizon }) => ({ metal, horizon })))}::text::json) as s)`,
  ]);
};
