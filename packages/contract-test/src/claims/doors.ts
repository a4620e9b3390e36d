/** The doors of a route: one request through REST, HEAD, tRPC or as another format, with the outcome it should have. */
import { ERRORS, type Format, formatEntry, formatsOf, isChanging, type Route } from "@assay/contract";
import type { Input } from "../inputs/sample.ts";
import type { Caller } from "../wire/caller.ts";
import { codeOf, type Exchange, fieldsOf } from "../wire/exchange.ts";
import { callsOf, type TrpcCall, trpcAddressOf, trpcFaults, wireOf } from "../wire/trpc.ts";
import type { Scope } from "../world.ts";
import type { Attempt } from "./claim.ts";
import { type Door, type Expectation, routeAt } from "./outcomes.ts";

/** The doors of a route: HEAD where no other route of its path answers it, and its formats where those are doors. */
export const doorsOf = (route: Route, { contract, doors, isLab }: Scope): readonly (Door | Format)[] => [
  ...doors.filter((door) => door !== "HEAD" || [route, null].includes(routeAt(contract, route, door))),
  ...(isLab ? formatsOf(route) : []),
];

export interface DoorRequest {
  readonly caller: Caller;
  readonly expected: Expectation;
  /** Replaces the route's sample. */
  readonly input?: Input;
  readonly priority?: number;
}

const formatAt = ({ route }: Attempt, door: Door | Format): Format | undefined =>
  formatsOf(route).find((format) => format === door);

/** Whether a door takes an input: some formats are of daily bars only. */
export const takes = (it: Attempt, door: Door | Format, input: Input): boolean => {
  const format = formatAt(it, door);
  const needs = format ? formatEntry(format).needs : undefined;
  return Object.entries(needs ?? {}).every(([name, value]) => (input[name] ?? value) === value);
};

const meetsOverTrpc = (call: unknown, expected: Expectation): boolean => {
  if (expected === "success") return "result" in fieldsOf(call);
  const wire = fieldsOf(wireOf(call));
  return (
    codeOf({ json: wire }) === expected.code &&
    Object.entries(expected.fields ?? {}).every(([name, value]) => wire[name] === value)
  );
};

const sendOverTrpc = async (it: Attempt, isBatch: boolean, { caller, expected, input }: DoorRequest): Promise<Exchange> => {
  const { route, trial, world } = it;
  // A key mints once, so that a second one of the same batch would be refused.
  const count = isBatch && !isChanging(route) ? 2 : 1;
  const inputs: Input[] = [];
  for (let place = 0; place < count; place += 1) inputs.push(input ?? (await trial.sample(caller)));
  const call: TrpcCall = { name: trial.name, route, inputs, isBatch };
  const { method, path, body } = trpcAddressOf(call);
  const exchange = await world.service.path(path, { caller, method, ...(body === undefined ? {} : { rawBody: body }) });
  it.faults(trpcFaults(exchange, call), exchange, "every call is answered as declared");
  const isMet = callsOf(exchange, call).every((each) => meetsOverTrpc(each, expected));
  const wanted = expected === "success" ? "a result" : `${ERRORS[expected.code].status} ${JSON.stringify(expected)}`;
  if (!isMet) it.fault(`answered ${exchange.status} instead of ${wanted}`, exchange);
  return exchange;
};

/** Makes a request through a door, and reports an outcome that is not the expected one. */
export const sendThrough = async (it: Attempt, door: Door | Format, { expected, ...request }: DoorRequest): Promise<Exchange> => {
  if (door === "tRPC" || door === "tRPC batch") return sendOverTrpc(it, door === "tRPC batch", { expected, ...request });
  const format = formatAt(it, door);
  const how = format ? { extraQuery: `format=${format}` } : door === "HEAD" ? { method: "HEAD" } : {};
  // A key in grace is one of the outcomes.
  const isAnyway = expected !== "success" && expected.code === "key_in_grace";
  const exchange = await (isAnyway ? it.trial.askAnyway({ ...request, ...how }) : it.ask({ ...request, ...how }));
  it.expect(exchange, expected);
  return exchange;
};
