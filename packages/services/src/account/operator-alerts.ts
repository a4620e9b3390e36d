/** Alerts and endpoints as the operator sees and stops them: of any organisation. */
import { type AlertPublic, type EndpointPublic, formatTimestamp, type TierCatalog, type TierName } from "@assay/contract";
import { findOrganisation, readAlertOwners, readAlerts, readAllEndpoints, type Store, suspendAlerts } from "@assay/db";
import { alertPaused } from "@assay/pricing";
import { presentAlert, symbolOf } from "../routes/alerts.ts";
import { presentEndpoint } from "../routes/endpoints.ts";
import { KeyDeskError } from "./operator-keys.ts";

const organisation = async (store: Store, org: string): Promise<{ readonly id: string; readonly tier: TierName }> => {
  const known = await findOrganisation(store, org);
  if (!known) throw new KeyDeskError(`no organisation has the name ${JSON.stringify(org)}`);
  return known;
};

/**
 * The alerts of an organisation, newest first.
 * @throws KeyDeskError when there is no such organisation
 */
export const listAlertsOf = async (
  store: Store,
  catalog: Pick<TierCatalog, "tiers">,
  org: string,
  nowMs: number,
): Promise<{ readonly org: string; readonly tier: TierName; readonly alerts: readonly AlertPublic[] }> => {
  const { id, tier } = await organisation(store, org);
  const owner = (await readAlertOwners(store)).get(id) ?? { tier, livesUntilMs: 0, isSuspended: false };
  const rows = await readAlerts(store, id);
  const pausedOf = (row: (typeof rows)[number]) =>
    alertPaused(catalog, owner, { symbol: symbolOf(row), older: row.older }, nowMs);
  return { org, tier, alerts: rows.map((row) => presentAlert(row, pausedOf(row))) };
};

/**
 * Suspends the alerts of an organisation from an instant on: none is judged, and none of its events is sent; null lets them go on.
 * @throws KeyDeskError when there is no such organisation
 */
export const suspendAlertsOf = async (
  store: Store,
  org: string,
  atMs: number | null,
): Promise<{ readonly org: string; readonly suspended_at: string | null }> => {
  const { id } = await organisation(store, org);
  await suspendAlerts(store, id, atMs);
  return { org, suspended_at: atMs === null ? null : formatTimestamp(atMs) };
};

/** An endpoint of any organisation. Of its address the origin alone: the rest may hold what its receiver knows it by. */
interface OperatedEndpoint extends EndpointPublic {
  readonly org: string;
  readonly pending: number;
}

/** The endpoints of all organisations, newest first; or those that fail or are disabled. */
export const listAllEndpoints = async (store: Store, isFailing: boolean): Promise<OperatedEndpoint[]> =>
  (await readAllEndpoints(store, isFailing)).map(({ orgName: org, pending, ...row }) => ({
    ...presentEndpoint({ ...row, url: new URL(row.url).origin }),
    org,
    pending,
  }));
