/** Requests generated from the contract's schemas: sensible, well-formed, invalid in one place, and invalid throughout. */
import { type Contract, pathParameters, type Route } from "@assay/contract";
import {
  askingOf,
  BAD_KEYS,
  badKey,
  type Caller,
  type Input,
  invalidFaults,
  type NamedRoute,
  namedRoutes,
  type Parameter,
  parametersOf,
  requestPath,
  sampleInput,
  sensibleInputs,
  validInputs,
  validValues,
} from "@assay/contract-test/requests";
import fc from "fast-check";

/** One request, without an address. */
export interface FuzzRequest extends NamedRoute {
  readonly caller: Caller;
  readonly method: string;
  readonly input: Input;
  readonly extraQuery?: string;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Asking = Omit<FuzzRequest, keyof NamedRoute | "caller" | "method">;

/** Below the service's limit on headers, which Node enforces itself. */
const MOST_PATH_CHARACTERS = 6_000;

const NASTY = [
  ...["__proto__", "constructor", "toString", "NaN", "Infinity", "-0", "1e999", "null", "undefined", "true", "[]", "{}"],
  ...["../../etc/passwd", "%2e%2e%2f", "' or 1=1 --", "\u0000", "\u202e", "\ufeff", "٣", "XAU-USD-SPOT\u0000", "0x7fffffff"],
  ...[
    "9".repeat(400),
    `-${"9".repeat(30)}`,
    `0.${"0".repeat(300)}1`,
    "275761-01-01",
    "-271821-04-20",
    "0000-00-00",
    "9999-12-31",
  ],
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

const chaosOf = (route: Route, parameter: Parameter): fc.Arbitrary<unknown> => {
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

/** Every parameter valid, invalid or absent, independently of the others. */
const chaos = (route: Route): fc.Arbitrary<Asking> => {
  const parameters = parametersOf(route);
  const inPath = pathParameters(route.path);
  const input = fc.record(Object.fromEntries(parameters.map((each) => [each.name, chaosOf(route, each)])), {
    requiredKeys: inPath,
  });
  const odd = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  return fc
    .record({ input, extraQuery: odd(...JUNK_QUERIES), rawBody: odd(...JUNK_BODIES), headers: odd(...ODD_HEADERS) })
    .map(({ extraQuery, rawBody, headers, ...rest }) => ({
      ...rest,
      ...(extraQuery === undefined ? {} : { extraQuery }),
      ...(rawBody === undefined || route.method !== "POST" ? {} : { rawBody }),
      ...(headers === undefined ? {} : { headers }),
    }));
};

const broken = (route: Route, nowMs: number): fc.Arbitrary<Asking>[] =>
  invalidFaults(route)
    .filter(({ parameter, kind }) => parameter.location !== "path" || kind !== "too short")
    .map((fault) =>
      fault.values
        .filter((value) => fault.parameter.location !== "path" || isSegment(value))
        .map((value) => askingOf(sampleInput(route, nowMs), fault, value)),
    );

const askings = (route: Route, nowMs: number): fc.Arbitrary<Asking> => {
  const input = (made: fc.Arbitrary<Input>) => made.map((each) => ({ input: each }));
  // What a DELETE names must not exist.
  const right = route.method === "DELETE" ? fc.constant(sampleInput(route, nowMs)) : sensibleInputs(route, nowMs);
  const wrong = broken(route, nowMs);
  return fc.oneof(
    { weight: 4, arbitrary: input(right) },
    { weight: 3, arbitrary: input(validInputs(route)) },
    ...(wrong.length > 0 ? [{ weight: 3, arbitrary: fc.oneof(...wrong) }] : []),
    { weight: 2, arbitrary: chaos(route) },
  );
};

/** Sometimes HEAD, and methods the path does not accept. */
const methods = (routes: readonly NamedRoute[], route: Route): fc.Arbitrary<string> => {
  const taken = new Set(routes.filter((each) => each.route.path === route.path).map((each) => each.route.method as string));
  const others = ["PUT", "PATCH", "OPTIONS", "POST", "DELETE"].filter((method) => !taken.has(method));
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<string>(route.method) },
    ...(route.method === "GET" ? [{ weight: 3, arbitrary: fc.constant("HEAD") }] : []),
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
};

/** How often a route is requested relative to the others: a stream holds a place for a while, and every mint creates a row. */
const weightOf = ({ name, route }: NamedRoute): number => (name.startsWith("streams.") || route.method === "POST" ? 1 : 20);

/**
 * Requests of every route.
 * @param callers the callers, the one with the widest access last and used most; callers with invalid keys are added
 * @param nowMs the service's clock, epoch milliseconds
 */
export const fuzzRequests = (contract: Contract, callers: readonly Caller[], nowMs: number): fc.Arbitrary<FuzzRequest> => {
  const routes = namedRoutes(contract);
  const caller = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...callers) },
    { weight: 4, arbitrary: fc.constantFrom(...callers.slice(-1)) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD_KEYS.map(badKey)) },
  );
  return fc
    .oneof(
      ...routes.map((named) => ({
        weight: weightOf(named),
        arbitrary: fc
          .tuple(askings(named.route, nowMs), methods(routes, named.route), caller)
          .map(([asking, method, who]): FuzzRequest => ({ ...named, ...asking, method, caller: who })),
      })),
    )
    .filter(({ route, input, extraQuery }) => requestPath(route, input, extraQuery).length <= MOST_PATH_CHARACTERS);
};
