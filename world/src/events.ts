/** What happens in a world, as fast-check draws it: a list of events, each followed by the time that passes. */
import fc from "fast-check";

/** Processes that faults happen to, by name. */
export const WRITERS = ["north", "south"] as const;
export const READERS = ["api", "stream"] as const;
export const PROCESSES = [...WRITERS, ...READERS] as const;
export type WriterName = (typeof WRITERS)[number];
export type ProcessName = (typeof PROCESSES)[number];

/** What the store does with a process's next statements. */
export const STORE_FAULTS = ["refuse", "delay", "loseAnswer", "dieBefore", "dieAfter"] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** How a source behaves from now on. */
export const BEHAVIOURS = ["truth", "high", "low", "grams", "silent", "frozen"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Sources of gold. */
export const SOURCES = 4;

export const TIERS = ["free", "pro"] as const;
export type Tier = (typeof TIERS)[number];

export type Event =
  /** Nothing happens. */
  | { readonly kind: "pass" }
  /** A source changes its behaviour. */
  | { readonly kind: "source"; readonly source: number; readonly behaves: Behaviour }
  /** All sources do. */
  | { readonly kind: "sources"; readonly behave: readonly Behaviour[] }
  /** Rates of currencies move, or are not read any more. */
  | { readonly kind: "rates"; readonly percent: number }
  /** A process is stopped in order, and starts again. */
  | { readonly kind: "restart"; readonly who: ProcessName; readonly afterMs: number }
  /** A process ends without a word, and starts again. */
  | { readonly kind: "kill"; readonly who: ProcessName; readonly afterMs: number }
  /** A process stands still: its timers, its statements and their answers. */
  | { readonly kind: "pause"; readonly who: ProcessName; readonly forMs: number }
  /** The store fails a process for some statements. */
  | { readonly kind: "store"; readonly who: ProcessName; readonly fault: StoreFault; readonly count: number; readonly ms: number }
  /** The bus fails to take some events, or takes them and loses the answer. */
  | { readonly kind: "publish"; readonly who: WriterName; readonly fault: "refuse" | "loseAnswer"; readonly count: number }
  /** A reader gets what is published late. */
  | { readonly kind: "lag"; readonly who: (typeof READERS)[number]; readonly ms: number }
  /** A reader misses events, and is told so before the next. */
  | { readonly kind: "miss"; readonly who: (typeof READERS)[number]; readonly count: number }
  /** The lease ends before its time. */
  | { readonly kind: "lease" }
  /** The live engine comes back empty. */
  | { readonly kind: "empty" }
  /** A follower's connection ends, and it resumes. */
  | { readonly kind: "drop"; readonly follower: number; readonly afterMs: number }
  /** A follower reads nothing for a while. */
  | { readonly kind: "slow"; readonly follower: number; readonly forMs: number }
  /** Callers ask. */
  | { readonly kind: "ask"; readonly tier: Tier };

/** An event, and how long until the next. */
export interface Step {
  readonly event: Event;
  readonly thenMs: number;
}

/** A world: how often its sources report, and what happens. */
export interface Script {
  readonly seed: number;
  readonly intervalMs: number;
  /** Whether most of the sources may lie: what is published may then be wrong, and is withdrawn. */
  readonly isWild: boolean;
  /** How the sources of a wild world begin. */
  readonly begins: readonly Behaviour[];
  readonly steps: readonly Step[];
}

const kind = <K extends Event["kind"]>(name: K): fc.Arbitrary<K> => fc.constant(name);
const writer = fc.constantFrom(...WRITERS);
const reader = fc.constantFrom(...READERS);
const who = fc.constantFrom<ProcessName>("north", "north", "south", "south", "api", "stream");
const behaviour = fc.constantFrom<Behaviour>("truth", "truth", "truth", ...BEHAVIOURS);
const shortMs = fc.constantFrom(0, 300, 1_700, 5_000, 14_000);
const follower = fc.nat({ max: 1 });

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind("pass") }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("source"), source: fc.nat({ max: SOURCES - 1 }), behaves: behaviour }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind("sources"), behave: fc.array(behaviour, { minLength: SOURCES, maxLength: SOURCES }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("rates"), percent: fc.integer({ min: -3, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("restart"), who, afterMs: shortMs }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("kill"), who, afterMs: shortMs }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("pause"), who, forMs: fc.constantFrom(1_000, 6_000, 11_000, 25_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind("store"),
      who,
      fault: fc.constantFrom(...STORE_FAULTS),
      count: fc.integer({ min: 1, max: 4 }),
      ms: fc.constantFrom(100, 1_200, 9_000, 14_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("publish"),
      who: writer,
      fault: fc.constantFrom("refuse" as const, "loseAnswer" as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("lag"), who: reader, ms: fc.constantFrom(500, 4_000, 20_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("miss"), who: reader, count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("lease") }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("empty") }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("drop"), follower, afterMs: shortMs }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("slow"), follower, forMs: shortMs }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("ask"), tier: fc.constantFrom(...TIERS) }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  event,
  thenMs: fc.constantFrom(0, 150, 900, 2_000, 7_000, 20_000, 61_000),
});

/** Any world. */
export const anyScript: fc.Arbitrary<Script> = fc.record({
  seed: fc.nat(),
  intervalMs: fc.constantFrom(5_000, 12_000, 20_000),
  isWild: fc.boolean(),
  begins: fc.array(fc.constantFrom<Behaviour>("truth", "silent", "silent", "high", "low"), {
    minLength: SOURCES,
    maxLength: SOURCES,
  }),
  steps: fc.array(step, { minLength: 6, maxLength: 30, size: "max" }),
});
