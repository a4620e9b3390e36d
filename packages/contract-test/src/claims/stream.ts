/** A stream says what the spot price says: it begins with the newest price, never with one that was replaced before. */
import { contract, type Route, STREAM_PATH, STREAM_TIER, streams, tierAtLeast } from "@assay/contract";
import type { AnswerObject } from "../rules/rule.ts";
import { eventsIn, lateTick, lostTick } from "../rules/stream.ts";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, fieldsOf, isStream, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import { readTicks } from "../wire/socket.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import type { CallerKind } from "./outcomes.ts";

const SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT"];
/** The snapshot, and ticks after it: several, as one that is left out is seen by the next. */
const EVENTS = 4;
/** Processes hear of a price one after the other, so that one may be a moment behind another. */
const TRIES = 3;

const momentOf = (said: AnswerObject): number => Date.parse(String(said.computed_at));

/** What is wrong with the first ticks of a stream, after the row of spot that was asked for before it; null for nothing. */
const faultOf = (row: AnswerObject, events: readonly AnswerObject[], nowMs: number): string | null => {
  const [first, ...later] = events.filter(({ type }) => type === "tick");
  if (!first) return row.price === undefined ? null : "it begins with no price, and spot has one";
  const behindMs = momentOf(row) - momentOf(first);
  if (behindMs > 0) return `it begins with a price that is ${behindMs / 1_000} seconds older than that of spot before it`;
  if (behindMs === 0 && first.price !== row.price)
    return `it begins with ${first.price}, and spot of that moment is ${row.price}`;
  const isBehind = later.some((tick, place) => momentOf(tick) < momentOf(later[place - 1] ?? first));
  return isBehind ? "a tick is older than the one before it" : lateTick([first, ...later], nowMs);
};

/** The first ticks of a stream, and the answer they came in, where there is one. */
interface StreamStart {
  readonly events: readonly AnswerObject[];
  readonly exchange?: Exchange;
}

/** Compares the beginning of a stream with the row of spot asked for before it. */
const compare = async (it: Attempt, symbol: string, caller: Caller, begin: () => Promise<StreamStart | null>): Promise<void> => {
  let last: (StreamStart & { readonly fault: string }) | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const row = await it.world.service.route(contract.spot.get, { caller, input: { symbol }, priority: PRIORITY.invariant });
    if (row.status === 429) throw new NotChecked("a rate limit in between");
    if (!it.expect(row, "success", "a symbol that streams has a spot price", contract.spot.get)) return;
    const beginning = await begin();
    if (!beginning) return;
    const lost = lostTick(beginning.events);
    if (lost !== null) return it.fault(lost, beginning.exchange);
    const fault = faultOf(fieldsOf(row.json), beginning.events, it.world.nowMs(row.readAtMs));
    if (fault === null) return;
    last = { ...beginning, fault };
  }
  if (last) it.fault(last.fault, last.exchange);
};

const BEGINS = "a stream begins with the newest price, the one that spot has, and goes on from it";

const events = (symbol: string): Claim => ({
  group: "invariants",
  title: `a stream of ${symbol} begins with the price of spot`,
  why: BEGINS,
  check: async (it: Attempt) => {
    const caller = await it.trial.main();
    await compare(it, symbol, caller, async () => {
      const exchange = await it.ask({ caller, input: { symbol }, priority: PRIORITY.invariant, events: EVENTS });
      if (!it.expect(exchange, "success", "the symbol streams") || !isStream(exchange)) return null;
      return { events: eventsIn(exchange), exchange };
    });
  },
});

const socket = (symbol: string, kind: CallerKind): Claim => ({
  group: "invariants",
  title: `a WebSocket of ${symbol} begins with the price of spot`,
  why: BEGINS,
  check: async (it: Attempt) => {
    const caller = await it.trial.callerOf(kind);
    const [, key = ""] = /^Bearer (.*)$/.exec(caller.headers.authorization ?? "") ?? [];
    const { baseUrl } = it.world.service;
    const reading = { baseUrl, path: STREAM_PATH, key, symbol, ticks: EVENTS };
    await compare(it, symbol, caller, async () => ({ events: await readTicks(reading) }));
  },
});
/** What streams of prices begin with; those over WebSocket where a key of their tier was given. */
export const streamClaims: Family = ({ path }: Route, { kinds, isLab }) => {
  if (path !== streams.prices.path) return [];
  const able = isLab
    ? undefined
    : kinds.find((kind) => kind !== "no key" && kind !== "bad key" && tierAtLeast(kind, STREAM_TIER));
  return [...SYMBOLS.map(events), ...(able === undefined ? [] : SYMBOLS.map((symbol) => socket(symbol, able)))];
};
