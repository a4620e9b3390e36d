/**
 * An organisation's number of keys, and a check that no key was added since. A statement that waited for a lock still sees the
 * keys as of before the wait, so counting them within the statement is not enough: every addition updates the organisation's row,
 * and the check compares the row version (`xmin`) that was read with the count.
 */
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** The keys of an organisation at an instant, including those in grace. */
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

/**
 * One row when no key was added since the seats were read, none otherwise; concurrent additions wait until this statement ends.
 */
export const claimSeat = ({ orgId, version }: KeySeats): SQL =>
  sql`update organisations set name = name where id = ${orgId} and xmin::text = ${version} returning id`;
