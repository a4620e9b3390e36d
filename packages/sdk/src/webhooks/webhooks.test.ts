import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { signWebhook, verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders } from "./index.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;
const SECRET = newSecret();
const timestamp = "2026-11-20T14:00:00.000Z";
const price = { symbol: "XAU-USD-SPOT", price: "4003.20", computed_at: "2026-11-20T14:00:00Z", seq: 1841 };
const fired = { alert_id: "al_1", threshold: "4000", ...price };
const EVENTS = {
  "price.above": { type: "price.above", timestamp, data: fired },
  "price.below": { type: "price.below", timestamp, data: fired },
  "price.moved": { type: "price.moved", timestamp, data: fired },
  "price.stale": { type: "price.stale", timestamp, data: { alert_id: "al_1", stale_reason: "feed_down", ...price } },
  "price.fresh": { type: "price.fresh", timestamp, data: { alert_id: "al_1", ...price } },
  "price.withdrawn": { type: "price.withdrawn", timestamp, data: fired },
  "endpoint.test": { type: "endpoint.test", timestamp, data: { endpoint_id: "ep_1" } },
} satisfies { [T in WebhookEvent["type"]]: Extract<WebhookEvent, { readonly type: T }> };
const exampleEvent = (type: WebhookEvent["type"]): WebhookEvent => EVENTS[type];

const BODY = JSON.stringify(exampleEvent("price.above"));

/** Signed by Node's own cryptography, not by the library of the service. */
const signature = (body: string, secret = SECRET, id = "msg_1", seconds = NOW_MS / 1_000): string => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
};

const headersOf = (body: string, change: Record<string, string | undefined> = {}): Record<string, string> => {
  const all = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW_MS / 1_000),
    "webhook-signature": signature(body),
    ...change,
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
};

const verify = (body: string | Uint8Array, headers: WebhookHeaders, secret: string | string[] = SECRET, nowMs = NOW_MS) =>
  verifyWebhook(body, headers, secret, { nowMs });

describe("a genuine event is read", () => {
  test.each(Object.values(EVENTS).map(({ type }) => type))("of type %s", async (type) => {
    const body = JSON.stringify(exampleEvent(type));
    expect(await verify(body, headersOf(body))).toEqual(exampleEvent(type));
  });

  test("from text and from bytes, with the headers of fetch, of Node and in any case", async () => {
    const plain = headersOf(BODY);
    const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]));
    for (const headers of [plain, upper, new Headers(plain), { ...plain, cookie: ["a", "b"], host: undefined }])
      for (const body of [BODY, new TextEncoder().encode(BODY), Buffer.from(BODY)])
        expect(await verify(body, headers)).toEqual(exampleEvent("price.above"));
  });

  test("whichever of several signatures and secrets fit together", async () => {
    const [old, next] = [newSecret(), newSecret()];
    const both = headersOf(BODY, { "webhook-signature": `${signature(BODY, next)} ${signature(BODY, old)}` });
    for (const secret of [old, next, [newSecret(), old]])
      expect(await verify(BODY, both, secret)).toMatchObject({ type: "price.above" });
    const others = `v1a,${randomBytes(64).toString("base64")} v1, v1,%% ${signature(BODY)}`;
    expect(await verify(BODY, headersOf(BODY, { "webhook-signature": others }))).toMatchObject({ type: "price.above" });
  });

  test("until five minutes after it was signed, and from five minutes before, not a millisecond longer", async () => {
    for (const offMs of [-300_000, 300_000]) {
      const headers = headersOf(BODY);
      expect(await verify(BODY, headers, SECRET, NOW_MS + offMs)).toMatchObject({ type: "price.above" });
      await expect(verify(BODY, headers, SECRET, NOW_MS + offMs + Math.sign(offMs))).rejects.toThrow(WebhookError);
    }
  });

  test("by the system's clock when none is given", async () => {
    vi.useFakeTimers({ now: NOW_MS, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await verifyWebhook(BODY, headersOf(BODY), SECRET)).toMatchObject({ type: "price.above" });
    vi.setSystemTime(NOW_MS + 300_001);
    await expect(verifyWebhook(BODY, headersOf(BODY), SECRET)).rejects.toThrow(WebhookError);
  });
});

