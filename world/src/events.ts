/** What happens in a world: each kind of event with how often it is drawn, what with, and what it does. fast-check draws them. */
import type { Time } from "@assay/ports";
import fc from "fast-check";
import type { Callers } from "./audit/callers.ts";
import {
  APIS,
  BEHAVIOURS,
  type Behaviour,
  BUS_FAULTS,
  MANNERS,
  type Manner,
  type PersonName,
  type ProcessName,
  READERS,
  SOURCES,
  STORE_FAULTS,
  TIERS,
  WRITERS,
} from "./cast.ts";
import type { Engine } from "./engine.ts";
import type { Follower } from "./follower.ts";
import type { Market } from "./market.ts";
import type { People } from "./people.ts";
import type { Receivers } from "./receivers.ts";
import type { Stage } from "./stage.ts";

/** What an event happens to. */
export interface Scene {
  readonly script: Script;
  readonly time: Time;
  readonly stage: Stage;
  readonly engine: Engine;
  readonly market: Market;
  readonly people: People;
  readonly receivers: Receivers;
  readonly callers: Callers;
  readonly followers: ReadonlyMap<PersonName, Follower>;
  connect(who: PersonName): void;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
}

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Drawn<F extends Fields> = { readonly [N in keyof F]: F[N] extends fc.Arbitrary<infer V> ? V : never };

const kind = <F extends Fields>(
  weight: number,
  fields: F,
  happens: (scene: Scene, event: Drawn<F>) => void | Promise<void> | undefined,
) => ({ weight, fields, happens });

const who = fc.constantFrom<PersonName>("fay", "pat", "ray");
const api = fc.constantFrom(...APIS);
const reader = fc.constantFrom(...READERS);
const process = fc.constantFrom<ProcessName>("north", "north", "south", "south", ...READERS);
const behaviour = fc.constantFrom<Behaviour>("truth", "truth", "truth", ...BEHAVIOURS);
const shortMs = fc.constantFrom(0, 300, 1_700, 5_000, 14_000);
const few = fc.integer({ min: 1, max: 3 });

