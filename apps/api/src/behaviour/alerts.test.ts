/** Alerts, endpoints and deliveries as their owners handle them, and nobody else. */
import { DAY_MS, DEFAULT_CATALOG, formatTimestamp, overlayCatalog } from "@assay/contract";
import { type OwnedAlert, readAlert, setTier, suspendAlerts, writeAlertJudgement } from "@assay/db";
import { removeDelivery } from "@assay/db/testing";
import { firstMemory, unknownBelief } from "@assay/pricing";
import { FRIDAY_MS, makeRates, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const ALERTS = "/v1/account/alerts";
const ENDPOINTS = "/v1/account/endpoints";
const URL_OF = "https://hooks.example.com/assay";
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    webhookHosts: new Set(["http://hooks.internal:9000", "https://hooks.internal", "http://127.0.0.1:3000"]),
  });
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000, price: "3990.00" }), makeTick(2, { price: "4003.20" })],
    fx: [makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }), makeRates()],
  });
});
afterAll(() => app.close());

const post = (path: string, { key }: TestKey, body: unknown = {}, headers: Record<string, string> = {}) =>
  app.ask(path, { method: "POST", key, body, headers });
const patch = (id: string, { key }: TestKey, body: unknown) => app.ask(`${ALERTS}/${id}`, { method: "PATCH", key, body });
const remove = (path: string, { key }: TestKey) => app.ask(path, { method: "DELETE", key });
const endpointOf = async (key: TestKey): Promise<string> => (await post(ENDPOINTS, key, { url: URL_OF })).json.id;
const above = (endpointId: string, threshold = "4100") => ({ symbol: "gold", kind: "above", threshold, endpoint_id: endpointId });
const owner = async (tier: TestKey["tier"] = "pro") => {
  const key = await app.key(tier);
  return { key, endpoint: await endpointOf(key) };
};