test("an event that a test signs is what the service would send, and is verified", async () => {
  const signed = await signWebhook(exampleEvent("price.above"), SECRET, { id: "msg_1", nowMs: NOW_MS + 999 });
  expect(signed).toEqual({ body: BODY, headers: { "content-type": "application/json", ...headersOf(BODY) } });
  const { body, headers } = await signWebhook(exampleEvent("price.stale"), SECRET);
  expect(await verifyWebhook(body, headers, SECRET)).toEqual(exampleEvent("price.stale"));
  expect(headers["webhook-id"]).not.toBe((await signWebhook(exampleEvent("price.stale"), SECRET)).headers["webhook-id"]);
});

describe("refused is", () => {
  const refusal = (body: string, headers: WebhookHeaders, secret?: string | string[]) =>
    expect(verify(body, headers, secret)).rejects;

  test("a body of which any character was changed", async () => {
    const headers = headersOf(BODY);
    for (let at = 0; at < BODY.length; at += 1)
      await refusal(`${BODY.slice(0, at)}${BODY[at] === "0" ? "1" : "0"}${BODY.slice(at + 1)}`, headers).toThrow(WebhookError);
    await refusal(`${BODY} `, headers).toThrow(/was changed/);
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ["with another id", { "webhook-id": "msg_2" }, /was changed/],
    ["with another timestamp", { "webhook-timestamp": String(NOW_MS / 1_000 + 1) }, /was changed/],
    ["without an id", { "webhook-id": undefined }, /no header webhook-id/],
    ["without a timestamp", { "webhook-timestamp": undefined }, /no header webhook-timestamp/],
    ["without a signature", { "webhook-signature": undefined }, /no header webhook-signature/],
    ["with an empty signature", { "webhook-signature": "" }, /no header webhook-signature/],
    ["with a timestamp in words", { "webhook-timestamp": "now" }, /not in seconds/],
    ["with a timestamp that is no number", { "webhook-timestamp": "NaN" }, /not in seconds/],
    ["with a signature that is none", { "webhook-signature": "v1,AAAA" }, /not signed with this secret/],
    ["with a signature of another version", { "webhook-signature": signature(BODY).replace("v1,", "v2,") }, /not signed/],
    ["with a bare signature", { "webhook-signature": signature(BODY).slice(3) }, /not signed/],
  ])("one %s", async (_, change, reason) => {
    await refusal(BODY, headersOf(BODY, change)).toThrow(reason);
    await refusal(BODY, headersOf(BODY, change)).toThrow(WebhookError);
  });

  test("one that is signed with another secret, or with none of several", async () => {
    await refusal(BODY, headersOf(BODY), newSecret()).toThrow(WebhookError);
    await refusal(BODY, headersOf(BODY), [newSecret(), newSecret()]).toThrow(WebhookError);
  });

  test.each(["", "[]", "null", '"price.above"', '{"type":"price.above"}', '{"type":1,"data":{}}', "{"])(
    "one that is signed but no event: %s",
    async (body) => {
      await refusal(body, headersOf(body)).toThrow(new WebhookError("the body is not an event"));
    },
  );

  test("a parsed body, and what is no secret, as mistakes of the program", async () => {
    await refusal(JSON.parse(BODY), headersOf(BODY)).toThrow(/not the parsed object/);
    for (const secret of ["whsec_", "whsec_%%%", ["whsec_%"]])
      await refusal(BODY, headersOf(BODY), secret).toThrow(
        new TypeError("the secret is not one of an endpoint: it begins with whsec_"),
      );
  });

  test.each([[undefined], [""], [[]], [[undefined]]])("a secret that is missing, by name: %j", async (secret) => {
    const missing = new TypeError("the secret is missing: pass that of the endpoint, which begins with whsec_");
    const unset = secret as unknown as string; // as of an environment that lacks it
    await expect(verifyWebhook(BODY, headersOf(BODY), unset)).rejects.toThrow(missing);
    if (!Array.isArray(secret)) await expect(signWebhook(exampleEvent("price.above"), unset)).rejects.toThrow(missing);
  });
});

test("an event is typed by its type", () => {
  const read = (event: WebhookEvent): string => {
    switch (event.type) {
      case "price.stale":
        expectTypeOf(event.data).not.toHaveProperty("threshold");
        return event.data.stale_reason ?? "";
      case "endpoint.test":
        return event.data.endpoint_id;
      default:
        return event.type === "price.fresh" ? event.data.price : event.data.threshold;
    }
  };
  expect(read(exampleEvent("price.withdrawn"))).toBe("4000");
});
