/** Readings the rules refuse: counted by feed, and logged. */
import type { FeedRunner } from "@assay/feeds";
import type { ClockedSource } from "@assay/pricing";
import type { WriterLog } from "../writer-log.ts";
import type { ClockedHealth } from "./report.ts";

/** Counts refusals by source. */
export class Refusals {
  readonly #log: WriterLog;
  readonly #clocked: readonly {
    readonly source: ClockedSource;
    readonly refused: Map<string, { count: number; last: string; byRule: Record<string, number> }>;
  }[];
  #runners: readonly FeedRunner[] = [];

  constructor(clocked: readonly ClockedSource[], log: WriterLog) {
    this.#log = log;
    this.#clocked = clocked.map((source) => ({ source, refused: new Map() }));
  }

  /** Polled feeds count their own. */
  watch(runners: readonly FeedRunner[]): void {
    this.#runners = runners;
  }

  /** The status of clocked sources. */
  get clocked(): readonly ClockedHealth[] {
    return this.#clocked;
  }

  /** Counts a refusal. */
  refuse(source: string, rule: string, detail: string): void {
    const runner = this.#runners.find(({ key }) => key === source);
    if (runner) {
      runner.refuse(rule, detail);
      return;
    }
    const clocked = this.#clocked.find((each) => each.source.sources.has(source));
    const before = clocked?.refused.get(source);
    const byRule = { ...before?.byRule, [rule]: (before?.byRule[rule] ?? 0) + 1 };
    clocked?.refused.set(source, { count: (before?.count ?? 0) + 1, last: rule, byRule });
    this.#log.feed({ kind: "refused", feed: source, rule, detail });
  }
}
