/** Examples of ratios. */
import type { AssayContract, OutputOf, RatioPoint } from "@assay/contract";
import type { ExamplesOf } from "./example.ts";

const newest: RatioPoint = {
  date: "2026-11-19",
  ratio: "82.7893",
  numerator_close: "3994.65",
  denominator_close: "48.2508",
};

export const list: ExamplesOf<OutputOf<AssayContract["ratios"]["list"]>> = {
  page: {
    summary: "A page of two; more are to come",
    value: {
      pair: "gold-silver",
      numerator: "XAU-USD-SPOT",
      denominator: "XAG-USD-SPOT",
      interval: "1d",
      points: [newest, { date: "2026-11-18", ratio: "82.9000", numerator_close: "3981.10", denominator_close: "48.0229" }],
      next_cursor: "AQAAAZ2m7gAA3q0f8Ck1Yl5u",
      meta: { tier: "pro", count: 2 },
    },
  },
  empty: {
    summary: "A window without a day both series have",
    value: {
      pair: "gld-xau",
      numerator: "GLD",
      denominator: "XAU-USD-SPOT",
      interval: "1d",
      points: [],
      next_cursor: null,
      meta: { tier: "pro", count: 0 },
    },
  },
};

export const latest: ExamplesOf<OutputOf<AssayContract["ratios"]["latest"]>> = {
  newest: {
    summary: "The newest settled day",
    value: {
      pair: "gold-silver",
      numerator: "XAU-USD-SPOT",
      denominator: "XAG-USD-SPOT",
      interval: "1d",
      point: newest,
      meta: { tier: "pro", count: 1 },
    },
  },
  none: {
    summary: "No day is shared",
    value: {
      pair: "gold-palladium",
      numerator: "XAU-USD-SPOT",
      denominator: "XPD-USD-SPOT",
      interval: "1d",
      point: null,
      meta: { tier: "pro", count: 0 },
    },
  },
};
