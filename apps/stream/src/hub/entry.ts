/** One published tick or quote for many clients: each encoding is made on first use, and kept while it is the newest. */
import {
  formatTimestamp,
  type GapFrame,
  type GapReason,
  physicalChannel,
  type StreamName,
  sseId,
  type TickFrame,
} from "@assay/contract";
import { type DealerTick, PRICE_SYMBOLS, presentBeside, presentPrice, type StandingPrice, type Tick } from "@assay/pricing";
import type { MarketView } from "@assay/services";
import type { Codec } from "./codec.ts";

/** Numbers of a name that will not be sent. */
export interface Gap {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: GapReason;
}

export const gapFrameOf = (name: StreamName, { fromSeq, toSeq, reason }: Gap): GapFrame => ({
  type: "gap",
  symbol: name,
  from_seq: fromSeq,
  to_seq: toSeq,
  reason,
});

/** The fields of a tick on every transport. */
const tickFrameOf = (tick: Tick) => ({
  type: "tick",
  symbol: tick.instrument,
  price: presentPrice(tick.price),
  conf: presentBeside(tick.conf, tick.price),
  computed_at: formatTimestamp(tick.computedAtMs),
  seq: tick.seq,
});

const quoteFrameOf = (quote: DealerTick) => ({
  type: "physical",
  channel: physicalChannel(quote.country),
  seq: quote.seq,
  quote: {
    id: quote.id,
    source: quote.source,
    dealer: quote.dealer,
    product: quote.product,
    karat: quote.karat,
    weight: quote.weight,
    weight_unit: quote.weightUnit,
    currency: quote.currency,
    sell_price: quote.sell,
    buyback_price: quote.buyback,
    quoted_at: formatTimestamp(quote.observedAtMs),
  },
});

/** Finds the price of a name at an instant while its market is closed; null while it is open, and when no price is known. */
export type FindClose = (name: StreamName, atMs: number) => StandingPrice | null;

const SYMBOLS = new Map(PRICE_SYMBOLS.map((entry) => [entry.symbol, entry]));

/** Looks closes up where REST finds its prices, so that both always show the same. */
export const findCloseIn =
  (market: Pick<MarketView, "standingOf">): FindClose =>
  (name, atMs) => {
    const symbol = SYMBOLS.get(name);
    if (!symbol) return null;
    const { price, stale } = market.standingOf(symbol, atMs);
    return stale.isStale && stale.reason === "market_closed" ? price : null;
  };

/**
 * The snapshot of a closed market. A close has no confidence band: it is zero wide.
 * @param seq the last number given out
 */
export const closeFrameOf = (symbol: string, { price, conf = "0", computedAtMs }: StandingPrice, seq: number) =>
  ({
    type: "tick",
    symbol,
    price: presentPrice(price),
    conf: presentBeside(conf, price),
    computed_at: formatTimestamp(computedAtMs),
    seq,
    snapshot: true,
    stale_reason: "market_closed",
  }) satisfies TickFrame;

/** A tick or quote, shared by all who receive it. */
export class Entry {
  readonly name: StreamName;
  readonly seq: number;
  readonly atMs: number;
  /** The numbers before this one that the service does not have. */
  readonly gap: Gap | null;
  readonly id: string;
  readonly #frame: object;
  readonly #encoded = new Map<Codec, Buffer>();
  readonly #snapshots = new Map<Codec, Buffer>();

  private constructor(name: StreamName, seq: number, atMs: number, frame: object, gap: Gap | null) {
    this.name = name;
    this.seq = seq;
    this.atMs = atMs;
    this.gap = gap;
    this.id = sseId(name, seq);
    this.#frame = frame;
  }

  static ofTick(name: StreamName, tick: Tick, gap: Gap | null = null): Entry {
    return new Entry(name, tick.seq, tick.computedAtMs, tickFrameOf(tick), gap);
  }

  static ofQuote(quote: DealerTick, gap: Gap | null = null): Entry {
    return new Entry(physicalChannel(quote.country), quote.seq, quote.fetchedAtMs, quoteFrameOf(quote), gap);
  }

  /** The first number this entry covers: its own, or that of the gap before it. */
  get fromSeq(): number {
    return this.gap?.fromSeq ?? this.seq;
  }

  /** For regular followers: preceded by its gap, if any. */
  encoded(codec: Codec): Buffer {
    const known = this.#encoded.get(codec);
    if (known) return known;
    const plain = codec.tick(JSON.stringify(this.#frame), this.id);
    const bytes = this.gap ? Buffer.concat([codec.event("gap", JSON.stringify(gapFrameOf(this.name, this.gap))), plain]) : plain;
    this.#encoded.set(codec, bytes);
    return bytes;
  }

  /** Drops the encodings: once a newer entry is sent, only a client that resumes asks for them again. */
  release(): void {
    this.#encoded.clear();
    this.#snapshots.clear();
  }

  /** Preceded by another gap, for clients at another number. */
  behind(gap: Gap | null): Entry {
    return new Entry(this.name, this.seq, this.atMs, this.#frame, gap);
  }

  /** Without a gap, when it was already reported. */
  alone(codec: Codec): Buffer {
    return this.gap ? codec.tick(JSON.stringify(this.#frame), this.id) : this.encoded(codec);
  }

  /** As the last known value, for a new subscriber. */
  snapshot(codec: Codec): Buffer {
    const known = this.#snapshots.get(codec);
    if (known) return known;
    const bytes = codec.tick(JSON.stringify({ ...this.#frame, snapshot: true }), this.id);
    this.#snapshots.set(codec, bytes);
    return bytes;
  }
}
