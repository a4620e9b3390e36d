/** Endpoints as their owners see and change them, and the test events that they ask for. */
import { and, desc, eq, getTableColumns, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { keepAnswer, type NewAnswer } from "../accounts/idempotency.ts";
import { claimSeat, inTurn, type Replayed } from "../accounts/organisations.ts";
import { organisations } from "../schema/accounts.ts";
import { endpoints } from "../schema/alerts.ts";
import { instantOf } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";
import type { DeliveryRow } from "./deliveries.ts";

/** A stored endpoint, with its secrets. */
export type EndpointRow = typeof endpoints.$inferSelect;

/** The endpoints of an organisation, newest first. */
export const readEndpoints = (store: Store, orgId: string): Promise<EndpointRow[]> =>
  store.run((db) =>
    db
      .select()
      .from(endpoints)
      .where(and(eq(endpoints.orgId, orgId), isNull(endpoints.deletedAtMs)))
      .orderBy(desc(endpoints.createdAtMs), desc(endpoints.id)),
  );

export interface EndpointOfAny extends EndpointRow {
  readonly orgName: string;
  /** Events that wait for it. */
  readonly pending: number;
}

/** The endpoints of all organisations, newest first. */
export const readAllEndpoints = (store: Store, isFailing: boolean): Promise<EndpointOfAny[]> =>
  store.run((db) =>
    db
      .select({
        ...getTableColumns(endpoints),
        orgName: organisations.name,
        pending: sql<number>`(
          select count(*)::int from deliveries where endpoint_id = endpoints.id and status = 'pending')`,
      })
      .from(endpoints)
      .innerJoin(organisations, eq(organisations.id, endpoints.orgId))
      .where(
        and(
          isNull(endpoints.deletedAtMs),
          isFailing ? or(isNotNull(endpoints.failingSinceMs), isNotNull(endpoints.disabledAtMs)) : undefined,
        ),
      )
      .orderBy(desc(endpoints.createdAtMs), desc(endpoints.id)),
  );

export type NewEndpoint = Pick<EndpointRow, "id" | "orgId" | "url" | "secret" | "createdAtMs">;

/**
 * Adds an endpoint unless its organisation is at its limit.
 * @param mostEndpoints the limit
 * @param answer under an Idempotency-Key
 */
export const addEndpoint = (
  store: Store,
  endpoint: NewEndpoint,
  mostEndpoints: number,
  answer?: NewAnswer,
): Promise<{ readonly kind: "added" | "limit_reached" } | Replayed> => {
  const { id, orgId, url, secret, createdAtMs: atMs } = endpoint;
  return inTurn(store, { orgId, atMs, answer }, async (turn) => {
    if (turn.endpoints >= mostEndpoints) return { kind: "limit_reached" };
    const statement = sql`
      with seat as (${claimSeat(turn)}), turn as (${keepAnswer(answer, "seat", atMs)})
      insert into endpoints (id, org_id, url, secret, created_at)
      select ${id}, ${orgId}, ${url}, ${secret}, ${instantOf(atMs)} from turn returning 1`;
    return (await store.run((db) => rowsOf(db, statement))).length > 0 ? { kind: "added" } : null;
  });
};

/** An endpoint of an organisation, and the instant of a change. */
export interface EndpointAt {
  readonly id: string;
  readonly orgId: string;
  readonly atMs: number;
}

const own = ({ id, orgId }: EndpointAt): SQL =>
  sql`endpoints.id = ${id} and endpoints.org_id = ${orgId} and endpoints.deleted_at is null`;

/** Deletes an endpoint that no alert is sent to, and its secrets. */
export const deleteEndpoint = async (store: Store, endpoint: EndpointAt): Promise<"deleted" | "no_endpoint" | "in_use"> => {
  const { orgId, id: endpointId, atMs } = endpoint;
  const result = await inTurn<"deleted" | "no_endpoint" | "in_use">(store, { orgId, endpointId, atMs }, async (turn) => {
    if (!turn.hasEndpoint) return "no_endpoint";
    if (turn.isEndpointUsed) return "in_use";
    const statement = sql`
      with seat as (${claimSeat(turn)})
      update endpoints set deleted_at = ${instantOf(atMs)}, secret = '', previous_secret = null from seat where ${own(endpoint)} returning 1`;
    return (await store.run((db) => rowsOf(db, statement))).length > 0 ? "deleted" : null;
  });
  // Without an answer to keep nothing is replayed.
  return typeof result === "string" ? result : "no_endpoint";
};

/** Whoever rotates more often within a day ends the oldest. */
const MOST_PREVIOUS = 4;

/**
 * Replaces the secret of an endpoint; the one before signs as well for a while, and so do those that still do.
 * @param rotation.previousUntilMs until when
 * @param answer under an Idempotency-Key
 */
export const rotateSecret = (
  store: Store,
  rotation: EndpointAt & { readonly secret: string; readonly previousUntilMs: number },
  answer?: NewAnswer,
): Promise<{ readonly kind: "rotated" | "no_endpoint" } | Replayed> => {
  const { orgId, id: endpointId, atMs, secret, previousUntilMs } = rotation;
  return inTurn(store, { orgId, endpointId, atMs, answer }, async (turn) => {
    if (!turn.hasEndpoint) return { kind: "no_endpoint" };
    const statement = sql`
      with seat as (${claimSeat(turn)}), turn as (${keepAnswer(answer, "seat", atMs)})
      update endpoints set previous_secret = array_to_string(
          (secret || case when previous_until > ${instantOf(atMs)} then string_to_array(previous_secret, ' ') else '{}' end)[1:${MOST_PREVIOUS}::int], ' '),
        previous_until = ${instantOf(previousUntilMs)}, secret = ${secret}
      from turn where ${own(rotation)} returning 1`;
    return (await store.run((db) => rowsOf(db, statement))).length > 0 ? { kind: "rotated" } : null;
  });
};

/**
 * Adds a test event to the outbox, unless one waits for the endpoint already: that one is due at once.
 * @returns the id of the one that waits; null when the organisation has no such endpoint
 */
export const addTest = async (
  store: Store,
  endpoint: EndpointAt,
  { id, payload }: Pick<DeliveryRow, "id" | "payload">,
): Promise<string | null> => {
  const { orgId, id: endpointId, atMs } = endpoint;
  const at = instantOf(atMs);
  const result = await inTurn<{ readonly waiting: string | null }>(store, { orgId, endpointId, atMs }, async (turn) => {
    if (!turn.hasEndpoint) return { waiting: null };
    const statement = sql`
      with seat as (${claimSeat(turn)}), waiting as (
        update deliveries set next_try_at = ${at} from seat
        where status = 'pending' and type = 'endpoint.test' and endpoint_id = ${endpointId}
        returning deliveries.id
      ), added as (
        insert into deliveries (id, org_id, endpoint_id, type, payload, created_at, status, tries, next_try_at)
        select ${id}, endpoints.org_id, endpoints.id, 'endpoint.test', ${payload}, ${at}, 'pending', 0, ${at}
        from endpoints cross join seat where ${own(endpoint)} and not exists (select from waiting) returning id
      )
      select id from waiting union all select id from added limit 1`;
    const [row] = await store.run((db) => rowsOf<{ id: string }>(db, statement));
    return row ? { waiting: row.id } : null;
  });
  // Without an answer to keep nothing is replayed.
  return "waiting" in result ? result.waiting : null;
};
