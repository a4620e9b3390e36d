/** Inputs generated from the schemas, encoded and decoded: every valid one is accepted, no invalid one is. */
import { contract, isChanging, pathParameters, type Route, requestSchema, takesBody } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namedRoutes } from "../routes.ts";
import { invalidFaults } from "./invalid.ts";
import { parametersOf, requestBody, requestPath } from "./parameters.ts";
import { exampleInputs, type Input, sampleInput } from "./sample.ts";
import { sensibleInputs, validInputs } from "./valid.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const RUNS = { numRuns: process.env.TEST_DEPTH === "deep" ? 60 : 15 };

/** What a server makes of a request: path and query parsed again, digit-only text converted to integers. */
const arrives = (route: Route, input: Input): boolean => {
  const url = new URL(requestPath(route, input), "http://service");
  const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
  const inPath = pattern.exec(url.pathname)?.slice(1).map(decodeURIComponent);
  if (!inPath) return false;
  const texts = {
    ...Object.fromEntries(url.searchParams),
    ...Object.fromEntries(pathParameters(route.path).map((name, at) => [name, inPath[at]])),
  };
  const values = Object.entries(texts).map(([name, text]) => {
    const type = parametersOf(route).find((parameter) => parameter.name === name)?.json.type;
    const isNumber = (type === "integer" || type === "number") && /^\d+$/.test(text ?? "");
    return [name, isNumber ? Number(text) : text];
  });
  const body = takesBody(route) ? JSON.parse(requestBody(route, input) ?? "{}") : {};
  return requestSchema(route).safeParse({ ...Object.fromEntries(values), ...body }).success;
};

const routes = namedRoutes(contract);

describe.each(routes.map(({ name, route }) => [name, route] as const))("inputs of %s", (_, route) => {
  test("parse when they are examples, the plainest one first", () => {
    const [plain, ...more] = exampleInputs(route, NOW_MS);
    expect(plain).toEqual(sampleInput(route, NOW_MS));
    for (const input of [plain ?? {}, ...more]) expect(arrives(route, input), JSON.stringify(input)).toBe(true);
  });

  test("parse when they are sensible, and windows are in order", () => {
    fc.assert(
      fc.property(sensibleInputs(route, NOW_MS), (input) => {
        expect(arrives(route, input)).toBe(true);
        if ("from" in input && /^\d/.test(String(input.from))) expect(String(input.from) <= String(input.to)).toBe(true);
      }),
      RUNS,
    );
  });

  test("parse when they are valid, whatever they hold", () => {
    fc.assert(
      fc.property(validInputs(route), (input) => arrives(route, input)),
      RUNS,
    );
  });

  const sample = sampleInput(route, NOW_MS);
  const bySchema = invalidFaults(route).filter(({ kind, bySchema: isRefused }) => isRefused && kind !== "repeated");
  test.each(bySchema.map((fault) => [fault.parameter.name, fault.kind, fault] as const))(
    "do not parse with %s %s",
    (name, kind, { values }) => {
      fc.assert(
        fc.property(values, (value) => {
          const { [name]: _, ...rest } = sample;
          return !arrives(route, kind === "missing" ? rest : { ...rest, [name]: value });
        }),
        RUNS,
      );
    },
  );
});

describe("the kinds of invalid request", () => {
  test("are all tried somewhere, for path, query and body", () => {
    const faults = routes.flatMap(({ route }) => invalidFaults(route));
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      [
        "control characters",
        "malformed date",
        "missing",
        "no such value",
        "out of range",
        "repeated",
        "too long",
        "too short",
        "wrong type",
      ].toSorted(),
    );
    expect(new Set(faults.map(({ parameter }) => parameter.location))).toEqual(new Set(["path", "query", "body"]));
  });

  test("never make an id that could exist, of what is changed or deleted", () => {
    const changing = routes.filter(({ route }) => isChanging(route) && pathParameters(route.path).length > 0);
    expect(changing.map(({ route }) => route.method)).toEqual(expect.arrayContaining(["POST", "PATCH", "DELETE"]));
    for (const { name, route } of changing)
      for (const id of pathParameters(route.path))
        expect(sampleInput(route, NOW_MS), name).toMatchObject({ [id]: "00000000-0000-4000-8000-000000000000" });
  });
});
