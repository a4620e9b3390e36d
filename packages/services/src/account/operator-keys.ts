/** Keys as the operator handles them: of any organisation, with its tier. */
import {
  formatOptionalTimestamp,
  formatTimestamp,
  type KeyMintResponse,
  type KeyPublic,
  MAX_LIVE_KEYS,
  shownSecond,
  type TierCatalog,
  type TierName,
} from "@assay/contract";
import {
  addKey,
  createOrganisation,
  findOrganisation,
  listKeys,
  readTopUsage,
  revokeKey,
  type Store,
  setTier,
  suspendOrganisation,
} from "@assay/db";
import type { BusPort } from "@assay/live";
import type { Random } from "@assay/ports";
import { utcDay } from "@assay/pricing";
import { listedKey, mintedKey, newKey } from "./keys.ts";

/** Why the operator's wish is refused, in a line. */
export class KeyDeskError extends Error {
  override readonly name = "KeyDeskError";
}

interface Owned {
  readonly org: string;
  readonly tier: TierName;
}

export interface WantedKey extends Owned {
  readonly name: string;
  /** When it ends by itself; never by default. */
  readonly expiresAtMs?: number | undefined;
}

const quoted = (text: string): string => JSON.stringify(text);

/**
 * Mints a key for an organisation, which is created if it does not exist.
 * @throws KeyDeskError when the organisation exists with another tier or has the most keys it may have, and for an end in the past
 */
export const createKey = async (
  store: Store,
  wanted: WantedKey,
  nowMs: number,
  random: Random,
): Promise<KeyMintResponse & Owned> => {
  const { org, tier, name } = wanted;
  const expiresAtMs = wanted.expiresAtMs === undefined ? null : shownSecond(wanted.expiresAtMs);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw new KeyDeskError(`${formatTimestamp(expiresAtMs)} is in the past; a key ends in the future or never`);
  }
  const known = await findOrganisation(store, org);
  if (known && known.tier !== tier) {
    const has = `organisation ${quoted(org)} exists with tier ${known.tier}, which all its keys have`;
    throw new KeyDeskError(`${has}; \`keys tier\` changes it`);
  }
  const orgId = known?.id ?? random.uuid();
  if (!known) await createOrganisation(store, { id: orgId, name: org, tier, createdAtMs: nowMs });
  const made = newKey({ orgId, name, expiresAtMs }, nowMs, random);
  if (!(await addKey(store, made.row, MAX_LIVE_KEYS))) {
    throw new KeyDeskError(`organisation ${quoted(org)} has ${MAX_LIVE_KEYS} keys, which is the maximum; revoke one first`);
  }
  return { ...mintedKey(made, null), org, tier };
};

/** Every key, newest first, revoked ones included. */
export const listAllKeys = async (store: Store): Promise<(KeyPublic & Owned)[]> =>
  (await listKeys(store)).map((key) => ({ ...listedKey(key), org: key.orgName, tier: key.tier }));

/** Where the operator's changes are stored, and announced to the processes that have cached what they change. */
export interface KeyDesk {
  readonly store: Store;
  readonly bus: Pick<BusPort, "publish">;
}

/** The first group of an id; less is more likely a slip than a choice. */
const MIN_ID = 8;

/**
 * The id that begins so, of any key, revoked ones included.
 * @throws KeyDeskError when there is none, or more than one, and for a beginning that is too short
 */
const wholeId = async (store: Store, beginning: string): Promise<string> => {
  if (beginning.length < MIN_ID)
    throw new KeyDeskError(`${quoted(beginning)} is too short: give ${MIN_ID} characters of the id or more`);
  const keys = (await listKeys(store)).filter(({ id }) => id.startsWith(beginning));
  const [found, another] = keys;
  if (found === undefined) throw new KeyDeskError(`no key has the id ${beginning}`);
  if (another === undefined) return found.id;
  const named = keys.map(({ id, orgName, name }) => `${id} (${orgName}, ${name})`).join(", ");
  throw new KeyDeskError(`${keys.length} keys have ids that begin with ${beginning}: ${named}`);
};

/**
 * Revokes a key of any organisation at once.
 * @param beginning its id, or what of it no other id begins with
 * @throws KeyDeskError when it does not name one key
 */
export const revokeAnyKey = async (
  { store, bus }: KeyDesk,
  beginning: string,
  nowMs: number,
): Promise<{ readonly id: string; readonly revoked_at: string }> => {
  const id = await wholeId(store, beginning);
  const revoked = await revokeKey(store, { id, atMs: nowMs });
  if (!revoked) throw new KeyDeskError(`no key has the id ${id}`);
  await bus.publish({ kind: "key-changed", ...revoked });
  return { id, revoked_at: formatTimestamp(revoked.revokedAtMs) };
};

/** The organisations that called most this month, and how much of their quota that is; calls of the last seconds may be missing. */
export const topUsage = async (
  store: Store,
  { tiers }: Pick<TierCatalog, "tiers">,
  most: number,
  nowMs: number,
): Promise<unknown[]> =>
  (await readTopUsage(store, utcDay(nowMs), most)).map(({ org, tier, today, thisMonth, suspendedAtMs }) => ({
    org,
    tier,
    calls_today: today,
    calls_this_month: thisMonth,
    monthly_quota: tiers[tier].monthly_quota,
    suspended_at: formatOptionalTimestamp(suspendedAtMs),
  }));

/**
 * Suspends an organisation: all its keys are refused within five seconds, and its streams close.
 * @param atMs since when; null lets its keys work again
 * @throws KeyDeskError when there is no such organisation
 */
export const suspendOrg = async (
  { store, bus }: KeyDesk,
  org: string,
  atMs: number | null,
): Promise<{ readonly org: string; readonly suspended_at: string | null; readonly keys: number }> => {
  const known = await findOrganisation(store, org);
  if (!known) throw new KeyDeskError(`no organisation has the name ${quoted(org)}`);
  const hashes = await suspendOrganisation(store, known.id, atMs);
  for (const keyHash of hashes) await bus.publish({ kind: "key-changed", keyHash, revokedAtMs: null });
  return { org, suspended_at: formatOptionalTimestamp(atMs), keys: hashes.length };
};

/**
 * Changes an organisation's tier. Its keys have it from their next request on; processes that miss the message, within five seconds.
 * @throws KeyDeskError when there is no such organisation
 */
export const changeTier = async (
  { store, bus }: KeyDesk,
  { org, tier }: Owned,
): Promise<Owned & { readonly previous_tier: TierName }> => {
  const known = await findOrganisation(store, org);
  if (!known) throw new KeyDeskError(`no organisation has the name ${quoted(org)}`);
  for (const keyHash of await setTier(store, known.id, tier))
    await bus.publish({ kind: "key-changed", keyHash, revokedAtMs: null });
  return { org, tier, previous_tier: known.tier };
};
