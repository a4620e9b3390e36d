/** The OpenAPI document as a stranger reads it: complete, and true of a running service. */
import { type Contract, contract, type Route } from "@assay/contract";
import { FRIDAY_MS, faultsOf, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";
import { openApiDocument } from "./document.ts";
import { answerExamples } from "./examples/index.ts";
import type { Operation } from "./types.ts";

const PUBLIC_URL = "https://prices.example.com";
const document = openApiDocument(PUBLIC_URL);
const tree: Contract = contract;
const routes = Object.entries(tree).flatMap(([resource, actions]) =>
  Object.entries(actions).map(([action, route]) => ({ name: `${route.method} ${route.path}`, resource, action, route })),
);
const operationOf = ({ path, method }: Route): Operation => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`no ${method} ${path}`);
  return operation;
};

describe("the document", () => {
  test("names the service, its licence, whom to ask and where to read more, under the public address", () => {
    expect(document.servers).toEqual([{ url: PUBLIC_URL, description: "This service" }]);
    expect(document.info).toMatchObject({ license: { identifier: "Apache-2.0" }, contact: { url: `${PUBLIC_URL}/docs` } });
    expect(document.externalDocs).toEqual({ description: "Guides", url: `${PUBLIC_URL}/docs/guides` });
    expect(JSON.stringify(document)).not.toContain("127.0.0.1");
  });

  test("describes every tag it uses, and no other", () => {
    const used = new Set(routes.map(({ route }) => route.tag));
    expect(document.tags.map(({ name }) => name)).toEqual([...used]);
    for (const tag of document.tags) expect(tag["description"], String(tag["name"])).toBeTruthy();
  });

  test("has no schema that bounds nothing and none that spells out the calendar", () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toContain("02-29");
  });

  test("describes every header it refers to, with an example", () => {
    for (const [name, header] of Object.entries(document.components.headers ?? {})) {
      expect(header, name).toMatchObject({ description: expect.any(String), schema: { type: expect.any(String) } });
      expect(header, name).toHaveProperty("example");
    }
  });
});

describe.each(routes)("$name", ({ resource, action, route }) => {
  const operation = operationOf(route);

  test("shows answers that the contract takes, every field of them declared", () => {
    const examples = Object.entries(answerExamples(resource, action));
    expect(examples.length > 0).toBe(route.success.status !== 204);
    for (const [name, { value }] of examples) expect(faultsOf(route.output, value), name).toEqual([]);
    const response = operation.responses[String(route.success.status)];
    const shown = response?.content?.["application/json"]?.examples ?? {};
    // A redirect shows where it leads in a header and has no body.
    if (route.success.status === 307)
      expect([shown, response?.headers]).toEqual([{}, expect.objectContaining({ Location: expect.anything() })]);
    else expect(shown).toEqual(Object.fromEntries(examples));
  });

  test("describes every parameter and shows a value the contract takes", () => {
    const given = operation.parameters ?? [];
    for (const { name, description, example } of given) {
      expect(description, name).toBeTruthy();
      expect(example, name).toBeDefined();
    }
    const input = Object.fromEntries(
      given.filter(({ in: place }) => place !== "header").map(({ name, example }) => [name, example]),
    );
    const issues = route.input.safeParse(input).error?.issues ?? [];
    // The amount is a number to the caller and stays text inside.
    expect(issues.filter(({ path }) => path[0] !== "amount")).toEqual([]);
  });

  test("says in words who may call it and what a call costs, and links every code to its page", () => {
    expect(operation.description).toMatch(/\*\*Key\*\*: (none|optional|required)/);
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (Number(status) < 400 || status === "500") continue;
      expect(description, status).toMatch(/\(https:\/\/prices\.example\.com\/docs\/errors\/[a-z_]+\): /);
    }
  });
});

describe("the headers of real answers", () => {
  let app: TestApp;
  let key = "";
  beforeAll(async () => {
    app = await startTestApp();
    key = (await app.key("pro")).key;
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()], bars: makeBars("1d", FRIDAY_MS - (FRIDAY_MS % 86_400_000), 3) });
  });
  afterAll(() => app.close());

  /** What the server and the connection add on their own. */
  const OF_THE_TRANSPORT = new Set([
    "connection",
    "keep-alive",
    "date",
    "content-length",
    "content-type",
    "transfer-encoding",
    "vary",
  ]);

  test.each([
    ["/v1/health", "/v1/health", "none", 200],
    ["/v1/status", "/v1/status", "none", 200],
    ["/v1/metadata/tiers", "/v1/metadata/tiers", "none", 200],
    ["/v1/public/xau-history", "/v1/public/xau-history", "none", 200],
    ["/v1/prices", "/v1/prices", "none", 200],
    ["/v1/prices", "/v1/prices", "bad", 401],
    ["/v1/prices", "/v1/prices?symbol=garbage", "none", 400],
    ["/v1/prices/history", "/v1/prices/history?symbol=XAU&from=2026-11-01&to=2026-11-20", "none", 200],
    ["/v1/prices/history", "/v1/prices/history?symbol=GLD&from=2026-11-01&to=2026-11-20", "none", 403],
    ["/v1/spot/{symbol}", "/v1/spot/gold", "pro", 200],
    ["/v1/spot/{symbol}", "/v1/spot/silver", "none", 403],
    ["/v1/bars", "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20", "pro", 200],
    ["/v1/bars", "/v1/bars", "pro", 422],
    ["/v1/convert", "/v1/convert?from=XAU&to=EUR", "pro", 200],
    ["/v1/convert", "/v1/convert?from=XAU&to=EUR", "none", 503],
    ["/v1/account/usage", "/v1/account/usage", "pro", 200],
    ["/v1/account/usage", "/v1/account/usage", "none", 401],
  ] as const)("of %s (%s, key: %s) with %i are those the document lists", async (path, asked, holds, expected) => {
    const { status, headers } = await app.ask(asked, { key: { none: undefined, bad: "no-such-key", pro: key }[holds] });
    expect(status).toBe(expected);
    const listed = Object.keys(document.paths[path]?.["get"]?.responses[String(status)]?.headers ?? {});
    const lowered = new Set(listed.map((name) => name.toLowerCase()));
    const sent = [...headers.keys()].filter((name) => !OF_THE_TRANSPORT.has(name));
    expect(
      sent.filter((name) => !lowered.has(name)),
      `${status}: sent, not listed`,
    ).toEqual([]);
    const always = listed.filter((name) => name !== "Sunset" && name !== "X-Should-Retry");
    expect(
      always.filter((name) => !headers.has(name)),
      `${status}: listed, not sent`,
    ).toEqual([]);
  });

  test("tells of an ETag that holds: the same request with it is answered 304", async () => {
    const first = await app.ask("/v1/public/xau-history");
    const again = await app.ask("/v1/public/xau-history", { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(document.paths["/v1/public/xau-history"]?.["get"]?.responses).toHaveProperty("304");
  });
});
