/** The doors of a route: one request through REST, HEAD, tRPC or as another format, with the outcome it should have. */
import { type Format, formatEntry, formatsOf, isChanging, type Route } from "@assay/contract";
import type { Input } from "../inputs/sample.ts";
import { isStreamed } from "../routes.ts";
import { CONTENT_RULES } from "../rules/rule-book.ts";
import type { Caller } from "../wire/caller.ts";
import type { Exchange } from "../wire/exchange.ts";
import { trpcAddressOf, trpcAnswersOf } from "../wire/trpc.ts";
import type { Scope } from "../world.ts";
import type { Attempt } from "./claim.ts";
import { type Door, type Expectation, routeAt } from "./outcomes.ts";

/** The doors of a route: HEAD where no other route of its path answers it, no tRPC of streams, and its formats where those are doors. */
export const doorsOf = (route: Route, { contract, doors, isLab }: Scope): readonly (Door | Format)[] => [
  ...doors.filter((door) =>
    door === "HEAD" ? [route, null].includes(routeAt(contract, route, door)) : !door.startsWith("tRPC") || !isStreamed(route),
  ),
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

/** Calls a route over tRPC; what its answers break of the rules comes with them. */
export const callOverTrpc = async (it: Attempt, isBatch: boolean, caller: Caller, inputs: readonly Input[]) => {
  const call = { name: it.trial.name, route: it.route, inputs, isBatch };
  const { method, path, body } = trpcAddressOf(call);
  const exchange = await it.world.service.path(path, { caller, method, ...(body === undefined ? {} : { rawBody: body }) });
  const answers = trpcAnswersOf(exchange, call);
  const missing = answers.length === inputs.length ? [] : [`${answers.length} answers to ${inputs.length} calls`];
  const broken = answers.flatMap((answer) => it.trial.broken(answer, CONTENT_RULES));
  return { exchange, answers, faults: [...missing, ...new Set(broken)] };
};

const sendOverTrpc = async (it: Attempt, isBatch: boolean, { caller, expected, input }: DoorRequest): Promise<void> => {
  // A key mints once, so that a second one of the same batch would be refused.
  const count = isBatch && !isChanging(it.route) ? 2 : 1;
  const inputs: Input[] = [];
  for (let place = 0; place < count; place += 1) inputs.push(input ?? (await it.trial.sample(caller)));
  const { exchange, answers, faults } = await callOverTrpc(it, isBatch, caller, inputs);
  it.faults(faults, exchange, "every call is answered as declared");
  for (const answer of answers) it.expect(answer, expected);
};

/** Makes a request through a door, and reports an outcome that is not the expected one; the answer where there is one. */
export const sendThrough = async (
  it: Attempt,
  door: Door | Format,
  { expected, ...request }: DoorRequest,
): Promise<Exchange | null> => {
  if (door === "tRPC" || door === "tRPC batch") {
    await sendOverTrpc(it, door === "tRPC batch", { expected, ...request });
    return null;
  }
  const format = formatAt(it, door);
  const how = format ? { extraQuery: `format=${format}` } : door === "HEAD" ? { method: "HEAD" } : {};
  // A key in grace is one of the outcomes.
  const isAnyway = expected !== "success" && expected.code === "key_in_grace";
  const exchange = await (isAnyway ? it.trial.askAnyway({ ...request, ...how }) : it.ask({ ...request, ...how }));
  it.expect(exchange, expected);
  return exchange;
};
