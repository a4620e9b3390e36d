/** The published OpenAPI document, as consumers read it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Contract,
  contract,
  ERRORS,
  type ErrorCode,
  errorBody,
  errorCodesOf,
  pages,
  type Route,
  streams,
} from "@assay/contract";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { ROOT } from "./harness/files.ts";

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: { readonly description?: string; readonly type?: string };
}
interface MediaType {
  readonly schema: unknown;
  readonly examples?: Record<string, { readonly value: unknown }>;
}
interface ResponseObject {
  readonly $ref?: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, MediaType>;
}
interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly security: Record<string, unknown>[];
  readonly parameters?: Parameter[];
  readonly responses: Record<string, ResponseObject>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, ResponseObject> };
}

const path = join(ROOT, "packages/contract/generated/openapi.json");
const source = readFileSync(path, "utf8");
const document = JSON.parse(source) as Document; // checked against the contract below

const answering = Object.values<Contract[string]>({ ...contract, ...pages }).flatMap((actions) => Object.values(actions));
const routes: Route[] = [...answering, ...Object.values(streams)];
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const operationOf = (route: Route): Operation => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.method} ${route.path} is not in the document`);
  return operation;
};
const jsonOf = (route: Route, status: string): MediaType | undefined =>
  operationOf(route).responses[status]?.content?.["application/json"];

describe("the document", () => {
  test("has no error under Redocly's recommended rules, and no example that does not match its schema", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: {
        "no-invalid-media-type-examples": "error",
        "no-invalid-parameter-examples": "error",
        "no-invalid-schema-examples": "error",
        "operation-4xx-response": "off", // health and public history never refuse
      },
    });
    const problems = await lintFromString({ source, absoluteRef: path, config });
    const described = problems
      .filter(({ severity }) => severity === "error")
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
    expect(described).toEqual([]);
  });

  test("is OpenAPI 3.1 and holds every route of the contract, those that stream, those outside /v1, and nothing else", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const documented = Object.entries(document.paths).flatMap(([where, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${where}`),
    );
    expect(documented.toSorted()).toEqual(named.map(([name]) => name).toSorted());
  });

  test("gives every operation a unique name", () => {
    const names = routes.map((route) => operationOf(route).operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

describe.each(named)("%s", (_, route) => {
  const codes = errorCodesOf(route);
  const byStatus = (status: number): ErrorCode[] => codes.filter((code) => ERRORS[code].status === status);

  test("has an example of every code it can answer with, under its status, and of no other", () => {
    for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
      const examples = jsonOf(route, String(status))?.examples ?? {};
      expect(Object.keys(examples).toSorted(), String(status)).toEqual(byStatus(status).toSorted());
    }
    const documented = Object.keys(operationOf(route).responses).map(Number);
    const known = new Set([route.success.status, 500, ...codes.map((code) => ERRORS[code].status)]);
    const unchanged = documented.filter((status) => status === 304);
    expect(new Set(documented)).toEqual(new Set([...known, ...unchanged]));
    if (unchanged.length > 0) expect(operationOf(route).responses["304"]?.headers).toHaveProperty("ETag");
  });

  test.each(codes.length > 0 ? codes : [])("shows a body of %s that the contract accepts", (code) => {
    const example = jsonOf(route, String(ERRORS[code].status))?.examples?.[code]?.value;
    expect(errorBody(code).strict().safeParse(example).error?.issues ?? []).toEqual([]);
  });

  test("says who may call it, and that it is deprecated when it is", () => {
    const { security, deprecated = false } = operationOf(route);
    const keyed = [{ bearer: [] }, { apiKey: [] }];
    expect(security).toEqual({ none: [], optional: [...keyed, {}], required: keyed }[route.access.auth]);
    expect(deprecated).toBe(route.successor !== undefined);
  });

  test("names the headers of its answers, those of limits and waits among them", () => {
    const { responses } = operationOf(route);
    for (const [status, response] of Object.entries(responses)) {
      const { headers = {} } = document.components.responses[response.$ref?.split("/").at(-1) ?? ""] ?? response;
      expect(headers, status).toHaveProperty("X-Request-Id");
      // An unexpected error has no rate limit headers.
      if (route.access.limit !== "none" && status !== "500") expect(headers, status).toHaveProperty("RateLimit-Policy");
      if (status === "429" || status === "503") expect(headers, status).toHaveProperty("Retry-After");
      if (status === "401") expect(headers).toHaveProperty("WWW-Authenticate");
    }
    if (route.successor)
      for (const name of ["Deprecation", "Link", "Sunset"]) expect(responses["200"]?.headers).toHaveProperty(name);
  });
});
