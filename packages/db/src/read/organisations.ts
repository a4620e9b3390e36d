/** Organisations by name. */
import type { TierName } from "@assay/contract";
import { eq } from "drizzle-orm";
import { organisations } from "../schema/index.ts";
import type { Store } from "../store.ts";

/** Finds an organisation by name; the oldest when several share the name. */
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
