import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract, ERRORS, errorCodesOf, isChanging, pages, pathParameters, type Route, routesFile, verbName } from "./index.ts";

const routes = Object.entries({ ...contract, ...pages }).flatMap(([resource, actions]) =>
  Object.entries<Route>(actions).map(([action, route]) => ({ name: `${resource}.${action}`, resource, action, route })),
);

/** Access as the specification labels it: method, path, auth, tier. */
const SPEC = [
  ["GET", "/v1/health", "none", "free"],
  ["GET", "/v1/status", "none", "free"],
  ["GET", "/v1/metadata/tiers", "none", "free"],
  ["GET", "/v1/public/xau-history", "none", "free"],
  ["GET", "/v1/prices", "optional", "free"],
  ["GET", "/v1/spot/{symbol}", "optional", "free"],
  ["GET", "/v1/prices/divergence", "optional", "free"],
  ["GET", "/v1/prices/history", "optional", "free"],
  ["GET", "/v1/bars", "optional", "free"],
  ["GET", "/v1/bars/latest", "optional", "free"],
  ["GET", "/v1/ratios", "required", "pro"],
  ["GET", "/v1/ratios/latest", "required", "pro"],
  ["GET", "/v1/settlements", "required", "pro"],
  ["GET", "/v1/forward-view/{asset}", "optional", "free"],
  ["GET", "/v1/convert", "optional", "free"],
  ["GET", "/v1/carat", "optional", "free"],
  ["GET", "/v1/physical", "required", "physical"],
  ["GET", "/v1/physical/{country}", "required", "physical"],
  ["GET", "/v1/surface/{metal}", "required", "pro"],
  ["GET", "/v1/surface/{metal}/expiries", "required", "pro"],
  ["GET", "/v1/signals/arbitrage", "required", "pro"],
  ["GET", "/v1/account/keys", "required", "free"],
  ["POST", "/v1/account/keys", "required", "free"],
  ["DELETE", "/v1/account/keys/{key_id}", "required", "free"],
  ["GET", "/v1/account/usage", "required", "free"],
] as const;

test.each(SPEC)("%s %s exists, with the access the interface gives it", (method, path, auth, tier) => {
  const found = routes.filter(({ route }) => route.method === method && route.path === path);
  expect(found).toHaveLength(1);
  expect(found[0]?.route.access).toMatchObject({ auth, tier });
});

test("the API is all under /v1, and pages are all outside it", () => {
  for (const { resource, route } of routes) expect(route.path.startsWith("/v1/"), route.path).toBe(resource in contract);
  for (const resource of Object.keys(pages)) expect(contract).not.toHaveProperty(resource);
});

test("no two routes have the same method and path", () => {
  const names = routes.map(({ route }) => `${route.method} ${route.path}`);
  expect(new Set(names).size).toBe(names.length);
});

test("no two tools have the same name, and there are about as many as a model can choose from", () => {
  const names = routes.flatMap(({ route }) => (route.tool ? [route.tool.name] : []));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(9);
  expect(names.length).toBeLessThanOrEqual(14);
});

describe.each(routes)("$name", ({ resource, action, route }) => {
  test("is declared in the file of its resource, under its one name", async () => {
    const file: Record<string, unknown> = await import(/* @vite-ignore */ `./routes/${routesFile(resource)}`);
    expect(file[verbName(resource, action)]).toBe(route);
  });

  test("takes every parameter of its path, and describes all parameters", () => {
    for (const name of pathParameters(route.path)) expect(Object.keys(route.input.shape)).toContain(name);
    for (const [name, field] of Object.entries<z.ZodType>(route.input.shape as Record<string, z.ZodType>)) {
      expect(z.toJSONSchema(field, { io: "input", unrepresentable: "any" }).description, name).toBeTruthy();
    }
  });

  test("shows an example of each required parameter, and every example is right", () => {
    for (const [name, field] of Object.entries<z.ZodType>(route.input.shape as Record<string, z.ZodType>)) {
      const examples = z.toJSONSchema(field, { io: "input", unrepresentable: "any" }).examples ?? [];
      if (!field.safeParse(undefined).success) expect(examples, name).not.toHaveLength(0);
      for (const example of examples) expect(field.safeParse(example).success, `${name} ${String(example)}`).toBe(true);
    }
  });

  test("shows answers that match its schema, with every field declared", () => {
    const examples = Object.entries(route.examples ?? {});
    expect(examples.length > 0).toBe(route.success.status !== 204);
    for (const [name, { summary, value }] of examples) {
      expect(summary).toMatch(/^[A-Z]/);
      // Parsing drops fields the schema does not declare.
      expect(route.output.parse(value), name).toEqual(value);
    }
  });

  test("has a summary, a description and declared codes only, each once", () => {
    expect(route.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(route.description).toMatch(/^[A-Z`].*\.$/s);
    const codes = errorCodesOf(route);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(ERRORS).toHaveProperty(code);
  });

  test("declares what follows from its access, and nothing that cannot happen", () => {
    const codes = errorCodesOf(route);
    const { auth, limit, metered } = route.access;
    expect(codes.includes("invalid_api_key")).toBe(auth !== "none");
    expect(codes.includes("auth_unavailable")).toBe(auth !== "none");
    expect(codes.includes(route.unauthenticatedCode)).toBe(auth === "required");
    expect(codes.includes("rate_limit_exceeded")).toBe(limit !== "none");
    expect(codes.includes("quota_exceeded")).toBe(metered && auth !== "none");
    expect(codes.includes("key_in_grace"), "every route that changes something").toBe(isChanging(route));
    if (isChanging(route)) expect(auth, "whoever changes something is known").toBe("required");
    if (route.computes) expect(route.method, "a GET changes nothing anyway").toBe("POST");
    if (Object.keys(route.input.shape).length > 0) expect(codes).toContain("validation_error");
  });

  test("as a tool reads, takes and answers with an object, and says when to use it", () => {
    if (!route.tool) return;
    expect([isChanging(route), route.success.status]).toEqual([false, 200]);
    expect(route.tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(route.tool.description).toMatch(/^[A-Z].*\.$/);
    expect(route.output).toBeInstanceOf(z.ZodObject);
  });

  test("keeps answers that depend on a client's own key out of caches", () => {
    const { auth } = route.access;
    if (auth !== "none") expect(route.success.cacheControl ?? "no-store").toBe("no-store");
  });

  test("writes field names in snake case, in and out", () => {
    const names: string[] = [];
    const collect = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      if ("properties" in node) names.push(...Object.keys(node.properties as object));
      Object.values(node).forEach(collect);
    };
    collect(z.toJSONSchema(route.output, { unrepresentable: "any" }));
    collect(z.toJSONSchema(route.input, { io: "input", unrepresentable: "any" }));
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });
});
