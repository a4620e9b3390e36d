/** Frames of the service as on the wire, for tests that play it. */

/** 2026-11-20T12:00:00Z, epoch milliseconds. */
export const NOON_MS = Date.UTC(2026, 10, 20, 12);

const at = (ms: number): string => new Date(ms).toISOString();

export const tick = (seq: number, symbol = "XAU-USD-SPOT", atMs = NOON_MS + seq * 1_000, more: object = {}) => ({
  type: "tick",
  symbol,
  price: `4003.${String(seq).padStart(4, "0")}`,
  conf: "0.20",
  computed_at: at(atMs),
  seq,
  ...more,
});

/** The minutes of a page of `/v1/bars`; the newest is still forming if that is said. */
export const minutesPage = (starts: readonly number[], isForming = false) => ({
  symbol: "XAU-USD-SPOT",
  interval: "1m",
  bars: starts.map((ms, place) => ({
    bar_start: at(ms),
    ...{ open: null, high: null, low: null, volume: null },
    close: `400${(ms - NOON_MS) / 60_000}.10`,
    is_closed: !isForming || place > 0,
  })),
  next_cursor: null,
  meta: { tier: "pro", count: starts.length, source_id: null },
});

/** A dealer's quote. */
export const physical = (seq: number, channel = "physical:AE", atMs = NOON_MS + seq * 1_000) => ({
  type: "physical",
  channel,
  seq,
  quote: {
    id: "s:Souk:24K gram",
    source: "s",
    dealer: "Souk",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weight_unit: "gram",
    currency: "AED",
    sell_price: "477.25",
    buyback_price: null,
    quoted_at: at(atMs),
  },
});

export const gap = (fromSeq: number, toSeq: number, reason: string, symbol = "XAU-USD-SPOT") => ({
  type: "gap",
  symbol,
  from_seq: fromSeq,
  to_seq: toSeq,
  reason,
});

export const heartbeat = (seq: Readonly<Record<string, number>>, atMs = NOON_MS) => ({
  type: "heartbeat",
  ts: at(atMs),
  seq,
  market: "open",
});
