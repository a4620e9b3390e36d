/** Where events are sent: the routes of endpoints. */
import { isIP } from "node:net";
import {
  type AssayContract,
  DAY_MS,
  type EndpointPublic,
  formatClockReading,
  formatOptionalTimestamp,
  formatTimestamp,
  MAX_ENDPOINTS,
  SECRET_PREFIX,
  type Verb,
  type WebhookEvent,
} from "@assay/contract";
import { addEndpoint, addTest, deleteEndpoint, type EndpointRow, newId, readEndpoints, rotateSecret } from "@assay/db";
import { isPublicAddress } from "@assay/feeds/public-address";
import type { Random } from "@assay/ports";
import { requireKey } from "../account/keys.ts";
import { graceAnswer, retryOf } from "../account/retry.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { isId } from "../input.ts";

export const presentEndpoint = (
  row: Pick<EndpointRow, "id" | "url" | "createdAtMs" | "failingSinceMs" | "disabledAtMs" | "disabledReason">,
): EndpointPublic => ({
  id: row.id,
  url: row.url,
  created_at: formatTimestamp(row.createdAtMs),
  failing_since: formatOptionalTimestamp(row.failingSinceMs),
  disabled_at: formatOptionalTimestamp(row.disabledAtMs),
  disabled_reason: row.disabledReason,
});

/** `GET /v1/account/endpoints`: lists endpoints, newest first. */
export const listEndpoints =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["endpoints"]["list"], VerbContext> =>
  async (_input, { caller }) => ({
    endpoints: (await readEndpoints(store, requireKey(caller).orgId)).map(presentEndpoint),
  });

/** Names that mean this machine or its network wherever they are asked for. */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

const isPublicName = (host: string): boolean => {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) > 0) return isPublicAddress(literal);
  const name = host.replace(/\.$/, "");
  return name.includes(".") && !LOCAL.test(name);
};

/**
 * Why an address cannot be an endpoint's; null when it can.
 * @param allowed origins that the operator names: at any address, and without TLS
 */
const urlFault = (text: string, allowed: ReadonlySet<string>): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["https:", "http:"].includes(url.protocol)) return "must be an https address";
  if (url.username !== "" || url.password !== "") return "must hold no user name and no password";
  // The parser would leave them out, and another address would be shown than is called.
  if (/[\s\p{Cc}]/u.test(text)) return "must hold no white space";
  if (text.includes("#")) return "must have no fragment";
  if (allowed.has(url.origin)) return null;
  if (url.protocol !== "https:") return "must begin with https";
  return isPublicName(url.hostname) ? null : "must have a host on the public internet";
};

/** As Standard Webhooks recommends: 192 bits. */
const SECRET_BYTES = 24;

const newSecret = (random: Random): string => `${SECRET_PREFIX}${random.bytes(SECRET_BYTES).toString("base64")}`;

/** `POST /v1/account/endpoints`: makes an endpoint of the caller's organisation. */
export const createEndpoints =
  ({
    store,
    random,
    webhookHosts,
  }: Pick<ServiceDeps, "store" | "random" | "webhookHosts">): Verb<AssayContract["endpoints"]["create"], VerbContext> =>
  async ({ url }, context) => {
    const { caller, nowMs, fail } = context;
    const { orgId } = requireKey(caller);
    const fault = urlFault(url, webhookHosts);
    if (fault !== null)
      return fail("validation_error", { issues: [{ path: ["body", "url"], code: "invalid_value", message: fault }] });
    const made = { id: newId("endpoint", random), orgId, url, secret: newSecret(random), createdAtMs: nowMs };
    const shown = presentEndpoint({ ...made, failingSinceMs: null, disabledAtMs: null, disabledReason: null });
    const retry = retryOf(context, ["endpoints.create", url], { ...shown, secret: made.secret }, random);
    const replayed = await graceAnswer(store, retry, context);
    if (replayed) return replayed;
    const result = await addEndpoint(store, made, MAX_ENDPOINTS, retry.answer);
    if (result.kind === "limit_reached") return fail("endpoint_limit_reached");
    return result.kind === "replayed" ? retry.replay(result.answer) : retry.made;
  };

/** `DELETE /v1/account/endpoints/{endpoint_id}`: deletes an endpoint of the caller's organisation. */
export const deleteEndpoints =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["endpoints"]["delete"], VerbContext> =>
  async ({ endpoint_id: id }, { caller, nowMs, fail }) => {
    const { orgId } = requireKey(caller);
    const result = isId(id) ? await deleteEndpoint(store, { id, orgId, atMs: nowMs }) : "no_endpoint";
    if (result === "no_endpoint") return fail("endpoint_not_found");
    return result === "in_use" ? fail("endpoint_in_use") : undefined;
  };

/**
 * `POST /v1/account/endpoints/{endpoint_id}/test`: puts a test event to an endpoint of the caller's organisation into the outbox.
 */
export const testEndpoints =
  ({ store, random }: Pick<ServiceDeps, "store" | "random">): Verb<AssayContract["endpoints"]["test"], VerbContext> =>
  async ({ endpoint_id: id }, { caller, nowMs, fail }) => {
    const { orgId } = requireKey(caller);
    const event: WebhookEvent = {
      type: "endpoint.test",
      timestamp: formatClockReading(nowMs),
      data: { endpoint_id: id },
    };
    const delivery = { id: newId("delivery", random), payload: JSON.stringify(event) };
    const waiting = isId(id) ? await addTest(store, { id, orgId, atMs: nowMs }, delivery) : null;
    return waiting === null ? fail("endpoint_not_found") : { delivery_id: waiting };
  };

/** How long the secret before signs as well. */
const BOTH_SIGN_MS = DAY_MS;

/** `POST /v1/account/endpoints/{endpoint_id}/rotate`: replaces the secret of an endpoint of the caller's organisation. */
export const rotateEndpoints =
  ({ store, random }: Pick<ServiceDeps, "store" | "random">): Verb<AssayContract["endpoints"]["rotate"], VerbContext> =>
  async ({ endpoint_id: id }, context) => {
    const { caller, nowMs, fail } = context;
    const { orgId } = requireKey(caller);
    if (!isId(id)) return fail("endpoint_not_found");
    const rotation = { id, orgId, atMs: nowMs, secret: newSecret(random), previousUntilMs: nowMs + BOTH_SIGN_MS };
    const previous_secret_until = formatTimestamp(rotation.previousUntilMs);
    const answer = { id, secret: rotation.secret, previous_secret_until };
    const retry = retryOf(context, ["endpoints.rotate", id], answer, random);
    const replayed = await graceAnswer(store, retry, context);
    if (replayed) return replayed;
    const result = await rotateSecret(store, rotation, retry.answer);
    if (result.kind === "no_endpoint") return fail("endpoint_not_found");
    return result.kind === "replayed" ? retry.replay(result.answer) : retry.made;
  };
