/** The newest probability surface of each horizon, so that it can still be served after a restart or while a venue is silent. */
import type { SurfaceMetal } from "@assay/contract";
import type { HorizonSurface } from "@assay/pricing";
import { date, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row per metal and horizon; deleted once the horizon is over. */
export const surfaces = pgTable(
  "surfaces",
  {
    metal: text().$type<SurfaceMetal>().notNull(),
    horizon: date().notNull(),
    /** When the last market of the horizon ends. */
    expiresAtMs: instant("expires_at").notNull(),
    computedAtMs: instant("computed_at").notNull(),
    document: json().$type<HorizonSurface>().notNull(),
  },
  (table) => [primaryKey({ name: "surfaces_pk", columns: [table.metal, table.horizon] })],
);
