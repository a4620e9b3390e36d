/** Requests of any kind: every parameter valid, invalid or absent, with other queries, bodies, headers and methods. */
import { type Contract, pathParameters, type Route } from "@assay/contract";
import fc from "fast-check";
import { namedRoutes } from "../routes.ts";
import { invalidFaults } from "./invalid.ts";
import { type Parameter, parametersOf, requestPath } from "./parameters.ts";
import { type Input, sampleInput } from "./sample.ts";
import { validValues } from "./valid.ts";

export interface AnyRequest {
  readonly input: Input;
  readonly method: string;
  readonly extraQuery?: string;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Below the service's limit on headers, which Node enforces itself. */
const MOST_PATH_CHARACTERS = 6_000;

const NASTY = [
  ...["__proto__", "constructor", "toString", "NaN", "Infinity", "-0", "1e999", "null", "undefined", "true", "[]", "{}"],
  ...["../../etc/passwd", "%2e%2e%2f", "' or 1=1 --", "\u0000", "\u202e", "\ufeff", "٣", "XAU-USD-SPOT\u0000", "0x7fffffff"],
  ...["9".repeat(400), `-${"9".repeat(30)}`, `0.${"0".repeat(300)}1`],
  ...["275761-01-01", "-271821-04-20", "0000-00-00", "9999-12-31"],
];
const JUNK_QUERIES = ["&&&", "a=b=c", "%", "%zz=%zz", "=", "symbol[]=x", "symbol=%ff%fe", "input={}", "limit=1&limit=1"];
const JUNK_BODIES = [
  "",
  "{",
  "[]",
  "null",
  '"x"',
  "{}}",
  '{"name":1e999}',
  '{"__proto__":{"name":"x"}}',
  "\u0000",
  "[".repeat(5_000),
];
const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: "text/html" },
  { "accept-encoding": "br;q=x, *;q=0" },
  { "content-type": "text/plain" },
  { "if-none-match": '*, "x", W/' },
  { range: "bytes=0-0,5-" },
  { "idempotency-key": "\u00e9 \u00ff" },
  { "idempotency-key": "x".repeat(256) },
  { "last-event-id": "XAU-USD-SPOT:99999999999999999999" },
];

/** An empty segment, or one that is only dots, is another path. */
const isSegment = (value: unknown): boolean => !/^(\.|%2e){0,2}$/i.test(String(value));

const valuesOf = (route: Route, parameter: Parameter, sample: Input): fc.Arbitrary<unknown> => {
  // What a DELETE names must not exist.
  if (route.method === "DELETE" && parameter.location === "path") return fc.constant(sample[parameter.name]);
  const faulty = invalidFaults(route).filter((fault) => fault.parameter.name === parameter.name && fault.kind !== "missing");
  const any = fc.oneof(
    validValues(route, parameter),
    ...faulty.map(({ values }) => values),
    fc.constantFrom(...NASTY),
    fc.string({ unit: "binary", maxLength: 40 }),
    ...(parameter.location === "body" ? [fc.jsonValue()] : []),
  );
  return parameter.location === "path" ? any.filter(isSegment) : any;
};

/** Mostly the route's own method, sometimes HEAD or one that the path does not accept. */
const methods = (contract: Contract, route: Route): fc.Arbitrary<string> => {
  const taken = new Set<string>(
    namedRoutes(contract).flatMap((each) => (each.route.path === route.path ? [each.route.method] : [])),
  );
  const others = ["PUT", "PATCH", "OPTIONS", "POST", "DELETE"].filter((method) => !taken.has(method));
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<string>(route.method) },
    ...(route.method === "GET" ? [{ weight: 3, arbitrary: fc.constant("HEAD") }] : []),
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
};

/** Requests of a route, right and wrong in every respect. */
export const anyRequests = (contract: Contract, route: Route, nowMs: number): fc.Arbitrary<AnyRequest> => {
  const sample = sampleInput(route, nowMs);
  const values = Object.fromEntries(parametersOf(route).map((each) => [each.name, valuesOf(route, each, sample)]));
  const odd = <T>(odds: readonly T[]) => fc.option(fc.constantFrom(...odds), { nil: undefined, freq: 2 });
  return fc
    .record(
      {
        input: fc.record(values, { requiredKeys: pathParameters(route.path) }),
        method: methods(contract, route),
        extraQuery: odd(JUNK_QUERIES),
        headers: odd(ODD_HEADERS),
        ...(route.method === "POST" ? { rawBody: odd(JUNK_BODIES) } : {}),
      },
      { requiredKeys: ["input", "method"] },
    )
    .map((asked) => Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as unknown as AnyRequest) // undefined ones were left out
    .filter(({ input, extraQuery }) => requestPath(route, input, extraQuery).length <= MOST_PATH_CHARACTERS);
};
