/** The sources of a world: what the market is, what each of them makes of it, and the feeds that writers read them by. */
import { DAY_MS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { type Feed, FeedError, type SelectedFeed } from "@assay/feeds";
import type { Observation, SourceInfo } from "@assay/pricing";
import { type Behaviour, SOURCES } from "./cast.ts";

/** Something a source has said. */
export interface Saying {
  readonly source: string;
  readonly price: string;
  readonly atMs: number;
  readonly isTrue: boolean;
}

/** What lies multiply the truth by: by far more than sources of one metal differ. */
const FACTORS: Partial<Record<Behaviour, number>> = { high: 1.25, low: 0.75, grams: 1 / 31.1034768 };

/** The true price in cents: it moves every second, by a few dollars over minutes. */
const trueCents = (atMs: number): number => {
  const seconds = Math.floor(atMs / 1_000);
  return 400_000 + Math.round(1_500 * Math.sin(seconds / 97)) + ((seconds * 7_919) % 211);
};

/** The price of gold that is true at an instant, in dollars. */
export const truth = (atMs: number): string => (trueCents(atMs) / 100).toFixed(2);

/** The rates of a world's currencies, for a dollar. */
const RATES = { EUR: 0.86, CHF: 0.81, JPY: 155.1 };
/** The first of them. */
export const [EURO = ""] = Object.keys(RATES);

/** The sources. */
export class Market {
  readonly #clock: () => number;
  readonly #intervalMs: number;
  readonly #behaviours: Behaviour[] = Array.from({ length: SOURCES }, () => "truth");
  readonly #last = new Map<number, Saying>();
  /** When each source last began or ceased to be wrong. */
  readonly #oddMs = new Map<number, number>();
  #percent: number | null = 0;
  #restated = 0;
  /** Everything that was said, oldest first. */
  readonly said: Saying[] = [];

  constructor(clock: () => number, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** How long a reading stays fresh. */
  get freshForMs(): number {
    return Math.max(MINUTE_MS, 3 * this.#intervalMs);
  }

  /**
   * @param isWild whether others may be wrong as well; else who wants to be waits until what another has said is forgotten
   */
  behave(source: number, behaviour: Behaviour, isWild = true): void {
    const nowMs = this.#clock();
    const isOdd = (at: number): boolean => this.#behavesAs(at) !== "truth";
    const othersMs = [...this.#oddMs].filter(([other]) => other !== source);
    const isHeard = othersMs.some(([other, sinceMs]) => isOdd(other) || nowMs - sinceMs < 2 * this.freshForMs);
    if (!isWild && behaviour !== "truth" && isHeard) return;
    if (isOdd(source) || behaviour !== "truth") this.#oddMs.set(source, nowMs);
    this.#behaviours[source] = behaviour;
  }

  #behavesAs(source: number): Behaviour {
    return this.#behaviours[source] ?? "truth";
  }

  /** Every source of gold tells the truth from now on. */
  heal(): void {
    for (const source of this.#behaviours.keys()) this.behave(source, "truth");
  }

  /** Moves the rates; null when they are not read any more. */
  rates(percent: number | null): void {
    this.#percent = percent;
  }

  /** Restates the bank's rates. */
  restate(percent: number): void {
    this.#restated = percent;
  }

  /** The feeds by which a writer reads them. */
  feeds(): SelectedFeed[] {
    const gold = Array.from({ length: SOURCES }, (_, source) => this.#feed(`s${source}`, "spot", async () => this.#ask(source)));
    const bank = this.#feed("bank", "fx", async () => this.#askBank());
    return [...gold, this.#feed("fx", "fx", async () => this.#askRates()), bank];
  }

  #info(key: string): SourceInfo {
    const intervalMs = this.#intervalMs;
    const prices = ["fx", "bank"].includes(key) ? {} : { instruments: ["XAU-USD-SPOT" as const] };
    return { key, displayName: key, license: "simulated", role: "primary", intervalMs, freshForMs: this.freshForMs, ...prices };
  }

  #feed(key: string, kind: Feed["kind"], fetch: () => Promise<readonly Observation[]>): SelectedFeed {
    const info = this.#info(key);
    const published = { required: true, origin: key, publisher: key, url: "", terms: "", moves: false };
    const feed: Feed = { info: { ...info, ...published }, kind, sources: [info], baseUrl: "", fetch };
    return { feed, baseUrl: "" };
  }

  #ask(source: number): readonly Observation[] {
    const behaviour = this.#behavesAs(source);
    if (behaviour === "silent") throw new FeedError("unreachable", "silent");
    const nowMs = this.#clock();
    const key = `s${source}`;
    const cents = trueCents(nowMs) + 3 * source;
    const price = ((cents * (FACTORS[behaviour] ?? 1)) / 100).toFixed(2);
    const made: Saying = { source: key, price, atMs: nowMs, isTrue: FACTORS[behaviour] === undefined };
    const saying = (behaviour === "frozen" ? this.#last.get(source) : undefined) ?? made;
    this.#last.set(source, saying);
    this.said.push({ ...saying, atMs: nowMs });
    return [{ kind: "spot", source: key, instrument: "XAU-USD-SPOT", price: saying.price, observedAtMs: saying.atMs }];
  }

  #askRates(): readonly Observation[] {
    if (this.#percent === null) throw new FeedError("unreachable", "silent");
    const nowMs = this.#clock();
    const drift = 1 + this.#percent / 100 + (Math.floor(nowMs / 60_000) % 17) / 10_000;
    const rates = Object.fromEntries(Object.entries(RATES).map(([code, rate]) => [code, (rate * drift).toFixed(5)]));
    return [{ kind: "fx", source: "fx", role: "live", base: "USD", rates, observedAtMs: nowMs, freshForMs: 180_000 }];
  }

  #askBank(): readonly Observation[] {
    const observedAtMs = startOfUtcDay(this.#clock());
    const share = 1 + this.#restated / 100;
    const rates = { USD: (1.16 * share).toFixed(4), CHF: (0.94 * share).toFixed(4), JPY: (180 * share).toFixed(2) };
    return [{ kind: "fx", source: "bank", role: "reference", base: EURO, rates, observedAtMs, freshForMs: 4 * DAY_MS }];
  }
}
