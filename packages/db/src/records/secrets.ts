/** Secrets that the processes of a service share. */
import { eq } from "drizzle-orm";
import { serviceSecrets } from "../schema/records.ts";
import type { Store } from "../store.ts";

/**
 * Gets a secret, or creates it. Processes that start together all get the one that was stored.
 * @param make a new value; called whether or not it is stored
 */
export const getOrCreateSecret = (store: Store, name: string, make: () => string, atMs: number): Promise<string> =>
  store.run(async (db) => {
    const find = async () => {
      const [row] = await db.select({ value: serviceSecrets.value }).from(serviceSecrets).where(eq(serviceSecrets.name, name));
      return row?.value;
    };
    const stored = await find();
    if (stored !== undefined) return stored;
    const made = make();
    await db.insert(serviceSecrets).values({ name, value: made, createdAtMs: atMs }).onConflictDoNothing();
    return (await find()) ?? made;
  });