const KINDS = {
  pass: kind(3, {}, () => undefined),
  /** A source changes its behaviour. In a tame world one at a time is wrong. */
  source: kind(4, { source: fc.nat({ max: SOURCES - 1 }), behaves: behaviour }, ({ market, script }, { source, behaves }) =>
    market.behave(source, behaves, script.isWild),
  ),
  /**
   * After a while of truth two sources of a wild world tell one lie while the others are silent, until these are back: what was
   * published is withdrawn, and so is an alert on it.
   */
  lie: kind(
    3,
    { lie: fc.constantFrom<Behaviour>("high", "low"), moreMs: fc.constantFrom(10_000, 60_000), passes: fc.boolean() },
    async ({ market, script, time, people, pass }, { lie, moreMs, passes }) => {
      if (!script.isWild) return;
      const [liars, others] = [
        [0, 1],
        [2, 3, 4],
      ];
      const behave = (sources: number[], behaviour: Behaviour): void => {
        for (const source of sources) market.behave(source, behaviour);
      };
      const beyond = lie === "high" ? ({ is: "above", cents: 20_000 } as const) : ({ is: "below", cents: -20_000 } as const);
      void people.alert({ who: "ray", api: "east", once: false, ...beyond });
      behave([...liars, ...others], "truth");
      await pass(market.freshForMs);
      // What the others said last is forgotten by then.
      const forMs = market.freshForMs + script.intervalMs + moreMs;
      behave(liars, lie);
      behave(others, "silent");
      time.after(forMs, () => behave(others, "truth"));
      time.after(2 * forMs, () => behave(liars, "truth"));
      if (passes) await pass(2 * forMs);
    },
  ),
  /** Rates of currencies move; null when nobody reads them any more. */
  rates: kind(3, { percent: fc.constantFrom<number | null>(-3, -1, 0, 1, 3, null) }, ({ market }, { percent }) =>
    market.rates(percent),
  ),
  /** A central bank restates its rates of the day. */
  restate: kind(1, { percent: fc.integer({ min: -3, max: 3 }) }, ({ market }, { percent }) => market.restate(percent)),
  /** A process is stopped in order, and starts again. */
  restart: kind(2, { process, afterMs: shortMs }, ({ stage }, event) => void stage.stop(event.process, event.afterMs)),
  /** A process ends without a word, and starts again. */
  kill: kind(2, { process, afterMs: shortMs }, ({ stage }, event) => stage.kill(event.process, event.afterMs)),
  /** No writer runs for a while, in which the price moves on. */
  outage: kind(2, { forMs: fc.constantFrom(30_000, 100_000) }, ({ stage }, { forMs }) => {
    for (const writer of WRITERS) stage.kill(writer, forMs);
  }),
  /** A process stands still: its timers, its statements and their answers. */
  pause: kind(2, { process, forMs: fc.constantFrom(1_000, 6_000, 11_000, 25_000) }, ({ stage }, event) =>
    stage.hostOf(event.process)?.pause(event.forMs),
  ),
  /** The store fails a process for some statements. */
  store: kind(
    5,
    {
      process,
      fault: fc.constantFrom(...STORE_FAULTS),
      count: fc.integer({ min: 1, max: 4 }),
      ms: fc.constantFrom(100, 1_200, 9_000, 14_000),
    },
    ({ stage }, { process: name, fault, count, ms }) => stage.hostOf(name)?.fail(fault, count, ms),
  ),
  /** The bus fails to take some events, or takes them and loses the answer. */
  publish: kind(
    2,
    { writer: fc.constantFrom(...WRITERS), fault: fc.constantFrom(...BUS_FAULTS), count: few },
    ({ engine }, { writer, fault, count }) => engine.fail(writer, fault, count),
  ),
  /** A reader gets what is published late. */
  lag: kind(2, { reader, ms: fc.constantFrom(500, 4_000, 20_000) }, ({ engine }, event) => engine.lag(event.reader, event.ms)),
  /** A reader misses events, and is told so before the next. */
  miss: kind(2, { reader, count: few }, ({ engine }, event) => engine.miss(event.reader, event.count)),
  /** Somebody sets the clock of a process's machine. */
  clock: kind(2, { process, aheadMs: fc.constantFrom(-60_000, -4_000, 0, 4_000, 60_000) }, ({ stage, script }, event) => {
    if (script.isAskew) stage.setClock(event.process, event.aheadMs);
  }),
  /** The lease ends before its time. */
  lease: kind(2, {}, ({ engine }) => engine.endLease()),
  /** The live engine comes back empty. */
  empty: kind(1, {}, ({ engine, callers }) => {
    callers.lost();
    engine.empty();
  }),
  /** A follower's connection ends, and it resumes. */
  drop: kind(2, { who, afterMs: shortMs }, ({ followers, time, connect }, event) => {
    followers.get(event.who)?.disconnect();
    time.after(event.afterMs, () => connect(event.who));
  }),
  /** A follower reads nothing for a while. */
  slow: kind(1, { who, forMs: shortMs }, ({ followers, time }, event) => {
    const follower = followers.get(event.who);
    follower?.slow(true);
    time.after(event.forMs, () => follower?.slow(false));
  }),
  // Who is called may stand still: no call is awaited.
  ask: kind(
    4,
    { who, api, times: fc.constantFrom(1, 1, 1, 4, 14) },
    ({ people }, event) => void people.ask(event.who, event.api, event.times),
  ),
  /** Somebody asks for what was, at or as known at an instant. */
  past: kind(
    3,
    { who, api, agoMs: fc.constantFrom(5_000, 37_000, 74_000, 190_000, 1_000_000) },
    ({ people }, event) => void people.past(event.who, event.api, event.agoMs, false),
  ),
  /** Somebody makes an alert on gold, at a distance of what it costs. */
  alert: kind(
    5,
    { who, api, is: fc.constantFrom("above", "below"), cents: fc.constantFrom(-700, -200, 0, 200, 700), once: fc.boolean() },
    ({ people }, event) => void people.alert(event),
  ),
  /** Somebody deletes all alerts, and where they were sent. */
  unalert: kind(4, { who, api }, ({ people }, event) => void people.unalert(event.who, event.api)),
  receiver: kind(3, { who, manner: fc.constantFrom("accepts", ...MANNERS) }, ({ receivers }, event) =>
    receivers.set(event.who, event.manner),
  ),
  /** The operator changes an organisation's tier. */
  tier: kind(3, { who, tier: fc.constantFrom(...TIERS) }, ({ people }, event) => people.tier(event.who, event.tier)),
  /** The operator imports another figure for a minute that is over. */
  imports: kind(2, { agoMs: fc.constantFrom(180_000, 400_000), cents: fc.constantFrom(-50, 50) }, ({ people, script }, event) =>
    script.isWild ? undefined : people.imports(event.agoMs, event.cents),
  ),
  /** The operator revokes an organisation's key, and mints another one later. */
  revoke: kind(3, { who, againMs: fc.constantFrom(0, 30_000, 100_000) }, async ({ people, time }, event) => {
    await people.revoke(event.who);
    time.after(event.againMs, () => void people.readmit(event.who));
  }),
};

