/** The full content of some tables as text, for tests that look for what must not be stored. */
import { type Store, schema } from "@assay/db";

const TABLES = {
  api_keys: schema.apiKeys,
  organisations: schema.organisations,
  idempotency_keys: schema.idempotencyKeys,
  service_secrets: schema.serviceSecrets,
  usage_daily: schema.usageDaily,
};

/** Reads whole tables; binary columns as hexadecimal digits. */
export const rowsIn = async (store: Store, tables: readonly (keyof typeof TABLES)[]): Promise<string[]> => {
  const rows = await Promise.all(tables.map((name) => store.run((db): Promise<unknown[]> => db.select().from(TABLES[name]))));
  return rows
    .flat()
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value)),
    );
};