describe("an alert", () => {
  test("is answered as it was made, and read again as one and in the list, newest first", async () => {
    const { key, endpoint } = await owner();
    const { status, json, headers } = await post(ALERTS, key, { ...above(endpoint), name: " high ", once: false });
    expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { already_true: isTrue, ...alert } = json;
    expect(isTrue).toBe(false);
    expect(alert).toEqual({
      id: expect.stringMatching(/^al_[\w-]{22}$/),
      name: "high",
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4100",
      window_seconds: null,
      direction: null,
      once: false,
      endpoint_id: endpoint,
      state: "armed",
      paused_reason: null,
      last_fired_at: null,
      created_at: formatTimestamp(app.clock()),
      updated_at: formatTimestamp(app.clock()),
    });
    app.clock.advance(1_000);
    // As answers write what an alert does not have.
    const absent = { threshold: null, window_seconds: null, direction: null };
    const second = await post(ALERTS, key, { symbol: "XAU-EUR-SPOT", kind: "stale", endpoint_id: endpoint, ...absent });
    expect(second.json).toMatchObject({ name: "XAU-EUR-SPOT stale", threshold: null, once: true, state: "armed" });
    expect((await app.ask(`${ALERTS}/${alert.id}`, { key: key.key })).json).toEqual(alert);
    const listed = (await app.ask(ALERTS, { key: key.key })).json;
    expect(listed.alerts.map(({ id }: { id: string }) => id)).toEqual([second.json.id, alert.id]);
    expect(listed.max_alerts).toBe(DEFAULT_CATALOG.tiers.pro.max_alerts);
  });

  test.each([
    ["above", "4003.19", true],
    ["above", "4003.20", false],
    ["below", "4003.21", true],
    ["below", "4003.20", false],
  ])("%s %s is already_true: %s, by the price that its owner sees, to the last digit", async (kind, threshold, isTrue) => {
    const { key, endpoint } = await owner();
    const { json } = await post(ALERTS, key, { ...above(endpoint, threshold), kind });
    expect([json.already_true, json.state]).toEqual([isTrue, isTrue ? "waiting" : "armed"]);
  });

  test.each([
    ["0.3", 3_600, undefined, true],
    ["0.3", 3_600, "up", true],
    ["0.3", 3_600, "down", false],
    ["0.34", 3_600, "up", false],
    ["0.3", 600, "up", false],
  ])("on a move of %s %% in %d s (%s) is already_true: %s, by the prices stored before it was made", async (...terms) => {
    const [threshold, window_seconds, direction, isTrue] = terms;
    const { key, endpoint } = await owner();
    const { json } = await post(ALERTS, key, { ...above(endpoint, threshold), kind: "moved", window_seconds, direction });
    expect([json.already_true, json.state, json.direction]).toEqual([
      isTrue,
      isTrue ? "waiting" : "armed",
      direction ?? "either",
    ]);
    const { memory } = (await readAlert(app.store, key.orgId, json.id)) ?? {};
    // From here on it is measured from what it has moved to, or from what may still make it move.
    const { window } = JSON.parse(memory ?? "{}");
    const low = isTrue || window_seconds === 600 ? "4003.2" : "3990";
    expect(window.lows[0][1]).toBe(low);
  });

  test("of a delayed tier begins at the price of 15 minutes ago", async () => {
    const { key, endpoint } = await owner("free");
    expect((await post(ALERTS, key, above(endpoint, "4000"))).json).toMatchObject({ already_true: false, state: "armed" });
    const { json } = await post(ALERTS, key, { ...above(endpoint, "4000"), kind: "below" });
    expect(json).toMatchObject({ already_true: true, state: "waiting" });
  });

  test("in another currency begins at the price as it is published there", async () => {
    const { key, endpoint } = await owner();
    const { price } = (await app.ask("/v1/spot/XAU-EUR-SPOT", { key: key.key })).json;
    const ask = async (kind: string) =>
      (await post(ALERTS, key, { ...above(endpoint, price), symbol: "xau-eur-spot", kind })).json.already_true;
    expect([await ask("above"), await ask("below")]).toEqual([false, false]);
  });

  test("that has no price yet waits for one on the other side", async () => {
    const empty = await startTestApp();
    try {
      const key = await empty.key("pro");
      const made = await empty.ask(ENDPOINTS, { method: "POST", key: key.key, body: { url: URL_OF } });
      const { json } = await empty.ask(ALERTS, { method: "POST", key: key.key, body: above(made.json.id) });
      expect(json).toMatchObject({ already_true: false, state: "waiting" });
    } finally {
      await empty.close();
    }
  });

  test("made while the price is hidden or may be withdrawn is not judged on earlier prices, and remembers that run", async () => {
    const fresh = await startTestApp();
    try {
      const key = await fresh.key("pro");
      const endpoint = await fresh.ask(ENDPOINTS, { method: "POST", key: key.key, body: { url: URL_OF } });
      const make = async () => {
        const { json } = await fresh.ask(ALERTS, { method: "POST", key: key.key, body: above(endpoint.json.id) });
        const { state, seenSeq, memory } = (await readAlert(fresh.store, key.orgId, json.id)) ?? {};
        return { state, seenSeq, memory };
      };
      const probation = { fromSeq: 2, fromMs: FRIDAY_MS, by: ["one"], untilMs: FRIDAY_MS * 2, bars: [] };
      const belief = { ...unknownBelief("XAU-USD-SPOT"), probation };
      await fresh.publish({ ticks: [makeTick(1, { price: "4200" }), makeTick(2, { price: "3900" })], fx: [makeRates()] });
      expect(await make()).toEqual({ state: "armed", seenSeq: 2, memory: null });
      await fresh.publish({ beliefs: [belief] });
      expect(await make()).toEqual({ state: "armed", seenSeq: 2, memory: firstMemory(2) });
      await fresh.publish({ beliefs: [{ ...belief, hidden: true }] });
      expect(await make()).toEqual({ state: "waiting", seenSeq: 2, memory: null });
      const withdrawn = [{ fromSeq: 2, toSeq: 2, atMs: FRIDAY_MS }];
      await fresh.publish({ beliefs: [{ ...belief, probation: null, withdrawn }] });
      expect(await make()).toEqual({ state: "waiting", seenSeq: 2, memory: null });
    } finally {
      await fresh.close();
    }
  });

  test.each([
    [{ kind: "above" }, "threshold", "is required with kind above"],
    [{ kind: "stale", threshold: "1" }, "threshold", "is not a field of stale alerts"],
    [{ kind: "moved", threshold: "1" }, "window_seconds", "is required with kind moved"],
    [{ kind: "below", threshold: "1", window_seconds: 60 }, "window_seconds", "is a field of moved alerts only"],
    [{ kind: "below", threshold: "1", direction: "up" }, "direction", "is a field of moved alerts only"],
    [{ kind: "moved", threshold: "0.009", window_seconds: 60 }, "threshold", "must be a percentage of at least 0.01"],
    [{ kind: "above", threshold: "0.00" }, "threshold", "must be above 0"],
    [{ kind: "above", threshold: "-1" }, "threshold", "must be a plain decimal above 0, such as 4000 or 1.5"],
    [{ kind: "above", threshold: 4000 }, "threshold", expect.stringContaining("must be decimal text")],
  ])("with %j is refused for its %s", async (terms, name, message) => {
    const { key, endpoint } = await owner();
    const { status, json } = await post(ALERTS, key, { symbol: "gold", endpoint_id: endpoint, ...terms });
    expect(status).toBe(422);
    expect(json.issues).toMatchObject([{ path: ["body", name], message }]);
  });

  test("is gated by symbol as prices are", async () => {
    const { key, endpoint } = await owner("free");
    const ask = async (symbol: string) => {
      const { status, json } = await post(ALERTS, key, { ...above(endpoint), symbol });
      return [status, json.error];
    };
    expect(await ask("silver")).toEqual([403, "plan_gated"]);
    expect(await ask("garbage")).toEqual([400, "invalid_symbol"]);
    expect(await ask("XAU-XXX-SPOT")).toEqual([404, "not_found"]);
  });

  test("takes another threshold, endpoint and name, and is judged afresh only by what it waits for", async () => {
    const { key, endpoint } = await owner();
    const { id } = (await post(ALERTS, key, above(endpoint, "4000"))).json;
    app.clock.advance(5_000);
    const renamed = await patch(id, key, { name: "renamed" });
    expect(renamed.json).toMatchObject({ name: "renamed", threshold: "4000", state: "waiting", already_true: true });
    const other = await endpointOf(key);
    const higher = await patch(id, key, { threshold: "4200", endpoint_id: other });
    expect(higher.json).toMatchObject({
      name: "renamed",
      threshold: "4200",
      endpoint_id: other,
      state: "armed",
      already_true: false,
    });
    expect(higher.json.updated_at).toBe(formatTimestamp(app.clock()));
    const { already_true: _, ...alert } = higher.json;
    expect((await app.ask(`${ALERTS}/${id}`, { key: key.key })).json).toEqual(alert);
    expect((await patch(id, key, {})).json).toMatchObject(alert);
    expect((await patch(id, key, { window_seconds: 60 })).json.issues).toMatchObject([{ path: ["body", "window_seconds"] }]);
    expect((await patch(id, key, { kind: "below" })).json.issues).toMatchObject([
      { path: ["body", "kind"], message: expect.stringContaining("make another alert") },
    ]);
  });

  test("keeps every one of the changes that are made to it at once", async () => {
    const { key, endpoint } = await owner();
    const other = await endpointOf(key);
    const { json } = await post(ALERTS, key, above(endpoint));
    const changes = [{ threshold: "4200" }, { once: false }, { name: "high" }, { endpoint_id: other }];
    const answers = await Promise.all(changes.map((change) => patch(json.id, key, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await app.ask(`${ALERTS}/${json.id}`, { key: key.key })).json).toMatchObject(Object.assign({}, ...changes));
  });

  test("is one of as many as the tier allows, however many are asked for at once", async () => {
    const { key, endpoint } = await owner("free");
    const made = await Promise.all(Array.from({ length: 8 }, () => post(ALERTS, key, above(endpoint))));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.json.error).toBe("alert_limit_reached");
    const [{ id }] = (await app.ask(ALERTS, { key: key.key })).json.alerts;
    expect((await remove(`${ALERTS}/${id}`, key)).status).toBe(204);
    expect((await post(ALERTS, key, above(endpoint))).status).toBe(201);
  });

  test("is one of as many as the operator's tiers allow", async () => {
    const catalog = overlayCatalog({ pro: { max_alerts: 1 } });
    const strict = await startTestApp({ catalog });
    try {
      const { key } = await strict.key("pro");
      const made = await strict.ask(ENDPOINTS, { method: "POST", key, body: { url: URL_OF } });
      const ask = () => strict.ask(ALERTS, { method: "POST", key, body: above(made.json.id) });
      expect([(await ask()).status, (await ask()).status]).toEqual([201, 409]);
    } finally {
      await strict.close();
    }
  });

  test("is made once under an Idempotency-Key, and another body under it is refused", async () => {
    const { key, endpoint } = await owner();
    const headers = { "Idempotency-Key": "5c1f7a52" };
    const tries = await Promise.all([1, 2, 3].map(() => post(ALERTS, key, above(endpoint), headers)));
    expect(new Set(tries.map(({ text }) => text)).size).toBe(1);
    expect(tries.every(({ status }) => status === 201)).toBe(true);
    expect((await app.ask(ALERTS, { key: key.key })).json.alerts).toHaveLength(1);
    const other = await post(ALERTS, key, above(endpoint, "4200"), headers);
    expect([other.status, other.json.issues[0].path]).toEqual([422, ["header", "Idempotency-Key"]]);
  });

  test("of a caller whose tier is lower by now is paused beyond it, the newest first, and changed only as one is made", async () => {
    const { key, endpoint } = await owner("pro");
    const made = [];
    for (const symbol of ["silver", "gold", "gold", "gold", "gold"]) {
      app.clock.advance(1_000);
      made.push((await post(ALERTS, key, { ...above(endpoint), symbol })).json.id);
    }
    await setTier(app.store, key.orgId, "free");
    app.clock.advance(6_000);
    const { alerts } = (await app.ask(ALERTS, { key: key.key })).json;
    const paused = ["limit", "limit", null, null, "tier"];
    expect(alerts.map(({ paused_reason }: { paused_reason: string | null }) => paused_reason)).toEqual(paused);
    expect((await app.ask(`${ALERTS}/${made[4]}`, { key: key.key })).json.paused_reason).toBe("limit");
    const { status, json } = await patch(made[0] ?? "", key, { threshold: "1" });
    expect([status, json.error, json.already_true]).toEqual([403, "plan_gated", undefined]);
    expect((await patch(made[3] ?? "", key, { name: "x" })).json).toMatchObject({ name: "x", paused_reason: "limit" });
    await suspendAlerts(app.store, key.orgId, app.clock());
    expect((await app.ask(`${ALERTS}/${made[1]}`, { key: key.key })).json.paused_reason).toBe("suspended");
  });

  test("is answered to a key in grace as it was made before", async () => {
    const { key, endpoint } = await owner();
    const headers = { "Idempotency-Key": "before" };
    const made = await post(ALERTS, key, above(endpoint), headers);
    await post("/v1/account/keys", key);
    expect((await post(ALERTS, key, above(endpoint), headers)).text).toBe(made.text);
    expect((await post(ALERTS, key, above(endpoint), { "Idempotency-Key": "after" })).json.error).toBe("key_in_grace");
    expect((await app.ask(ALERTS, { key: key.key })).json.alerts).toHaveLength(1);
  });
});