type Kinds = typeof KINDS;
/** An event. */
export type Event = { [K in keyof Kinds]: { readonly kind: K } & Drawn<Kinds[K]["fields"]> }[keyof Kinds];

/** Lets an event happen. */
export const happen = async (scene: Scene, event: Event): Promise<void> => {
  const { happens } = KINDS[event.kind];
  await (happens as (scene: Scene, event: Event) => unknown)(scene, event); // of its kind
};

const event = fc.oneof(
  ...Object.entries(KINDS).map(([name, { weight, fields }]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Event>, // of its kind
  })),
);

/** When a world begins. */
const BEGINNINGS = ["2026-11-20T12:00:30Z", "2026-11-20T23:56:40Z", "2026-11-30T23:57:10Z"] as const;

/** A world. */
export interface Script {
  readonly seed: number;
  readonly startsAt: string;
  /** How often its sources report. */
  readonly intervalMs: number;
  /** Whether most of the sources may lie: what is published may then be wrong, and is withdrawn. */
  readonly isWild: boolean;
  /** Whether clocks are set: by a minute at most, forwards and back. */
  readonly isAskew: boolean;
  /** How the sources of a wild world begin. */
  readonly begins: readonly Behaviour[];
  /** How the receivers of those with alerts begin. */
  readonly receive: Readonly<Record<"pat" | "ray", Manner>>;
  /** What happens, and how long until the next event. */
  readonly steps: readonly { readonly event: Event; readonly thenMs: number }[];
}

const thenMs = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 150, 900, 2_000, 7_000, 20_000, 61_000) },
  { weight: 1, arbitrary: fc.constantFrom(200_000, 930_000) },
);

/** Any world. */
export const anyScript: fc.Arbitrary<Script> = fc.record({
  seed: fc.nat(),
  startsAt: fc.constantFrom(...BEGINNINGS),
  intervalMs: fc.constantFrom(5_000, 20_000, 60_000),
  isWild: fc.boolean(),
  isAskew: fc.constantFrom(false, false, false, true),
  begins: fc.array(fc.constantFrom<Behaviour>("truth", "silent", "silent", "high", "low"), {
    minLength: SOURCES,
    maxLength: SOURCES,
  }),
  receive: fc.record({ pat: fc.constantFrom(...MANNERS), ray: fc.constantFrom(...MANNERS) }),
  steps: fc.array(fc.record({ event, thenMs }), { minLength: 6, maxLength: 30, size: "max" }),
});
