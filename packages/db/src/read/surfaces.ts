/** The newest probability surface of each live horizon. */
import type { SurfaceMetal } from "@assay/contract";
import type { HorizonSurface } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
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