test("what another organisation has does not exist, for reading, changing, deleting, testing and redelivering", async () => {
  const { key, endpoint } = await owner();
  const { id } = (await post(ALERTS, key, above(endpoint))).json;
  const { delivery_id: delivery } = (await post(`${ENDPOINTS}/${endpoint}/test`, key)).json;
  const thief = await app.key("pro");
  const theirs = await endpointOf(thief);
  const refusals = [
    [await app.ask(`${ALERTS}/${id}`, { key: thief.key }), "alert_not_found"],
    [await patch(id, thief, { name: "stolen" }), "alert_not_found"],
    [await patch(id, thief, { threshold: "1", endpoint_id: theirs }), "alert_not_found"],
    [await remove(`${ALERTS}/${id}`, thief), "alert_not_found"],
    [await post(ALERTS, thief, above(endpoint)), "endpoint_not_found"],
    [await remove(`${ENDPOINTS}/${endpoint}`, thief), "endpoint_not_found"],
    [await post(`${ENDPOINTS}/${endpoint}/test`, thief), "endpoint_not_found"],
    [await post(`${ENDPOINTS}/${endpoint}/rotate`, thief), "endpoint_not_found"],
    [await post(`/v1/account/deliveries/${delivery}/redeliver`, thief), "delivery_not_found"],
  ] as const;
  for (const [{ status, json }, code] of refusals) expect([status, json.error]).toEqual([404, code]);
  const page = await app.ask(`/v1/account/deliveries?cursor=${delivery}`, { key: thief.key });
  expect([page.status, page.json.issues[0].path]).toEqual([422, ["query", "cursor"]]);
  expect((await app.ask("/v1/account/deliveries", { key: thief.key })).json).toEqual({ deliveries: [], next_cursor: null });
  const own = (await post(ALERTS, thief, above(theirs))).json.id;
  expect((await patch(own, thief, { endpoint_id: endpoint })).json.error).toBe("endpoint_not_found");
  expect((await app.ask(`${ALERTS}/${id}`, { key: key.key })).json).toMatchObject({ name: "XAU-USD-SPOT above 4100" });
});

