/** Probability surfaces: the newest of each metal and live horizon. */
import type { SurfaceMetal } from "@assay/contract";
import type { HorizonSurface } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { unnest, unnestJson } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

/**
 * Reads the surfaces of a metal, of any age.
 * @param nowMs horizons that ended at or before it are omitted
 * @returns by date
 */
export const readSurfaces = async (store: Store, metal: SurfaceMetal, nowMs: number): Promise<HorizonSurface[]> => {
  const rows = await store.run((db) =>
    rowsOf<{ document: string }>(
      db,
      sql`
        select document::text from surfaces
        where metal = ${metal} and expires_at > ${formatInstant(nowMs)}::timestamptz order by horizon`,
    ),
  );
  return rows.map(({ document }): HorizonSurface => JSON.parse(document)); // written by our own writer in this shape
};

/**
 * Replaces the surfaces of their horizons and deletes horizons that are over, in one statement. Other horizons are unchanged.
 * @param nowMs horizons that ended at or before it are over
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeSurfaces = async (
  store: Store,
  writer: WriterToken,
  surfaces: readonly HorizonSurface[],
  nowMs: number,
): Promise<void> => {
  const now = sql`${formatInstant(nowMs)}::timestamptz`;
  const distinct = new Map(
    surfaces.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map((surface) => [`${surface.metal} ${surface.horizon}`, surface]),
  );
  const rows = [...distinct.values()];
  const metals = unnest(rows, (surface) => surface.metal, "text");
  const horizons = unnest(rows, (surface) => surface.horizon, "date");
  await insertBehindFence(store, writer, [
    sql`
      insert into surfaces as stored (metal, horizon, expires_at, computed_at, document)
      select
        ${metals},
        ${horizons},
        ${unnest(rows, (surface) => formatInstant(surface.expiresAtMs), "timestamptz")},
        ${unnest(rows, (surface) => formatInstant(surface.computedAtMs), "timestamptz")},
        ${unnestJson(rows)}
      from fence
      on conflict (metal, horizon) do update set
        expires_at = excluded.expires_at, computed_at = excluded.computed_at, document = excluded.document
      where stored.computed_at <= excluded.computed_at`,
    sql`
      delete from surfaces using fence where surfaces.expires_at <= ${now}
        and (metal, horizon) not in (select ${metals}, ${horizons})`,
  ]);
};
