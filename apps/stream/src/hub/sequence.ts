/** Tracks the received numbers of each name: duplicates are dropped, and missing ones are noticed. */
import { physicalChannel, STREAM_SYMBOLS, type StreamName, type StreamSymbol } from "@assay/contract";
import type { DealerTick, Instrument, Tick } from "@assay/pricing";
import { Entry, type Gap } from "./entry.ts";

const STREAMED: ReadonlySet<string> = new Set(STREAM_SYMBOLS);
const isStreamed = (instrument: Instrument): instrument is StreamSymbol => STREAMED.has(instrument);

/** A number not above the last, on a price this much later, means the numbering restarted. */
const ANEW_AFTER_MS = 60_000;

interface Last {
  readonly seq: number;
  readonly atMs: number;
}

/** Turns ticks and quotes into entries, in order. */
export class Sequence {
  readonly #last = new Map<StreamName, Last>();

  /** Whether a new event shows that an earlier one was lost. */
  skips(ticks: readonly Tick[], quotes: readonly DealerTick[] = []): boolean {
    const next = new Map<StreamName, number>();
    const isAhead = (name: StreamName, seq: number): boolean => {
      const last = next.get(name) ?? this.#last.get(name)?.seq;
      next.set(name, Math.max(seq, last ?? seq));
      return last !== undefined && seq > last + 1;
    };
    return (
      ticks.some((tick) => isStreamed(tick.instrument) && isAhead(tick.instrument, tick.seq)) ||
      quotes.some((quote) => isAhead(physicalChannel(quote.country), quote.seq))
    );
  }

  /** Adds ticks; duplicates are skipped, and a hole before one is recorded on it. */
  ticks(ticks: readonly Tick[]): Entry[] {
    return ticks.flatMap((tick) => {
      const name = tick.instrument;
      if (!isStreamed(name)) return [];
      const gap = this.#take(name, tick.seq, tick.computedAtMs);
      return gap === undefined ? [] : [Entry.ofTick(name, tick, gap)];
    });
  }

  /** Adds dealers' quotes in the same way. */
  quotes(quotes: readonly DealerTick[]): Entry[] {
    return quotes.flatMap((quote) => {
      const gap = this.#take(physicalChannel(quote.country), quote.seq, quote.fetchedAtMs);
      return gap === undefined ? [] : [Entry.ofQuote(quote, gap)];
    });
  }

  /** @returns the gap before a number, null for none; undefined for a duplicate */
  #take(name: StreamName, seq: number, atMs: number): Gap | null | undefined {
    const last = this.#last.get(name);
    // A store restored from an older backup continues at a lower number: report it rather than ignore it forever.
    const isAnew = last !== undefined && seq <= last.seq && atMs > last.atMs + ANEW_AFTER_MS;
    if (last !== undefined && seq <= last.seq && !isAnew) return undefined;
    this.#last.set(name, { seq, atMs });
    if (isAnew) return { fromSeq: seq, toSeq: last.seq, reason: "reset" };
    return last === undefined || seq === last.seq + 1 ? null : { fromSeq: last.seq + 1, toSeq: seq - 1, reason: "missed" };
  }
}
