/** Organisations by name, as an operator knows them. */
import type { TierName } from "@assay/contract";
import { eq } from "drizzle-orm";
import { organisations } from "../schema/index.ts";
import type { Store } from "../store.ts";

/** Finds the organisation of a name; the oldest where a name was given twice. */
export const findOrganisation = (store: Store, name: string): Promise<{ readonly id: string; readonly tier: TierName } | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select({ id: organisations.id, tier: organisations.tier })
      .from(organisations)
      .where(eq(organisations.name, name))
      .orderBy(organisations.createdAtMs)
      .limit(1);
    return row ?? null;
  });
