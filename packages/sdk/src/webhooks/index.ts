/** `@assay/sdk/webhooks`: verifies the events that an endpoint receives, and signs those of tests, without the rest of the SDK. */
import { isRecord } from "../core/is-record.ts";
import { WEBHOOK_HEADERS, WEBHOOK_TOLERANCE_MS, type WebhookEvent } from "../generated/webhooks.ts";

export type * from "../generated/webhooks.ts";

/** Headers as `fetch` or Node have them; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How an event is verified. */
export interface VerifyWebhookOptions {
  /** The clock of the receiver, epoch milliseconds; that of the system by default. */
  readonly nowMs?: number | undefined;
}

/** An event that is not genuine, is too old, or is not readable. Answer it with a status of 4xx. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

const PREFIX = "whsec_";
const VERSION = "v1";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SECONDS = /^[0-9]{1,12}$/;

/** Those of another fetch are no instances of this one's. */
const isFetched = (headers: WebhookHeaders): headers is Headers => typeof headers["get"] === "function";

const headerIn = (headers: WebhookHeaders, wanted: string): string => {
  const found = isFetched(headers)
    ? headers.get(wanted)
    : Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (typeof found !== "string" || found === "") throw new WebhookError(`the request has no header ${wanted}`);
  return found;
};

/** Null for text that is not Base64, which no signature of ours is. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  if (!BASE64.test(base64)) return null;
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

const keyOf = (secret: string | undefined) => {
  if (!secret) throw new TypeError("the secret is missing: pass that of the endpoint, which begins with whsec_");
  const bytes = typeof secret === "string" ? bytesOf(secret.replace(PREFIX, "")) : null;
  if (bytes === null) throw new TypeError("the secret is not one of an endpoint: it begins with whsec_");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
};

/** The bytes that were sent: an object was parsed and written again, which changes them. */
const payloadOf = (payload: string | Uint8Array): Uint8Array => {
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array) return payload;
  throw new TypeError("the payload is not the body as it was received: pass text or bytes, not the parsed object");
};

const joined = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const start = new TextEncoder().encode(head);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
};

const eventIn = (body: Uint8Array): WebhookEvent => {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    // What is signed by the service has the form that the service declares.
    if (isRecord(event) && typeof event["type"] === "string" && isRecord(event["data"])) return event as unknown as WebhookEvent;
  } catch {
    // Refused below, as any other text that is no event.
  }
  throw new WebhookError("the body is not an event");
};

/**
 * Verifies an event with Web Crypto, as Standard Webhooks says: that it was signed with a secret of the endpoint, at most five
 * minutes ago. The same event may arrive twice: process each `webhook-id` once.
 * @param payload the body as it was received, text or bytes
 * @param headers of the request
 * @param secret of the endpoint; several while one is replaced
 * @returns the event, by its `type`; newer services may send types that are not listed
 * @throws WebhookError when it was changed, is signed with another secret, is too old or from the future, or lacks a header
 * @throws TypeError when a secret or the payload is not what it must be
 */
export const verifyWebhook = async (
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { nowMs = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> => {
  const body = payloadOf(payload);
  const secrets: readonly (string | undefined)[] = Array.isArray(secret) && secret.length > 0 ? secret : [String(secret ?? "")];
  const keys = await Promise.all(secrets.map(keyOf));
  const id = headerIn(headers, WEBHOOK_HEADERS.id);
  const timestamp = headerIn(headers, WEBHOOK_HEADERS.timestamp);
  if (!SECONDS.test(timestamp)) throw new WebhookError("the timestamp is not in seconds");
  const ageMs = nowMs - Number(timestamp) * 1_000;
  if (Math.abs(ageMs) > WEBHOOK_TOLERANCE_MS)
    throw new WebhookError(`the event was signed ${ageMs > 0 ? "more than five minutes ago" : "in the future"}`);
  const signed = joined(`${id}.${timestamp}.`, body);
  // Of a rotation there are two, separated by a space.
  for (const each of headerIn(headers, WEBHOOK_HEADERS.signature).split(" ")) {
    const [version, base64 = ""] = each.split(",");
    const signature = version === VERSION ? bytesOf(base64) : null;
    if (signature === null) continue;
    // Compared in constant time.
    for (const key of keys) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return eventIn(body);
  }
  throw new WebhookError("the event is not signed with this secret, or was changed");
};

/** Options of `signWebhook`. */
export interface SignWebhookOptions {
  /** `webhook-id`; a new one by default. */
  readonly id?: string | undefined;
  /** When it is signed, epoch milliseconds; now by default. */
  readonly nowMs?: number | undefined;
}

/** A request as the service would send it. */
export interface SignedWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs an event, for the tests of a receiver.
 * @param event what the receiver gets
 * @param secret the one that the receiver verifies with, such as `whsec_dGVzdA==`
 * @throws TypeError when the secret is missing or none
 */
export const signWebhook = async (
  event: WebhookEvent,
  secret: string,
  { id = `msg_${crypto.randomUUID()}`, nowMs = Date.now() }: SignWebhookOptions = {},
): Promise<SignedWebhook> => {
  const key = await keyOf(secret);
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = await crypto.subtle.sign("HMAC", key, joined(`${id}.${timestamp}.`, payloadOf(body)));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return {
    body,
    headers: {
      "content-type": "application/json",
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: timestamp,
      [WEBHOOK_HEADERS.signature]: `${VERSION},${base64}`,
    },
  };
};
