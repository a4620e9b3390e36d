/**
 * How many keys an organisation has, and a statement's claim that no key was added since. One that waited for a lock still sees the
 * keys as they were before it waited, so counting them within the statement is not enough: every addition writes the organisation's
 * row, and a claim names the version of the row that stood beside the count (`xmin`).
 */
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** The keys of an organisation at an instant, those in grace included. */
export interface KeySeats {
  readonly orgId: string;
  readonly live: number;
  /** The version of the organisation's row. */
  readonly version: string;
}

/** Counts them; null when there is no such organisation. */
export const readKeySeats = (store: Store, orgId: string, atMs: number): Promise<KeySeats | null> =>
  store.run(async (db) => {
    const [row] = await rowsOf<{ live: number; version: string }>(
      db,
      sql`
        select organisations.xmin::text as version, (
          select count(*)::int from api_keys
          where org_id = organisations.id and (revoked_at is null or revoked_at > ${formatInstant(atMs)}::text::timestamptz)
        ) as live
        from organisations where id = ${orgId}`,
    );
    return row ? { orgId, ...row } : null;
  });

/** One row when no key was added since the seats were read, none otherwise; others who add one wait until this statement ends. */
export const claimSeat = ({ orgId, version }: KeySeats): SQL =>
  sql`update organisations set name = name where id = ${orgId} and xmin::text = ${version} returning id`;
