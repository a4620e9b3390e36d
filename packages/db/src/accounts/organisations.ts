/** Organisations, and the changes of what they have, which are made one after the other. */
import type { TierName } from "@assay/contract";
import { eq, type SQL, sql } from "drizzle-orm";
import { StoreUnavailableError } from "../errors.ts";
import { organisations } from "../schema/accounts.ts";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";
import { findAnswer, type KeptAnswer, type NewAnswer } from "./idempotency.ts";

export interface NewOrganisation {
  readonly id: string;
  readonly name: string;
  readonly tier: TierName;
  readonly createdAtMs: number;
}

export const createOrganisation = (store: Store, organisation: NewOrganisation): Promise<void> =>
  store.run(async (db) => {
    await db.insert(organisations).values(organisation);
  });

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

/**
 * Changes an organisation's tier, which all its keys have.
 * @returns hashes of all its keys, whose cached tier is now out of date
 */
export const setTier = (store: Store, orgId: string, tier: TierName): Promise<string[]> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ hash: string }>(
      db,
      sql`
        with changed as (update organisations set tier = ${tier} where id = ${orgId} returning id)
        select key_hash as hash from api_keys join changed on changed.id = org_id`,
    );
    return rows.map(({ hash }) => hash);
  });

/**
 * Suspends an organisation: its keys are refused.
 * @param atMs since when; null lets them work again
 * @returns hashes of all its keys, of which others may have cached that they work, or do not
 */
export const suspendOrganisation = (store: Store, orgId: string, atMs: number | null): Promise<string[]> =>
  store.run(async (db) => {
    const at = atMs === null ? null : formatInstant(atMs);
    const rows = await rowsOf<{ hash: string }>(
      db,
      sql`
        with changed as (update organisations set suspended_at = ${at}::timestamptz where id = ${orgId} returning id)
        select key_hash as hash from api_keys join changed on changed.id = org_id`,
    );
    return rows.map(({ hash }) => hash);
  });

/**
 * Suspends the alerts of an organisation: none is judged, and none of its events is sent.
 * @param atMs since when; null lets them go on
 */
export const suspendAlerts = (store: Store, orgId: string, atMs: number | null): Promise<void> =>
  store.run(async (db) => {
    await db.update(organisations).set({ alertsSuspendedAtMs: atMs }).where(eq(organisations.id, orgId));
  });

/**
 * What an organisation has, as of a version of its row, which every change of its alerts and endpoints updates: what such a change
 * depends on is counted before it, and a statement that waited for a lock would not see what was added meanwhile.
 */
export interface OrgTurn {
  readonly orgId: string;
  readonly version: string;
  readonly alerts: number;
  readonly endpoints: number;
  readonly hasEndpoint: boolean;
  /** Whether alerts are sent to that endpoint. */
  readonly isEndpointUsed: boolean;
}

const readTurn = (store: Store, orgId: string, endpointId: string): Promise<OrgTurn | null> =>
  store.run(async (db) => {
    const [row] = await rowsOf<Omit<OrgTurn, "orgId">>(
      db,
      sql`
        select
          xmin::text as version,
          (select count(*)::int from alerts where org_id = org.id and deleted_at is null) as alerts,
          (select count(*)::int from endpoints where org_id = org.id and deleted_at is null) as endpoints,
          exists (select from endpoints where id = ${endpointId} and org_id = org.id and deleted_at is null) as "hasEndpoint",
          exists (select from alerts where endpoint_id = ${endpointId} and org_id = org.id and deleted_at is null) as "isEndpointUsed"
        from organisations as org where org.id = ${orgId}`,
    );
    return row ? { orgId, ...row } : null;
  });

/**
 * One row when nothing was added to the organisation since its version was read, none otherwise; concurrent additions wait until
 * this statement ends.
 */
export const claimSeat = ({ orgId, version }: Pick<OrgTurn, "orgId" | "version">): SQL =>
  sql`update organisations set name = name where id = ${orgId} and xmin::text = ${version} returning id`;

export interface TurnOptions {
  readonly orgId: string;
  readonly endpointId?: string;
  readonly atMs: number;
  /** Under an Idempotency-Key: where the response is kept. */
  readonly answer?: NewAnswer | undefined;
}

/** The Idempotency-Key was used before; nothing was changed. Compare its body digest with this request's. */
export interface Replayed {
  readonly kind: "replayed";
  readonly answer: KeptAnswer;
}

/** Each lost attempt means that another change of the organisation was made meanwhile. */
const MOST_TURNS = 50;

/**
 * Makes a change when it is its turn.
 * @param change decides by what there is, and makes the change in a statement that claims the version; null when it was lost
 */
export const inTurn = async <Result>(
  store: Store,
  { orgId, endpointId = "", atMs, answer }: TurnOptions,
  change: (turn: OrgTurn) => Promise<Result | null>,
): Promise<Result | Replayed> => {
  for (let attempt = 0; attempt < MOST_TURNS; attempt += 1) {
    // Read before looking for a stored response: a replay is not refused because its own first request reached a limit.
    const turn = await readTurn(store, orgId, endpointId);
    const kept = answer && (await findAnswer(store, answer.scopeHash, atMs));
    if (kept) return { kind: "replayed", answer: kept };
    if (!turn) throw new StoreUnavailableError("the organisation is not in the database");
    const result = await change(turn);
    if (result !== null) return result;
  }
  throw new StoreUnavailableError("too many changes of the organisation are being made at once");
};
