/** The desk for dealers' quotes: validated against spot, stored with their history, published when they change. */
import { DAY_MS, HOUR_MS } from "@assay/contract";
import { pruneDealerQuotes, StaleTokenError } from "@assay/db";
import { freshFor, type Judgement } from "@assay/feeds";
import {
  DEALERS_DOCUMENT_KEY,
  type DealersDocument,
  type Live,
  PRODUCT_GONE_AFTER_MS,
  type ProductReading,
  readDealers,
} from "@assay/live";
import {
  type DealerObservation,
  type Fraction,
  type Observation,
  type ProductQuote,
  type SourceInfo,
  spotPerGram,
  validateDealerQuote,
} from "@assay/pricing";
import type { SideDesk } from "../desks.ts";
import type { MarketDesk } from "../prices/market-desk.ts";
import { DealerLedger, type DealerLedgerParts } from "./dealer-ledger.ts";

/** When each product of a country was last read, for the document in `latest`. */
class DealerReadings {
  readonly #byCountry = new Map<string, Map<string, ProductReading>>();
  isDirty = false;

  /**
   * Records that a product was read, changed or not. It stays fresh for the lifetime of its source's prices, but no longer than
   * the source may be silent.
   */
  note({ country, id, observedAtMs }: ProductQuote, fetchedAtMs: number, source: SourceInfo | undefined): void {
    const { freshForMs, intervalMs } = source ?? { freshForMs: 0, intervalMs: 0 };
    const freshUntilMs = Math.min(observedAtMs + freshForMs, fetchedAtMs + freshFor(intervalMs));
    this.#put(country, id, { fetchedAtMs, observedAtMs, freshUntilMs });
  }

  /** Restores what a previous writer published. */
  adopt(document: DealersDocument): void {
    for (const [country, products] of Object.entries(document)) {
      for (const [id, reading] of Object.entries(products)) this.#put(country, id, reading);
    }
  }

  /** All of them; those of products that are gone are dropped. */
  document(nowMs: number): DealersDocument {
    for (const products of this.#byCountry.values()) {
      for (const [id, { fetchedAtMs }] of products) if (nowMs - fetchedAtMs > PRODUCT_GONE_AFTER_MS) products.delete(id);
    }
    return Object.fromEntries([...this.#byCountry].map(([country, products]) => [country, Object.fromEntries(products)]));
  }

  #put(country: string, id: string, reading: ProductReading): void {
    const products = this.#byCountry.get(country) ?? new Map<string, ProductReading>();
    this.#byCountry.set(country, products);
    if (reading.fetchedAtMs < (products.get(id)?.fetchedAtMs ?? Number.NEGATIVE_INFINITY)) return;
    products.set(id, reading);
    this.isDirty = true;
  }
}

/** Changes are kept for a year and a month by default; simulated ones, which can be regenerated, for a day. */
const KEEP_MS = 400 * DAY_MS;
const KEEP_SIMULATED_MS = DAY_MS;
/** Quotes read this soon after a term began wait for spot and rates, which are being read at the same time. */
const SETTLING_MS = 10_000;

export interface DealerDeskParts extends DealerLedgerParts {
  readonly live: Live;
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly market: Pick<MarketDesk, "priceOf" | "rateOf">;
  readonly simulated: readonly string[];
  /** How long changes are kept, in milliseconds. */
  readonly retainMs?: number | undefined;
  /** Counts readings refused after their source delivered them. */
  readonly refuse: (source: string, rule: string, detail: string) => void;
}

interface Taken {
  readonly observation: DealerObservation;
  readonly atMs: number;
}

export class DealerDesk implements SideDesk {
  readonly kinds: SideDesk["kinds"] = new Set(["dealer"]);
  readonly #parts: DealerDeskParts;
  readonly #readings = new DealerReadings();
  /** Null before the term has begun. */
  #ledger: DealerLedger | null = null;
  /** Received before the term began. */
  #past: Taken[] = [];
  /** Received before their premium could be checked. */
  #unjudged: Taken[] = [];
  #settledMs = Number.NEGATIVE_INFINITY;
  #prunedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DealerDeskParts) {
    this.#parts = parts;
  }

