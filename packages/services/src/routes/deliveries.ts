/** What became of events: the routes of deliveries. */
import {
  type AssayContract,
  allowsSymbol,
  type DeliveryPublic,
  formatClockReading,
  formatOptionalTimestamp,
  type Verb,
  type WebhookEvent,
} from "@assay/contract";
import { DELIVERIES_RETAINED_MS, type DeliveryRow, redeliver as putBack, readDeliveries, readDelivery } from "@assay/db";
import { requireKey } from "../account/keys.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { isId, refuseParameter } from "../input.ts";
import { symbolOf } from "./alerts.ts";

/** Whether a caller may see the price of an event now: its tier may have been higher when the event happened. */
const maySee = (
  { payload }: Pick<DeliveryRow, "payload">,
  { tiers }: Pick<ServiceDeps["catalog"], "tiers">,
  { caller, asOfMs }: Pick<VerbContext, "caller" | "asOfMs">,
): boolean => {
  const { data }: Partial<WebhookEvent> = JSON.parse(payload); // written by the judge, or a test event
  if (!data || !("computed_at" in data)) return true;
  const symbol = symbolOf(data);
  return Date.parse(data.computed_at) <= asOfMs && (!symbol || allowsSymbol({ tiers }, caller.tier, symbol));
};

const presentDelivery = (
  row: DeliveryRow,
  catalog: ServiceDeps["catalog"],
  context: Pick<VerbContext, "caller" | "asOfMs">,
): DeliveryPublic => ({
  id: row.id,
  type: row.type,
  alert_id: row.alertId,
  endpoint_id: row.endpointId,
  status: row.status,
  tries: row.tries,
  created_at: formatClockReading(row.createdAtMs),
  next_try_at: row.status === "pending" ? formatOptionalTimestamp(row.nextTryAtMs) : null,
  last_try_at: formatOptionalTimestamp(row.lastTryAtMs),
  last_status: row.lastStatus,
  last_error: row.lastError,
  payload: maySee(row, catalog, context) ? row.payload : "",
});

/** A cursor names the last delivery of the page before by instant and id, so that it holds when that one has been removed. */
const cursorOf = ({ createdAtMs, id }: DeliveryRow): string => `${createdAtMs}.${id}`;

const readCursor = (cursor: string): Pick<DeliveryRow, "createdAtMs" | "id"> | null => {
  const [, createdAtMs, id] = /^(\d{13})\.([\x21-\x7e]+)$/.exec(cursor) ?? [];
  return createdAtMs === undefined || id === undefined ? null : { createdAtMs: Number(createdAtMs), id };
};

/** `GET /v1/account/deliveries`: pages through deliveries, newest first. */
export const listDeliveries =
  ({ store, catalog }: Pick<ServiceDeps, "store" | "catalog">): Verb<AssayContract["deliveries"]["list"], VerbContext> =>
  async ({ alert_id: alertId, endpoint_id: endpointId, status, limit, cursor }, context) => {
    const { caller, nowMs, fail } = context;
    const { orgId } = requireKey(caller);
    const before = cursor === undefined ? undefined : readCursor(cursor);
    if (before === null) return refuseParameter(fail, "cursor", "must be the next_cursor of a page");
    // An id that nothing can have filters everything out.
    if ([alertId, endpointId].some((id) => id !== undefined && !isId(id))) return { deliveries: [], next_cursor: null };
    const rows = await readDeliveries(store, {
      orgId,
      sinceMs: nowMs - DELIVERIES_RETAINED_MS,
      limit: limit + 1,
      alertId,
      endpointId,
      status,
      before,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      deliveries: page.map((row) => presentDelivery(row, catalog, context)),
      next_cursor: rows.length > limit && last ? cursorOf(last) : null,
    };
  };

/** `POST /v1/account/deliveries/{delivery_id}/redeliver`: puts an event of the caller's organisation back into the outbox. */
export const redeliver =
  ({ store, catalog }: Pick<ServiceDeps, "store" | "catalog">): Verb<AssayContract["deliveries"]["redeliver"], VerbContext> =>
  async ({ delivery_id: id }, context) => {
    const { caller, nowMs, fail } = context;
    const { orgId } = requireKey(caller);
    const result = isId(id) ? await putBack(store, { id, orgId, atMs: nowMs }) : "no_delivery";
    if (result === "no_endpoint") return fail("endpoint_not_found");
    const row = result === "pending" ? await readDelivery(store, orgId, id) : null;
    return row ? presentDelivery(row, catalog, context) : fail("delivery_not_found");
  };
