/** Events to be published, in order: one that cannot be published waits for the next attempt. */
import type { BusPort, MarketEvent } from "@assay/live";
import type { BeliefState, DayPair, DealerTick, Instrument, RateSet } from "@assay/pricing";
import type { WriterLog } from "../writer-log.ts";

/** The most events queued; above it the series are announced as replaced, which makes readers reload them. */
const MAX_WAITING = 300;

export class EventQueue {
  readonly #bus: BusPort;
  readonly #log: WriterLog;
  #waiting: MarketEvent[] = [];

  constructor(bus: BusPort, log: WriterLog) {
    this.#bus = bus;
    this.#log = log;
  }

  get size(): number {
    return this.#waiting.length;
  }

  put(event: MarketEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING) this.#compact();
  }

  /** Replaces what is queued with the fewest events from which readers know what to reload. */
  #compact(): void {
    const symbols = new Set<string>();
    let settled = false;
    const beliefs = new Map<Instrument, BeliefState>();
    const dealers = new Map<string, DealerTick>();
    let newestDealers = { token: 0, atMs: 0 };
    const surfaces = new Map<string, MarketEvent>();
    const rateSets: RateSet[] = [];
    const dayPairs: DayPair[] = [];
    for (const each of this.#waiting) {
      if (each.kind === "moment") {
        for (const bar of each.bars) symbols.add(bar.symbol);
        settled ||= (each.settlements?.length ?? 0) > 0;
        for (const belief of each.beliefs ?? []) beliefs.set(belief.instrument, belief);
        rateSets.push(...(each.rateSets ?? []));
        dayPairs.push(...(each.dayPairs ?? []));
      } else if (each.kind === "bars-replaced") symbols.add(each.symbol);
      else if (each.kind === "settlements-replaced") settled = true;
      else if (each.kind === "dealer-quotes") {
        for (const quote of each.quotes) dealers.set(quote.country, quote);
        newestDealers = { token: each.token, atMs: each.atMs };
      }
      // The newest event of each metal's surfaces and signals supersedes earlier ones.
      else if (each.kind === "surfaces-replaced" || each.kind === "signals") surfaces.set(`${each.kind} ${each.metal}`, each);
    }
    const replaced = [...symbols].map((symbol): MarketEvent => ({ kind: "bars-replaced", symbol }));
    const newest = this.#waiting.findLast((each) => each.kind === "moment");
    const filled = this.#waiting.findLast((each) => each.kind === "history-filled");
    this.#waiting = [...replaced, ...surfaces.values(), ...(filled ? [filled] : [])];
    if (settled) this.#waiting.push({ kind: "settlements-replaced" });
    // From the last number of each country, readers know what to load from the store.
    if (dealers.size > 0) this.#waiting.push({ kind: "dealer-quotes", ...newestDealers, quotes: [...dealers.values()] });
    // Withdrawals are always sent: readers learn of them from events only.
    if (newest)
      this.#waiting.push({
        ...newest,
        settlements: [],
        // The newest ticks, and those that follow, name the last; days that began may name any.
        rateSets: dayPairs.length > 0 ? rateSets : rateSets.slice(-1),
        dayPairs,
        ...(beliefs.size > 0 && { beliefs: [...beliefs.values()] }),
      });
  }

  /** Publishes what is queued; what cannot be sent stays. */
  async send(): Promise<void> {
    for (let event = this.#waiting[0]; event; event = this.#waiting[0]) {
      try {
        await this.#bus.publish(event);
        // Too many may have arrived meanwhile, and the queue was compacted.
        if (this.#waiting[0] === event) this.#waiting.shift();
      } catch (error) {
        this.#log.fault(error, `failed to publish; ${this.#waiting.length} events are waiting`);
        return;
      }
    }
  }
}
