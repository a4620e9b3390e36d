/** Rows of alerts as the API leaves them, for suites of the judge and of deliveries. */
import { hash } from "node:crypto";
import type { TierName } from "@assay/contract";
import type { NumberedAlert } from "@assay/pricing";
import { eq, sql } from "drizzle-orm";
import { apiKeys, organisations } from "../schema/accounts.ts";
import { alertRevision, alerts, deliveries, endpoints } from "../schema/alerts.ts";
import { rowsOf, type Store } from "../store.ts";

/** The endpoint of an organisation, both made when they are missing. */
export interface TestEndpoint {
  readonly id: string;
  readonly orgId: string;
  readonly tier?: TierName;
  readonly url?: string;
}

/** A secret as endpoints have it. */
export const TEST_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Makes an endpoint, and its organisation with a key. */
export const putEndpoint = async (store: Store, { id, orgId, tier = "pro", url }: TestEndpoint): Promise<void> => {
  await store.run(async (db) => {
    await db.insert(organisations).values({ id: orgId, name: orgId, tier, createdAtMs: 0 }).onConflictDoNothing();
    const key = { id: `key_${orgId}`, orgId, name: "key", keyHash: hash("sha256", orgId), keyPrefix: "", createdAtMs: 0 };
    await db.insert(apiKeys).values(key).onConflictDoNothing();
    await db
      .insert(endpoints)
      .values({ id, orgId, url: url ?? "https://receiver.example/", secret: TEST_SECRET, createdAtMs: 0 })
      .onConflictDoNothing();
  });
};

/** Makes an alert, or what its owner changes it to; returns it with its revision. */
export const putAlert = async (
  store: Store,
  alert: Partial<NumberedAlert> & { readonly id: string },
  endpoint: TestEndpoint,
): Promise<NumberedAlert> => {
  await putEndpoint(store, endpoint);
  return store.run(async (db) => {
    const [counted] = await db.update(alertRevision).set({ revision: sql`revision + 1` }).returning();
    const row: NumberedAlert = {
      name: alert.id,
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4000",
      windowSeconds: null,
      direction: alert.kind === "moved" ? "either" : null,
      once: false,
      state: "armed",
      hasFired: false,
      seenSeq: 0,
      memory: null,
      ...alert,
      revision: counted?.revision ?? 0,
    };
    const owned = { orgId: endpoint.orgId, endpointId: endpoint.id, createdAtMs: 0, updatedAtMs: 0 };
    await db
      .insert(alerts)
      .values({ ...row, ...owned })
      .onConflictDoUpdate({ target: alerts.id, set: row });
    return row;
  });
};

export const deleteAlert = async (store: Store, id: string, atMs: number): Promise<void> => {
  await store.run(async (db) => {
    const [counted] = await db.update(alertRevision).set({ revision: sql`revision + 1` }).returning();
    await db
      .update(alerts)
      .set({ deletedAtMs: atMs, revision: counted?.revision ?? 0 })
      .where(eq(alerts.id, id));
  });
};

/** Removes an event, as merging and time do. */
export const removeDelivery = async (store: Store, id: string): Promise<void> => {
  await store.run((db) => db.delete(deliveries).where(eq(deliveries.id, id)));
};

/** What is stored of every event, in the order of their making. */
export interface StoredDelivery {
  readonly id: string;
  readonly alertId: string | null;
  readonly endpointId: string;
  readonly seq: number | null;
  readonly type: string;
  readonly payload: string;
  readonly status: string;
  readonly tries: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export const everyDelivery = (store: Store): Promise<StoredDelivery[]> =>
  store.run((db) =>
    rowsOf(
      db,
      sql`
        select id, alert_id as "alertId", endpoint_id as "endpointId", seq::float8 as seq, type, payload, status, tries,
          last_status as "lastStatus", last_error as "lastError"
        from deliveries order by created_at, id`,
    ),
  );

export const changeEndpoint = async (store: Store, id: string, change: Partial<typeof endpoints.$inferInsert>): Promise<void> => {
  await store.run((db) => db.update(endpoints).set(change).where(eq(endpoints.id, id)));
};

export const readEndpoint = async (store: Store, id: string): Promise<typeof endpoints.$inferSelect | undefined> => {
  const [row] = await store.run((db) => db.select().from(endpoints).where(eq(endpoints.id, id)));
  return row;
};

/** Asks for an event to be sent again, as its owner does. */
export const redeliver = async (store: Store, id: string, atMs: number): Promise<void> => {
  await store.run((db) =>
    db.update(deliveries).set({ status: "pending", tries: 0, nextTryAtMs: atMs }).where(eq(deliveries.id, id)),
  );
};

export const changeTier = async (store: Store, orgId: string, tier: TierName): Promise<void> => {
  await store.run((db) => db.update(organisations).set({ tier }).where(eq(organisations.id, orgId)));
};

/** Ends the keys of an organisation at an instant, as by a revocation; null lets them live. */
export const endKeys = async (store: Store, orgId: string, revokedAtMs: number | null): Promise<void> => {
  await store.run((db) => db.update(apiKeys).set({ revokedAtMs }).where(eq(apiKeys.orgId, orgId)));
};
