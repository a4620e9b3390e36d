/** `npm run world`: worlds of one seed after another; those that break a promise are reduced to the shortest list that still does. */
import { parseArgs } from "node:util";
import type { Store } from "@assay/db";
import { openStore } from "@assay/db";
import fc from "fast-check";
import { Rows } from "./audit/rows.ts";
import { anyScript, type Script } from "./events.ts";
import { type Outcome, runWorld } from "./world.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** How long a world that fails is reduced. */
const REDUCE_MS = 60_000;
const MINUTE_MS = 60_000;

/** Opens the store that all worlds of this process share, one after the other. */
export const openWorldStore = async (): Promise<Store> => {
  const store = await openStore({ temporary: true });
  await Rows.attach(store);
  return store;
};

/** A world that was played. */
interface Played {
  readonly outcome: Outcome;
  readonly script: Script;
}

/**
 * Plays the world of a seed, as fast-check draws it.
 * @param reducesMs if it fails, for how long shorter ones are looked for that break the same promise
 * @returns the shortest
 */
export const playSeed = async (seed: number, store: Store, reducesMs = 0): Promise<Played> => {
  let playing: Promise<unknown> = Promise.resolve();
  let first: Played | undefined;
  let shortest: Played | undefined;
  const promiseOf = (played?: Played): string | undefined => played?.outcome.failure?.promise;
  const property = fc.asyncProperty(anyScript, async (script) => {
    const outcome = runWorld(script, store);
    playing = outcome;
    const played = { script, outcome: await outcome };
    first ??= played;
    if (!played.outcome.failure || promiseOf(played) !== promiseOf(first)) return;
    shortest = played;
    throw played.outcome.failure;
  });
  const limit = reducesMs > 0 ? { interruptAfterTimeLimit: reducesMs } : { endOnFailure: true };
  const { errorInstance } = await fc.check(property, { seed, numRuns: 1, ...limit });
  // When its time is over, fast-check leaves the last one alone; the next may not share the store with it.
  await playing;
  const played = shortest ?? first;
  if (!played) throw errorInstance;
  return played;
};

/** The events of a script, a line each. */
const linesOf = ({ steps, startsAt, intervalMs, isWild, isAskew }: Script): string[] => [
  `  from ${startsAt} on; sources report every ${intervalMs} ms${isWild ? ", most may lie" : ""}${isAskew ? ", clocks are set" : ""}`,
  ...steps.map(({ event: { kind, ...more }, thenMs }) => `  ${kind} ${JSON.stringify(more)}, then ${thenMs} ms`),
];

const playOne = async (seed: number, store: Store, isQuiet: boolean): Promise<boolean> => {
  const { outcome } = await playSeed(seed, store);
  if (!isQuiet) for (const line of outcome.trace) say(line);
  if (outcome.failure) say(outcome.failure.message);
  say(outcome.hash);
  return outcome.failure === null;
};

/** @param untilMs ends then, however many are left */
const playMany = async (seeds: Iterable<number>, store: Store, untilMs: number, reducesMs: number): Promise<boolean> => {
  const startMs = performance.now();
  const counts = new Map<string, number>();
  let worlds = 0;
  let events = 0;
  let happened = 0;
  let failed = 0;
  for (const seed of seeds) {
    if (performance.now() > untilMs) break;
    const { outcome, script } = await playSeed(seed, store, reducesMs);
    worlds += 1;
    events += script.steps.length;
    happened += outcome.happened;
    for (const [what, count] of outcome.faults) counts.set(what, (counts.get(what) ?? 0) + count);
    if (!outcome.failure) continue;
    failed += 1;
    say(`WORLD ${seed} ${outcome.failure.message}`);
    for (const line of linesOf(script)) say(line);
  }
  const minutes = (performance.now() - startMs) / MINUTE_MS;
  say(
    [...counts]
      .sort()
      .map(([what, count]) => `${what} ${count}`)
      .join(", "),
  );
  const pace = `${(worlds / minutes).toFixed(0)} worlds a minute, ${(happened / minutes / 60).toFixed(0)} timers, statements and messages a second`;
  say(`${worlds} worlds, ${events} events, ${pace}: ${failed} failed`);
  return failed === 0;
};

function* upFrom(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed += 1) yield seed;
}

const wholeIn = (values: Readonly<Record<string, string | boolean | undefined>>, name: string): number => {
  const given = String(values[name]);
  if (!/^\d{1,12}$/.test(given)) throw new RangeError(`--${name} must be a whole number, such as 3, and is ${given}`);
  return Number(given);
};

/**
 * Runs the command.
 * @returns its exit code
 */
export const main = async (args: string[]): Promise<number> => {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "200" },
      from: { type: "string", default: "1" },
      seed: { type: "string" },
      minutes: { type: "string" },
      quiet: { type: "boolean", default: false },
      "first-failure": { type: "boolean", default: false },
    },
  });
  const seed = values.seed === undefined ? null : wholeIn(values, "seed");
  const seeds = upFrom(wholeIn(values, "from"), wholeIn(values, "seeds"));
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : wholeIn(values, "minutes");
  const store = await openWorldStore();
  try {
    if (seed !== null) return (await playOne(seed, store, values.quiet)) ? 0 : 1;
    if (values["first-failure"]) return await findFirst(seeds, store);
    return (await playMany(seeds, store, performance.now() + minutes * MINUTE_MS, REDUCE_MS)) ? 0 : 1;
  } finally {
    await store.close();
  }
};

/** For planted faults: how many seeds it takes until one fails. */
const findFirst = async (seeds: Iterable<number>, store: Store): Promise<number> => {
  let tried = 0;
  for (const seed of seeds) {
    tried += 1;
    const { failure } = (await playSeed(seed, store)).outcome;
    if (!failure) continue;
    say(`found by seed ${seed} after ${tried}: ${failure.message}`);
    return 0;
  }
  say(`not found in ${tried} worlds`);
  return 1;
};
