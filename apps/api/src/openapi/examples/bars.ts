/** Examples of bars. */
import type { AssayContract, Bar, OutputOf } from "@assay/contract";
import type { ExamplesOf } from "./example.ts";

const forming: Bar = {
  bar_start: "2026-11-20T00:00:00Z",
  open: "3994.70",
  high: "4011.25",
  low: "3990.05",
  close: "4003.20",
  volume: null,
  is_closed: false,
};

const closed: Bar = {
  bar_start: "2026-11-19T00:00:00Z",
  open: "3981.15",
  high: "3999.80",
  low: "3975.40",
  close: "3994.65",
  volume: null,
  is_closed: true,
};

const traded: Bar = {
  bar_start: "2026-11-19T00:00:00Z",
  open: "367.85",
  high: "369.60",
  low: "367.20",
  close: "369.10",
  volume: "8123400",
  is_closed: true,
};

export const list: ExamplesOf<OutputOf<AssayContract["bars"]["list"]>> = {
  page: {
    summary: "A page of two; more are to come",
    value: {
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      bars: [forming, closed],
      next_cursor: "AQAAAZ2m7gAA3q0f8Ck1Yl5u",
      meta: { tier: "pro", count: 2, source_id: "swissquote" },
    },
  },
  exhausted: {
    summary: "The last page, of a series with volume",
    value: {
      symbol: "GLD",
      interval: "1d",
      bars: [traded],
      next_cursor: null,
      meta: { tier: "pro", count: 1, source_id: "import" },
    },
  },
  empty: {
    summary: "A window without bars",
    value: {
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      bars: [],
      next_cursor: null,
      meta: { tier: "free", count: 0, source_id: "swissquote" },
    },
  },
};

export const latest: ExamplesOf<OutputOf<AssayContract["bars"]["latest"]>> = {
  forming: {
    summary: "The bar that is forming",
    value: { symbol: "XAU-USD-SPOT", interval: "1d", bar: forming, meta: { tier: "free", count: 1, source_id: "swissquote" } },
  },
  none: {
    summary: "A series that has no bar yet",
    value: { symbol: "GLD", interval: "1d", bar: null, meta: { tier: "pro", count: 0, source_id: null } },
  },
};
