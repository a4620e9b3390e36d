/** Checks that the OpenAPI document is complete and matches the contract. */
import { type Contract, contract, exampleEvent, pages, type Route, WEBHOOK_TYPES } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "./document.ts";
import type { Json, Operation } from "./types.ts";

const PUBLIC_URL = "https://prices.example.com";
const document = openApiDocument(PUBLIC_URL);
const tree: Contract = { ...contract, ...pages };
const routes = Object.values(tree).flatMap((actions) =>
  Object.values(actions).map((route) => ({ name: `${route.method} ${route.path}`, route })),
);
const operationOf = ({ path, method }: Route): Operation => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`no ${method} ${path}`);
  return operation;
};

describe("the document", () => {
  test("names the service, its licence, a contact and further documentation, under the public address", () => {
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

  test("has no schema without bounds and none that spells out the calendar", () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toContain("02-29");
  });

  test("has no schema that nothing refers to, and a type for every parameter", () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`#/components/schemas/${name}"`);
    expect(document.components.schemas).toHaveProperty("ErrorValidationError");
    const parameters = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation.parameters ?? []),
    );
    const alternatives = parameters.filter(({ schema }) => "anyOf" in schema);
    expect(alternatives.map(({ name }) => name)).toContain("from");
    for (const { name, schema } of alternatives) {
      for (const each of schema["anyOf"] as Json[]) expect(each, name).toHaveProperty("type");
      for (const bound of ["minLength", "maxLength"]) expect(schema, name).not.toHaveProperty(bound); // orval writes `.min()` of a union
    }
  });

  test("describes every header it refers to, with an example", () => {
    for (const [name, header] of Object.entries(document.components.headers ?? {})) {
      expect(header, name).toMatchObject({ description: expect.any(String), schema: { type: expect.any(String) } });
      expect(header, name).toHaveProperty("example");
    }
  });
});

test("every event that is sent to endpoints is a webhook, with its headers, its schema and an example", () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual(WEBHOOK_TYPES);
  for (const type of WEBHOOK_TYPES) {
    const post = document.webhooks?.[type]?.["post"];
    expect(post?.parameters?.map(({ name }) => name)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
    const body = post?.requestBody?.content?.["application/json"];
    expect(body?.examples?.[type]).toMatchObject({ value: exampleEvent(type) });
    const { $ref = "" } = (body?.schema ?? {}) as { $ref?: string };
    const schema = document.components.schemas[$ref.replace("#/components/schemas/", "")];
    expect(schema).toMatchObject({ type: "object", required: ["type", "timestamp", "data"] });
  }
  expect(JSON.stringify(document)).not.toContain("$defs");
});

describe.each(routes)("$name", ({ route }) => {
  const operation = operationOf(route);

  test("shows an Idempotency-Key that nobody would guess: with a replaced key it opens the new one", () => {
    const [shown] = (operationOf(contract.account.mintKey).parameters ?? []).filter(({ name }) => name === "Idempotency-Key");
    expect(shown?.example).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("shows the examples of the contract", () => {
    const response = operation.responses[String(route.success.status)];
    const shown = response?.content?.[route.success.mediaType ?? "application/json"]?.examples ?? {};
    // A redirect has a Location header and no body.
    if (route.success.status === 307)
      expect([shown, response?.headers]).toEqual([{}, expect.objectContaining({ Location: expect.anything() })]);
    else expect(shown).toEqual(route.examples ?? {});
  });

  test("describes every parameter and shows a value the contract accepts", () => {
    const given = operation.parameters ?? [];
    for (const { name, description, example } of given) {
      expect(description, name).toBeTruthy();
      expect(example, name).toBeDefined();
    }
    const inBody = operation.requestBody?.content?.["application/json"]?.example as object | undefined; // an input
    const input = {
      ...Object.fromEntries(given.filter(({ in: place }) => place !== "header").map(({ name, example }) => [name, example])),
      ...inBody,
    };
    const issues = route.input.safeParse(input).error?.issues ?? [];
    // Callers see a number; internally the amount stays a string.
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