  /** Without spot or a rate for its currency a quote passes unless it is far from any plausible price of gold. */
  judge(observation: Observation, nowMs: number): Judgement {
    if (observation.kind !== "dealer") return { ok: false, rule: "unknown_kind", detail: observation.kind };
    const { quote } = observation;
    const { freshForMs } = this.#parts.sources.get(observation.source) ?? { freshForMs: 0 };
    const usdPerOzt = this.#parts.market.priceOf("XAU-USD-SPOT");
    const context = { nowMs, freshForMs, spot: this.#spot(quote.currency, nowMs), usdPerOzt };
    return validateDealerQuote(quote, context);
  }

  take(observations: readonly Observation[], atMs: number): void {
    const quotes = observations.flatMap((each) => (each.kind === "dealer" ? [{ observation: each, atMs }] : []));
    if (!this.#ledger) {
      this.#past.push(...quotes);
      return;
    }
    if (this.#unjudged.length > 0) this.#judgeWaiting(atMs);
    for (const taken of quotes) {
      if (atMs < this.#settledMs && this.#spot(taken.observation.quote.currency, atMs) === null) this.#unjudged.push(taken);
      else this.#accept(taken);
    }
  }

  async begin(nowMs: number): Promise<void> {
    const { live, log } = this.#parts;
    this.#ledger = await DealerLedger.open(this.#parts, nowMs);
    this.#settledMs = nowMs + SETTLING_MS;
    try {
      this.#readings.adopt(await readDealers(live.latest));
    } catch (error) {
      log.fault(error, "failed to load dealer freshness; rebuilding it from the next readings");
    }
    for (const taken of this.#past) this.#accept(taken);
    this.#past = [];
  }

  async flush(atMs: number): Promise<void> {
    const { live, writer, log } = this.#parts;
    if (!this.#ledger) return;
    try {
      await this.#ledger.commit(atMs);
      await this.#prune(atMs);
    } catch (error) {
      if (error instanceof StaleTokenError) throw error;
      log.fault(error, "failed to store changed dealer quotes; retrying");
    }
    if (!this.#readings.isDirty) return;
    try {
      const { token } = writer;
      await live.latest.put(DEALERS_DOCUMENT_KEY, JSON.stringify(this.#readings.document(atMs)), { token, atMs });
      this.#readings.isDirty = false;
    } catch (error) {
      log.fault(error, "failed to publish dealer freshness; retrying in a second");
    }
  }

  async end(): Promise<void> {}

  /** Spot per gram in a currency; null when the price or the rate is unknown. */
  #spot(currency: string, atMs: number): Fraction | null {
    const { market } = this.#parts;
    const price = market.priceOf("XAU-USD-SPOT");
    const rate = market.rateOf(currency, atMs);
    return price === null || rate === null ? null : spotPerGram(price, rate);
  }

  #accept({ observation, atMs }: Taken): void {
    this.#readings.note(observation.quote, atMs, this.#parts.sources.get(observation.source));
    this.#ledger?.take(observation.quote, atMs);
  }

  /** Checks the waiting quotes as soon as that is fully possible, and at the latest when everything should have loaded. */
  #judgeWaiting(atMs: number): void {
    const waiting = this.#unjudged;
    this.#unjudged = [];
    for (const taken of waiting) {
      const { source, quote } = taken.observation;
      if (atMs < this.#settledMs && this.#spot(quote.currency, atMs) === null) {
        this.#unjudged.push(taken);
        continue;
      }
      const judgement = this.judge(taken.observation, atMs);
      if (judgement.ok) this.#accept(taken);
      else this.#parts.refuse(source, judgement.rule, judgement.detail);
    }
  }

  async #prune(atMs: number): Promise<void> {
    if (atMs - this.#prunedMs < HOUR_MS) return;
    this.#prunedMs = atMs;
    const { store, simulated, retainMs = KEEP_MS } = this.#parts;
    await pruneDealerQuotes(store, atMs - retainMs);
    if (simulated.length > 0) await pruneDealerQuotes(store, atMs - KEEP_SIMULATED_MS, simulated);
  }
}
