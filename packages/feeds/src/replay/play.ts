/** A replay file as a clocked source: emits each reading at its own time. */
import {
  asProduct,
  type ClockedSource,
  chainsFrom,
  type DigitalMarket,
  type MarketsObservation,
  marketFrom,
  type Observation,
  type OptionsObservation,
} from "@assay/pricing";
import { freshFor } from "../feed/feed.ts";
import type { Replay } from "./load.ts";
import type { MarketRecord, OptionRecord, ReplayRecord } from "./records.ts";

/** A file records a market when it changes: until then its book is valid, but not indefinitely. */
const BOOKS_VALID_MS = 3_600_000;
/** chainsFrom requires a spot price, which the desk will replace. */
const NO_PRICE = "1";

/** Groups the single options and markets of a file into chains and venues; a later line replaces an earlier one of the same option or market. */
class ReplayVenues {
  readonly #options = new Map<string, Map<string, OptionRecord>>();
  readonly #markets = new Map<string, Map<string, DigitalMarket>>();
  readonly #changedOptions = new Set<string>();
  readonly #changedMarkets = new Map<string, number | null>();

  /** Applies a record; other kinds are ignored, except that a source falls silent. */
  take(record: ReplayRecord): void {
    if (record.kind === "option") this.#takeOption(record);
    else if (record.kind === "market") this.#takeMarket(record);
    else if (record.kind === "silence") {
      // The last record of a silent source expires like that of any source that stopped.
      for (const [key, markets] of this.#markets) {
        const [first] = markets.values();
        if (first?.venue === record.source) this.#changedMarkets.set(key, null);
      }
    }
  }

  #takeOption(record: OptionRecord): void {
    const key = `${record.source} ${record.metal} ${record.style}`;
    const options = this.#options.get(key) ?? new Map<string, OptionRecord>();
    this.#options.set(key, options);
    options.set(`${record.expiry} ${record.side} ${Number(record.strike)}`, record);
    this.#changedOptions.add(key);
  }

  #takeMarket(record: MarketRecord): void {
    const key = `${record.source} ${record.metal}`;
    const markets = this.#markets.get(key) ?? new Map<string, DigitalMarket>();
    this.#markets.set(key, markets);
    markets.set(`${record.feeModel} ${record.marketId}`, marketFrom(record));
    this.#changedMarkets.set(key, BOOKS_VALID_MS);
  }

  /** The complete chains and venues that changed since the last call. */
  takeChanged(observedAtMs: number): (OptionsObservation | MarketsObservation)[] {
    const chains = [...this.#changedOptions].flatMap((key) =>
      chainsFrom([...(this.#options.get(key)?.values() ?? [])], () => NO_PRICE),
    );
    const books = [...this.#changedMarkets].flatMap(([key, validMs]) => {
      const markets = [...(this.#markets.get(key)?.values() ?? [])];
      const source = markets[0]?.venue;
      return source === undefined ? [] : [{ source, markets, validForMs: validMs ?? freshFor(0) }];
    });
    this.#changedOptions.clear();
    this.#changedMarkets.clear();
    return [
      ...chains.map(({ spotUsdPerOzt: _, ...chain }): OptionsObservation => {
        return { kind: "options", source: chain.venue, chain: { ...chain, underlyingUsd: null }, observedAtMs };
      }),
      ...books.map(({ source, markets, validForMs }): MarketsObservation => {
        return { kind: "markets", source, markets, validForMs, observedAtMs };
      }),
    ];
  }
}

/** Whether a record belongs to a chain or a venue, which is emitted as a whole. */
const isOfVenue = ({ kind }: ReplayRecord): boolean => kind === "option" || kind === "market" || kind === "silence";

/** A record as a reading; null when it is emitted as part of a chain or a venue. */
const readingOf = (record: ReplayRecord): Observation | null => {
  switch (record.kind) {
    case "dealer": {
      const { kind: _, ...quote } = record;
      return { kind: "dealer", source: quote.source, quote: asProduct(quote), observedAtMs: quote.observedAtMs };
    }
    case "option":
    case "market":
    case "silence":
      return null;
    default:
      return record;
  }
};

/** The options and markets recorded up to an instant. */
const venuesAt = (replay: Replay, atMs: number): ReplayVenues => {
  const venues = new ReplayVenues();
  for (const record of replay.past(atMs)) if (isOfVenue(record)) venues.take(record);
  venues.takeChanged(atMs);
  return venues;
};

/** Plays a validated file. */
export const replaySource = (replay: Replay): ClockedSource => {
  /** The venues at the end of the last period: the next one usually begins there, and reading the whole past again takes longer and longer. */
  let standing: { readonly atMs: number; readonly venues: ReplayVenues } | null = null;
  return {
    simulated: false,
    sources: replay.sources,
    *due(fromMs, toMs) {
      let venues = standing?.atMs === fromMs ? standing.venues : null;
      standing = null;
      let group: Observation[] = [];
      let groupMs = Number.NaN;
      for (const record of replay.due(fromMs, toMs)) {
        if (record.observedAtMs !== groupMs) {
          const changed = [...group, ...(venues?.takeChanged(groupMs) ?? [])];
          if (changed.length > 0) yield { atMs: groupMs, observations: changed };
          group = [];
          groupMs = record.observedAtMs;
        }
        if (isOfVenue(record)) {
          venues ??= venuesAt(replay, fromMs);
          venues.take(record);
        }
        const reading = readingOf(record);
        if (reading) group.push(reading);
      }
      const changed = [...group, ...(venues?.takeChanged(groupMs) ?? [])];
      if (changed.length > 0) yield { atMs: groupMs, observations: changed };
      if (venues) standing = { atMs: toMs, venues };
    },
    lastSpokeMs: replay.lastSpokeMs,
  };
};
