/** What is promised, and the first promise that a world broke. */

/** The promises, in the words of the documents that make them; numbers group them. */
export const PROMISES = {
  tokens: "1 tokens rise, and no row is committed by an old one (docs/specs/writer-lease.md)",
  committed: "1 what is published is committed, as it is published (AGENTS.md: publish after commit, never before)",
  forwards: "1 the time of prices never goes back, whose clock it may be (docs/specs/writer-lease.md)",
  once: "1 a number has one publisher (docs/specs/writer-lease.md)",
  followed: "2 a follower has every number, or a gap that names it, and nothing twice (docs/guides/streams.md)",
  folded: "3 bars are folded from the ticks that stand (docs/specs/belief.md, invariant 7)",
  remembered: "3 a bar is one figure in memory and in the store (docs/flow.md, keep)",
  known: "3 what was known at an instant never changes afterwards (docs/guides/past-prices.md)",
  chained: "3 the ledger's chain verifies, and its last entry of a bar is the bar (docs/guides/past-prices.md)",
  product: "4 a price is the product of what it names, both of one instant (decision 0047)",
  past: "4 `at` answers what was published (docs/guides/past-prices.md)",
  day: "4 a day is half-open: what comes at midnight is of the next (docs/guides/past-prices.md)",
  delayed: "5 a caller of Free sees nothing younger than 15 minutes (docs/guides/keys-and-tiers.md)",
  gated: "5 nobody sees or follows what its tier, or its key, does not have (docs/guides/keys-and-tiers.md)",
  limited: "6 no window has more calls than its tier allows (docs/guides/limits.md)",
  counted: "6 what is answered is counted once, and what is refused is not (docs/guides/limits.md)",
  fired: "7 an alert fires at a published price beyond its threshold, once for a crossing (docs/guides/alerts.md)",
  missed: "7 an alert fires when the price crosses (docs/guides/alerts.md)",
  retracted: "7 what fired at a price that is withdrawn is taken back (docs/guides/alerts.md)",
  permitted: "7 an event is sent only where and while its owner may have it (docs/guides/alerts.md)",
  truth: "8 while a minority is wrong, every published figure is near a right one (docs/specs/belief.md, invariant 1)",
  timely: "8 while most tell the truth, their price is published (docs/specs/belief.md, invariant 2)",
  ends: "9 everything ends within its bound",
  status: "10 the status is ok only when gold has a fresh price (docs/operate, status)",
} as const;

export type PromiseName = keyof typeof PROMISES;

/** What an answer has, by name. */
export type Json = Readonly<Record<string, unknown>>;

/** A promise that was broken. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly promise: PromiseName;

  constructor(promise: PromiseName, detail: string) {
    super(`${PROMISES[promise]}: ${detail}`);
    this.promise = promise;
  }
}

/** Ends a check: its promise is broken. */
export const broken = (promise: PromiseName, detail: string): never => {
  throw new Broken(promise, detail);
};

/** Runs checks, and keeps the first promise that was broken. */
export class Audit {
  failure: Broken | null = null;

  async check(work: () => void | Promise<void>): Promise<void> {
    if (this.failure) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.failure ??= error;
    }
  }

  /** Something that had to end. */
  ended(what: string, hasEnded: boolean): Promise<void> {
    return this.check(() => {
      if (!hasEnded) broken("ends", what);
    });
  }
}