describe("an endpoint", () => {
  test("shows its secret once, is replaced by rotation, and is not listed with it", async () => {
    const key = await app.key("pro");
    const made = (await post(ENDPOINTS, key, { url: URL_OF })).json;
    expect(made).toEqual({
      id: expect.stringMatching(/^ep_[\w-]{22}$/),
      url: URL_OF,
      created_at: formatTimestamp(app.clock()),
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
    const { secret, ...listed } = made;
    const rotated = await post(`${ENDPOINTS}/${made.id}/rotate`, key, {}, { "Idempotency-Key": "r" });
    expect(rotated.json).toEqual({
      id: made.id,
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_until: formatTimestamp(app.clock() + DAY_MS),
    });
    expect(rotated.json.secret).not.toBe(secret);
    expect((await post(`${ENDPOINTS}/${made.id}/rotate`, key, {}, { "Idempotency-Key": "r" })).text).toBe(rotated.text);
    const list = await app.ask(ENDPOINTS, { key: key.key });
    expect(list.json).toEqual({ endpoints: [listed] });
    expect(list.text).not.toContain("whsec_");
  });

  test.each([
    "https://example.com:8443/path?a=b",
    "https://93.184.215.14/hook",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
    "http://hooks.internal:9000/in",
    "https://hooks.internal/",
    "http://127.0.0.1:3000/",
    // The same address in another spelling.
    "http://2130706433:3000/",
  ])("may be %s", async (url) => {
    expect((await post(ENDPOINTS, await app.key("pro"), { url })).status).toBe(201);
  });

  test.each([
    ["http://example.com/", "must begin with https"],
    // Another port, or another scheme, than the operator names.
    ["http://127.0.0.1:3001/", "must begin with https"],
    ["http://hooks.internal/", "must begin with https"],
    ["https://hooks.internal:9000/", "must have a host on the public internet"],
    ["https://127.0.0.1:3000/", "must have a host on the public internet"],
    ["ftp://example.com/", "must be an https address"],
    ["example.com/hook", "must be an https address"],
    ["https://user@example.com/", "must hold no user name and no password"],
    ["https://:secret@example.com/", "must hold no user name and no password"],
    ["https://example.com/#part", "must have no fragment"],
    ["https://example.com/#", "must have no fragment"],
    ...[
      ...["localhost", "localhost.", "x.localhost", "printer.local", "db.internal", "router.home.arpa", "intranet"],
      ...["10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "127.0.0.2"],
      ...["0x7f000002", "2130706434", "127.2", "[::1]", "[::]", "[fc00::1]", "[fe80::1]", "[ff02::1]"],
      ...["[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[::ffff:169.254.169.254]", "[::127.0.0.1]"],
    ].map((host): [string, string] => [`https://${host}/hook`, "must have a host on the public internet"]),
  ])("may not be %s", async (url, message) => {
    const { status, json } = await post(ENDPOINTS, await app.key("pro"), { url });
    expect(status).toBe(422);
    expect(json.issues).toEqual([{ path: ["body", "url"], code: "invalid_value", message }]);
  });

  test("is one of twenty, and not deleted while alerts are sent to it", async () => {
    const { key, endpoint } = await owner();
    const more = await Promise.all(Array.from({ length: 25 }, () => post(ENDPOINTS, key, { url: URL_OF })));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(more.find(({ status }) => status === 409)?.json.error).toBe("endpoint_limit_reached");
    const { id } = (await post(ALERTS, key, above(endpoint))).json;
    expect((await remove(`${ENDPOINTS}/${endpoint}`, key)).json.error).toBe("endpoint_in_use");
    await remove(`${ALERTS}/${id}`, key);
    expect((await remove(`${ENDPOINTS}/${endpoint}`, key)).status).toBe(204);
    expect((await post(`${ENDPOINTS}/${endpoint}/test`, key)).json.error).toBe("endpoint_not_found");
  });
});

describe("deliveries", () => {
  test("hold a test event at once, as it is sent, and again after a redelivery", async () => {
    const { key, endpoint } = await owner();
    const { status, json } = await post(`${ENDPOINTS}/${endpoint}/test`, key);
    expect([status, json]).toEqual([201, { delivery_id: expect.stringMatching(/^msg_[\w-]{22}$/) }]);
    const { deliveries, next_cursor: next } = (await app.ask("/v1/account/deliveries", { key: key.key })).json;
    expect(next).toBeNull();
    expect(deliveries).toEqual([
      {
        id: json.delivery_id,
        type: "endpoint.test",
        alert_id: null,
        endpoint_id: endpoint,
        status: "pending",
        tries: 0,
        created_at: new Date(app.clock()).toISOString(),
        next_try_at: formatTimestamp(app.clock()),
        last_try_at: null,
        last_status: null,
        last_error: null,
        payload: JSON.stringify({
          type: "endpoint.test",
          timestamp: new Date(app.clock()).toISOString(),
          data: { endpoint_id: endpoint },
        }),
      },
    ]);
    app.clock.advance(60_000);
    const again = await post(`/v1/account/deliveries/${json.delivery_id}/redeliver`, key);
    expect([again.status, again.json]).toEqual([200, { ...deliveries[0], next_try_at: formatTimestamp(app.clock()) }]);
  });

  test.each([
    ["gold", "XAU-USD-SPOT", true],
    ["silver", "XAG-USD-SPOT", false],
  ])("of %s show an owner whose tier is lower by now no price that it may not see yet, or at all", async (_, symbol, isLater) => {
    const { key, endpoint } = await owner("pro");
    const { json: alert } = await post(ALERTS, key, { ...above(endpoint), symbol });
    const { state, seenSeq, memory, revision, hasFired } = (await readAlert(app.store, key.orgId, alert.id)) as OwnedAlert; // just made
    const nowMs = app.clock();
    const data = {
      alert_id: alert.id,
      name: alert.name,
      symbol,
      threshold: "4100",
      price: "4101",
      computed_at: formatTimestamp(nowMs),
      seq: 9,
    };
    const payload = JSON.stringify({ type: "price.above", timestamp: formatTimestamp(nowMs), data });
    const id = `msg_${alert.id}`;
    await writeAlertJudgement(
      app.store,
      { token: 1, holder: "test-writer" },
      {
        standings: [{ id: alert.id, revision, state, seenSeq, memory, hasFired, firedAtMs: nowMs }],
        events: [{ id, alertId: alert.id, seq: 9, type: "price.above", payload }],
        cursors: [],
        atMs: nowMs,
      },
    );
    const listed = async () => (await app.ask("/v1/account/deliveries", { key: key.key })).json.deliveries[0];
    expect(await listed()).toMatchObject({ id, payload });
    await setTier(app.store, key.orgId, "free");
    app.clock.advance(6_000);
    expect(await listed()).toMatchObject({ id, status: "pending", payload: "" });
    expect((await post(`/v1/account/deliveries/${id}/redeliver`, key)).json).toMatchObject({ id, payload: "" });
    app.clock.set(nowMs + 15 * 60_000);
    expect(await listed()).toMatchObject({ id, payload: isLater ? payload : "" });
  });

  test("are paged newest first to the last one, and filtered", async () => {
    const { key, endpoint } = await owner();
    const sent: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      // Several of one instant.
      if (turn % 2 === 0) app.clock.advance(1_000);
      const to = turn === 0 ? endpoint : await endpointOf(key);
      sent.push((await post(`${ENDPOINTS}/${to}/test`, key)).json.delivery_id);
    }
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { json } = await app.ask(`/v1/account/deliveries?limit=2${query}`, { key: key.key });
      walked.push(...json.deliveries.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(walked.toSorted()).toEqual(sent.toSorted());
    expect(walked[0]).toBe(sent[4]);
    // A page follows the one before, though the last of that has been removed since.
    const { json: page } = await app.ask("/v1/account/deliveries?limit=2", { key: key.key });
    await removeDelivery(app.store, walked[1] ?? "");
    const { json: next } = await app.ask(`/v1/account/deliveries?limit=2&cursor=${page.next_cursor}`, { key: key.key });
    expect(next.deliveries.map(({ id }: { id: string }) => id)).toEqual(walked.slice(2, 4));
    const count = async (query: string) =>
      (await app.ask(`/v1/account/deliveries?${query}`, { key: key.key })).json.deliveries.length;
    expect(await count(`endpoint_id=${endpoint}&status=pending`)).toBe(1);
    expect(await count("status=pending")).toBe(4);
    expect(await count("status=failed")).toBe(0);
    expect(await count("alert_id=none")).toBe(0);
    expect(await count("endpoint_id=two%20words")).toBe(0);
  });
});
