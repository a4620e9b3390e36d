/** Readings the rules refuse: counted with the feed they came from, and logged. */
import type { ClockedSource, FeedRunner } from "@assay/feeds";
import type { ClockedHealth } from "./feeds-report.ts";
import type { WriterLog } from "./writer-log.ts";

/** Counts refusals by source. */
export class Refusals {
  readonly #log: WriterLog;
  readonly #clocked: readonly {
    readonly source: ClockedSource;
    readonly refused: Map<string, { count: number; last: string }>;
  }[];
  #runners: readonly FeedRunner[] = [];

  constructor(clocked: readonly ClockedSource[], log: WriterLog) {
    this.#log = log;
    this.#clocked = clocked.map((source) => ({ source, refused: new Map() }));
  }

  /** Feeds that are asked count their own. */
  watch(runners: readonly FeedRunner[]): void {
    this.#runners = runners;
  }

  /** How the sources that follow the clock fare. */
  get clocked(): readonly ClockedHealth[] {
    return this.#clocked;
  }

  /** Counts one. */
  refuse(source: string, rule: string, detail: string): void {
    const runner = this.#runners.find(({ key }) => key === source);
    if (runner) {
      runner.refuse(rule, detail);
      return;
    }
    const clocked = this.#clocked.find((each) => each.source.sources.has(source));
    const before = clocked?.refused.get(source)?.count ?? 0;
    clocked?.refused.set(source, { count: before + 1, last: rule });
    this.#log.feed({ kind: "refused", feed: source, rule, detail });
  }
}
