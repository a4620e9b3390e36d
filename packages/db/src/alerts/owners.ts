/** What the owner of alerts may have, as statements read it: its tier, how long its keys live, and whether it is suspended. */
import type { TierName } from "@assay/contract";
import type { AlertOwner } from "@assay/pricing";
import { sql } from "drizzle-orm";

/** The columns of `OWNER`. */
export interface OwnerRow {
  readonly tier: TierName;
  readonly isSuspended: boolean;
  /** Whether a key never ends; null without keys. */
  readonly isEndless: boolean | null;
  readonly keysUntilMs: number | null;
}

/** To be joined to `organisations`; `least` ignores nulls. */
export const KEYS_OF_OWNER = sql`
  cross join lateral (
    select bool_or(least(revoked_at, expires_at) is null) as endless, max(least(revoked_at, expires_at)) as until
    from api_keys where org_id = organisations.id
  ) as owner_keys`;

/** Of `organisations` with `KEYS_OF_OWNER`. */
export const OWNER = sql`
  organisations.tier, coalesce(organisations.suspended_at, organisations.alerts_suspended_at) is not null as "isSuspended", owner_keys.endless as "isEndless",
  (extract(epoch from owner_keys.until) * 1000)::float8 as "keysUntilMs"`;

export const ownerOf = ({ tier, isSuspended, isEndless, keysUntilMs }: OwnerRow): AlertOwner => ({
  tier,
  isSuspended,
  livesUntilMs: isEndless ? Number.POSITIVE_INFINITY : (keysUntilMs ?? 0),
});
