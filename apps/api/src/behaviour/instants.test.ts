/** Instants that fall between seconds have one form in every answer. */
import { contract, DAY_MS, type Route } from "@assay/contract";
import { exampleInput, requestPath } from "@assay/contract-test/requests";
import {
  FRIDAY_MS,
  fakeClock,
  makeBars,
  makeDealerTick,
  makeRates,
  makeSettlement,
  makeSurfaces,
  makeTick,
} from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const ODD_MS = 987;
const QUARTER_MS = 15 * 60_000;
const DAY_START_MS = FRIDAY_MS - (FRIDAY_MS % DAY_MS);
const READING = Object.values(contract).flatMap((actions) =>
  Object.values<Route>(actions).filter(({ method, success }) => method === "GET" && success.status === 200),
);

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ clock: fakeClock(FRIDAY_MS + ODD_MS) });
  const atMs = FRIDAY_MS - ODD_MS;
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: atMs - QUARTER_MS }), makeTick(2, { computedAtMs: atMs })],
    fx: [makeRates({ observedAtMs: atMs - QUARTER_MS }), makeRates({ observedAtMs: atMs })],
    bars: [...makeBars("1d", DAY_START_MS - DAY_MS, 3), ...makeBars("1d", DAY_START_MS - DAY_MS, 3, { symbol: "XAG-USD-SPOT" })],
    settlements: [makeSettlement({ fetchedAtMs: atMs })],
  });
  await app.publishDealers(makeDealerTick(1, { observedAtMs: atMs, fetchedAtMs: atMs }));
  await app.publishSurfaces(makeSurfaces().map((surface) => ({ ...surface, computedAtMs: atMs })));
  ({ key } = await app.key("realtime_pro"));
});
afterAll(() => app.close());

/** Every instant in an answer, under its field's name. */
const instantsIn = (value: unknown, name = ""): [name: string, text: string][] => {
  if (typeof value === "string") return /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(value) ? [[name, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, each]) => instantsIn(each, Array.isArray(value) ? name : field));
};

test("every route writes whole seconds, and no moment of a price is younger than it is", async () => {
  const names = new Set<string>();
  for (const route of READING) {
    const { json } = await app.ask(requestPath(route, exampleInput(route)), { key });
    for (const [name, text] of instantsIn(json)) {
      names.add(name);
      expect(text, `${route.path} ${name}`).toMatch(/^[0-9-]{10}T[0-9:]{8}Z$/);
      if (["computed_at", "timestamp", "quoted_at", "fetched_at"].includes(name)) {
        expect(Date.parse(text), `${route.path} ${name}`).toBeLessThanOrEqual(app.clock());
      }
    }
  }
  for (const name of ["computed_at", "timestamp", "fetched_at", "quoted_at", "checked_at", "created_at", "bar_start"]) {
    expect(names, "the test saw it").toContain(name);
  }
});

test("a delayed price never looks younger than the delay", async () => {
  for (const path of ["/v1/spot/XAU", "/v1/carat", "/v1/convert?from=XAU&to=EUR"]) {
    const { json } = await app.ask(path);
    const text = json.computed_at ?? json.timestamp;
    expect(Date.parse(text), path).toBeLessThanOrEqual(app.clock() - QUARTER_MS);
    expect(text).toBe("2026-11-20T13:44:59Z");
  }
});

test("the end of a window is never earlier than it is", async () => {
  const from = "10.99.0.1";
  let refused = await app.ask("/v1/spot/XAU", { from });
  while (refused.status === 200) refused = await app.ask("/v1/spot/XAU", { from });
  expect(refused.status).toBe(429);
  expect(Date.parse(refused.json.reset_at)).toBeGreaterThanOrEqual(app.clock() + 1_000 * (refused.json.retry_after_seconds - 1));
  expect(refused.json.reset_at).toMatch(/T[0-9:]{8}Z$/);
  expect(Date.parse(refused.json.reset_at) / 1_000).toBe(Number(refused.headers.get("x-ratelimit-reset")));
});
