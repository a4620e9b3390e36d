/**
 * The newest chain and books of each venue, spot of the last minutes, which a delayed chain is paired with, and the inputs of a
 * metal's surface and signals at an instant.
 */
import { spotSymbol } from "@assay/catalogue";
import { type DecimalText, MINUTE_MS, SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import {
  basisFromRate,
  type DigitalMarket,
  dec,
  type Instrument,
  type MarketsObservation,
  type OptionChain,
  type OptionsObservation,
  type ReportedChain,
  type SurfaceInput,
} from "@assay/pricing";

/** Decimals of a basis: a thousandth of a cent of gold. */
const BASIS_DECIMALS = 10;

/** Data this far behind the newest of its metal is ignored: its horizons keep their last values. */
const LEFT_BEHIND_MS = 2 * 3_600_000;

interface HeldChain {
  readonly chain: ReportedChain;
  /** Spot at the chain's own time. */
  readonly spot: DecimalText | null;
  readonly atMs: number;
}

interface HeldBooks {
  readonly metal: SurfaceMetal;
  readonly markets: readonly DigitalMarket[];
  readonly observedAtMs: number;
  readonly atMs: number;
  /** How long each of them is valid after it was read. */
  readonly validForMs: number;
}

interface StandingBooks {
  readonly markets: readonly DigitalMarket[];
  /** When the newest of them arrived. */
  readonly newestMs: number;
  /** When the first of them expires; Infinity without any. */
  readonly untilMs: number;
}

/** The newest data of all venues. */
export class VenueBooks {
  readonly #prices: MomentPrices;
  readonly #trail: SpotTrail;
  readonly #chains = new Map<string, HeldChain>();
  readonly #books = new Map<string, HeldBooks>();

  constructor(prices: MomentPrices) {
    this.#prices = prices;
    this.#trail = new SpotTrail(prices);
  }

  /** Records current prices, for data of this time that arrives later. */
  pass(atMs: number): void {
    this.#trail.note(atMs);
  }

  /** Replaces the venue's chain. */
  takeChain({ source, chain }: OptionsObservation, atMs: number): void {
    const key = `${source} ${chain.venue} ${chain.metal} ${chain.underlying} ${chain.style}`;
    if (chain.retrievedAtMs < (this.#chains.get(key)?.chain.retrievedAtMs ?? 0)) return;
    this.#chains.set(key, { chain, spot: this.#trail.spotAt(chain.metal, chain.retrievedAtMs, atMs), atMs });
  }

  /**
   * Replaces a venue's books of one metal.
   * @param validForMs how long they are valid when nothing newer arrives
   */
  takeBooks({ source, markets, observedAtMs }: MarketsObservation, validForMs: number, atMs: number): SurfaceMetal | null {
    const [first] = markets;
    if (!first) return null;
    const { metal } = first;
    const key = `${source} ${metal}`;
    if (observedAtMs < (this.#books.get(key)?.observedAtMs ?? 0)) return null;
    this.#books.set(key, { metal, markets, observedAtMs, atMs, validForMs });
    return metal;
  }

  /** Whether there is data for a surface of a metal at an instant. */
  suffice(metal: SurfaceMetal, atMs: number): boolean {
    return this.has(metal) && this.#prices.priceAt(spotOf(metal), atMs) !== null;
  }

  /** Whether any data of a metal was ever received. */
  has(metal: SurfaceMetal): boolean {
    return [...this.#chains.values()].some(({ chain }) => chain.metal === metal) || this.#booksOf(metal).length > 0;
  }

  #booksOf(metal: SurfaceMetal): HeldBooks[] {
    return [...this.#books.values()].filter((books) => books.metal === metal);
  }

  /** Markets with their basis: from spot and the current futures price, or from a rate while either is unknown. */
  #withBasis(metal: SurfaceMetal, markets: readonly DigitalMarket[], spot: DecimalText | null, atMs: number): DigitalMarket[] {
    const future = this.#prices.priceAt(`${metal.toUpperCase()}-USD-FUTURES`, atMs);
    const basis = spot && future && dec(spot).div(future).toDecimalPlaces(BASIS_DECIMALS).toFixed();
    return markets.flatMap((market) => {
      if (market.basis !== undefined || !market.reference.startsWith("cme:")) return [market];
      if (basis !== null) return [{ ...market, basis }];
      const assumed = basisFromRate(metal, market.expiresAtMs);
      return assumed === null ? [] : [{ ...market, basis: assumed, basisFrom: "rate" as const }];
    });
  }

  /**
   * The inputs of a surface.
   * @param everything whether outdated data is included
   * @returns null without spot, or without data
   */
  surfaceInput(metal: SurfaceMetal, atMs: number, everything: boolean): SurfaceInput | null {
    const spot = this.#prices.priceAt(spotOf(metal), atMs);
    const chains = [...this.#chains.values()].filter(({ chain }) => chain.metal === metal);
    const books = this.#booksOf(metal);
    const newestMs = Math.max(...[...chains, ...books].map((held) => held.atMs));
    const isWith = (held: { readonly atMs: number }): boolean => everything || held.atMs >= newestMs - LEFT_BEHIND_MS;
    if (spot === null || chains.length + books.length === 0) return null;
    return {
      metal,
      spotUsdPerOzt: spot,
      chains: chains.filter(isWith).map(({ chain, spot: then }): OptionChain => {
        const spotUsdPerOzt = then ?? spot;
        return { ...chain, underlyingUsd: chain.underlyingUsd ?? spotUsdPerOzt, spotUsdPerOzt };
      }),
      markets: this.#withBasis(
        metal,
        books.filter(isWith).flatMap(({ markets }) => markets),
        spot,
        atMs,
      ),
      nowMs: atMs,
    };
  }

  /** The books of a metal valid at an instant, whether or not spot is known: venues trade on while it is not quoted. */
  standing(metal: SurfaceMetal, atMs: number): StandingBooks {
    const spot = this.#prices.priceAt(spotOf(metal), atMs);
    const books = this.#booksOf(metal);
    const standing = books.flatMap(({ markets, validForMs }) =>
      markets
        .map((market) => ({ market, endsMs: Math.min(market.retrievedAtMs + validForMs, market.expiresAtMs) }))
        .filter(({ endsMs }) => endsMs > atMs),
    );
    const markets = standing.map(({ market }) => market);
    const ends = standing.map(({ endsMs }) => endsMs);
    return {
      markets: this.#withBasis(metal, markets, spot, atMs),
      newestMs: Math.max(0, ...books.map((held) => held.atMs)),
      untilMs: Math.min(Number.POSITIVE_INFINITY, ...ends),
    };
  }
}

export interface MomentPrices {
  /** USD per troy ounce; null when unknown. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null;
}

export const spotOf = (metal: SurfaceMetal): Instrument => spotSymbol(metal.toUpperCase());

/** Longer than any venue's delay. */
const MINUTES = 30;

const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS);

/** One price per minute. */
export class SpotTrail {
  readonly #prices: MomentPrices;
  readonly #trails = new Map(SURFACE_METALS.map((metal) => [metal, new Map<number, DecimalText>()]));

  constructor(prices: MomentPrices) {
    this.#prices = prices;
  }

  /** Records the minute's price, unless already recorded. */
  note(atMs: number): void {
    const minute = minuteOf(atMs);
    for (const [metal, trail] of this.#trails) {
      if (trail.has(minute)) continue;
      const price = this.#prices.priceAt(spotOf(metal), atMs);
      if (price !== null) trail.set(minute, price);
      for (const old of trail.keys()) if (old < minute - MINUTES) trail.delete(old);
    }
  }

  /**
   * Spot at an instant of the last half hour.
   * @param nowMs now; its price is used for a time without one
   */
  spotAt(metal: SurfaceMetal, thenMs: number, nowMs: number): DecimalText | null {
    const minute = minuteOf(thenMs);
    if (minute < minuteOf(nowMs)) {
      const trail = this.#trails.get(metal);
      const seen = trail?.get(minute) ?? trail?.get(minute + 1);
      if (seen !== undefined) return seen;
    }
    return this.#prices.priceAt(spotOf(metal), nowMs);
  }
}
