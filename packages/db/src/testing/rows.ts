/** Complete rows for tests, with overridable fields. */
import type { BarRow, DealerTick, FxObservation, RateSet, SettlementRow, Tick } from "@assay/pricing";
import type { NewKey } from "../accounts/new-keys.ts";
import type { NewAlert } from "../alerts/alerts.ts";

/** 2026-11-20T14:00:00Z. */
export const NOON_MS = Date.UTC(2026, 10, 20, 14);

/** A closed minute of gold. */
export const barRow = (change: Partial<BarRow> = {}): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1m",
  barStartMs: NOON_MS,
  open: "4003.2",
  high: "4004.125",
  low: "4002.75",
  close: "4003.95",
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});

/** Consecutive minutes, oldest first. */
export const minutes = (count: number, change: Partial<BarRow> = {}): BarRow[] =>
  Array.from({ length: count }, (_, index) => barRow({ barStartMs: NOON_MS + index * 60_000, ...change }));

export const tick = (seq: number, change: Partial<Tick> = {}): Tick => ({
  instrument: "XAU-USD-SPOT",
  seq,
  price: "4003.20",
  bid: "4003.00",
  ask: "4003.40",
  conf: "0.20",
  basis: "primary",
  sources: [
    {
      source: "gold-api",
      displayName: 'Gold "API"',
      license: "attribution",
      role: "primary",
      price: "4003.2000",
      observedAtMs: NOON_MS - 1,
      freshUntilMs: NOON_MS + 59_999,
    },
  ],
  divergenceBps: 1.3,
  computedAtMs: NOON_MS,
  freshUntilMs: NOON_MS + 59_999,
  ...change,
});

/** A live table of two rates. */
export const fxTable = (change: Partial<FxObservation> = {}): FxObservation => ({
  kind: "fx",
  source: "live-fx",
  role: "live",
  base: "USD",
  rates: { EUR: "0.8600", JPY: "155.10" },
  observedAtMs: NOON_MS,
  freshForMs: 180_000,
  ...change,
});

/** Rates of the euro that stood beside prices. */
export const rateSet = (id: number, beganAtMs = NOON_MS, rate = "0.86"): RateSet => ({
  id,
  beganAtMs,
  origins: [{ source: "live-fx", role: "live", atMs: beganAtMs, freshUntilMs: beganAtMs + 180_000 }],
  rates: { EUR: [rate, 0] },
});

/** A key of organisation `org`, identified by its id. */
export const newKey = (id: string, change: Partial<NewKey> = {}): NewKey => ({
  id,
  orgId: "org",
  name: "default",
  keyHash: Buffer.from(id).toString("hex").padStart(64, "0"),
  keyPrefix: "assay_live_4fGh2",
  createdAtMs: NOON_MS,
  expiresAtMs: null,
  ...change,
});

/** A settlement of gold on the previous day. */
export const settlementRow = (change: Partial<SettlementRow> = {}): SettlementRow => ({
  symbol: "GC",
  futuresContract: "GCZ26",
  settlementDate: "2026-11-19",
  price: "4010.50",
  volume: 1_200,
  openInterest: 3_400,
  source: "alpha",
  sourceType: "proxy_daily_close",
  observedAtMs: NOON_MS - 57_600_000,
  fetchedAtMs: NOON_MS - 57_000_000,
  ...change,
});

/** A change of a product of a dealer in Hong Kong. */
export const dealerTick = (seq: number, change: Partial<DealerTick> = {}): DealerTick => ({
  id: "lukfook:bar-tael",
  source: "lukfook",
  country: "HK",
  dealer: "Luk Fook",
  kind: "dealer",
  metal: "XAU",
  product: "Gold bar, per tael",
  form: "bar",
  karat: 24,
  fineness: "999.9",
  weight: "1",
  weightUnit: "tael",
  currency: "HKD",
  sell: "38420.00",
  buyback: "37900",
  taxIncluded: false,
  sourceUrl: "https://www.lukfook.com",
  observedAtMs: NOON_MS,
  seq,
  fetchedAtMs: NOON_MS + seq * 1_000,
  ...change,
});

/** An alert above 4000, to the endpoint `ep`. */
export const newAlert = (id: string, change: Partial<NewAlert> = {}): NewAlert => ({
  id,
  orgId: "org",
  name: id,
  symbol: "XAU-USD-SPOT",
  kind: "above",
  threshold: "4000",
  windowSeconds: null,
  direction: null,
  once: true,
  endpointId: "ep",
  state: "armed",
  seenSeq: 7,
  memory: null,
  createdAtMs: NOON_MS,
  ...change,
});
