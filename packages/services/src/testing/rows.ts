/** Ticks and settlements for tests, complete by default. */
import { MINUTE_MS } from "@assay/contract";
import type { SettlementRow, Tick } from "@assay/pricing";

/** A tick of gold that is fresh for a minute; its price is its number above 4000. */
export const goldTick = (seq: number, computedAtMs: number, change: Partial<Tick> = {}): Tick => ({
  instrument: "XAU-USD-SPOT",
  seq,
  price: `${4000 + seq}.00`,
  conf: "0.10",
  basis: "primary",
  sources: [],
  divergenceBps: null,
  computedAtMs,
  freshUntilMs: computedAtMs + MINUTE_MS,
  ...change,
});

/** A settlement of gold, published at 22:00 UTC of its day. */
export const goldSettlement = (
  futuresContract: string,
  settlementDate: string,
  price: string,
  change: Partial<SettlementRow> = {},
): SettlementRow => {
  const observedAtMs = change.observedAtMs ?? Date.parse(`${settlementDate}T22:00:00Z`);
  return {
    symbol: "GC",
    futuresContract,
    settlementDate,
    price,
    volume: null,
    openInterest: null,
    source: "alpha",
    sourceType: "proxy_daily_close",
    observedAtMs,
    fetchedAtMs: observedAtMs,
    ...change,
  };
};
