/**
 * What is counted of a source's readings of one instrument. Windows are sums: counts of shorter spans add up to those of longer.
 */
import { type DecimalText, MINUTE_MS } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import { atOneScale } from "../number/scaled.ts";
import type { SourceRole } from "./observation.ts";

/** How long a source delivered no accepted reading: none at all, or only refused ones. */
export interface SourceIncident {
  readonly kind: "silent" | "refused";
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
}

export interface SourceCounts {
  /** The end of what is counted, epoch milliseconds. */
  readonly untilMs: number;
  /** Cadence slots within open hours that were watched from beginning to end. */
  readonly expected: number;
  /** Those of them at whose end the newest accepted reading was less than two cadences old. */
  readonly met: number;
  readonly received: number;
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Accepted readings by their deviation, see `deviationOf`. */
  readonly deviations: Readonly<Record<string, number>>;
  /** The newest, oldest first. */
  readonly incidents: readonly SourceIncident[];
  /** When a reading was last accepted, in this span or before it. */
  readonly lastAcceptedAtMs: number | null;
}

/** Who the source is, as it was declared when it was counted. */
export interface RecordedSource {
  readonly displayName: string;
  readonly origin: string;
  readonly license: string;
  readonly cadenceMs: number;
  /** Omitted by earlier versions, as is the next. */
  readonly role?: SourceRole;
  /** How long a reading stays fresh, in milliseconds. */
  readonly freshForMs?: number;
}

export const RECORD_SPANS = ["quarter", "day"] as const;
/** The length of the shorter span. It is stored once it has been over for as long again, so that stored records are always delayed. */
export const RECORD_QUARTER_MS = 15 * MINUTE_MS;
/** The end of the newest quarter that can be stored, and the end of every window that is shown. */
export const recordEndMs = (nowMs: number): number => Math.floor(nowMs / RECORD_QUARTER_MS - 1) * RECORD_QUARTER_MS;
/** A quarter of an hour, or a UTC day. */
export type RecordSpan = (typeof RECORD_SPANS)[number];

export interface SourceRecord {
  readonly source: string;
  readonly instrument: Instrument;
  readonly span: RecordSpan;
  readonly startsAtMs: number;
  readonly document: { readonly info: RecordedSource; readonly counts: SourceCounts };
}

/** The most incidents kept of a span. */
export const MAX_INCIDENTS = 50;

export const noCounts = (untilMs: number): SourceCounts => ({
  untilMs,
  expected: 0,
  met: 0,
  received: 0,
  accepted: 0,
  refused: {},
  deviations: {},
  incidents: [],
  lastAcceptedAtMs: null,
});

const addTallies = (tallies: readonly SourceCounts["refused"][]): SourceCounts["refused"] => {
  const sum: Record<string, number> = {};
  for (const tally of tallies) for (const name in tally) sum[name] = (sum[name] ?? 0) + (tally[name] ?? 0);
  return sum;
};

/** An incident goes on in the next span under the same beginning; what is known of it last counts. */
const addIncidents = (lists: readonly SourceCounts["incidents"][]): SourceCounts["incidents"] => {
  const incidents = new Map(lists.flat().map((each) => [`${each.kind} ${each.fromMs}`, each]));
  return [...incidents.values()].sort((a, b) => a.fromMs - b.fromMs).slice(-MAX_INCIDENTS);
};

/** Adds the counts of spans, in the order of time. Nothing but loops: a year is thousands of them. */
export const addCounts = (...spans: readonly SourceCounts[]): SourceCounts => {
  const sum = { untilMs: 0, expected: 0, met: 0, received: 0, accepted: 0, lastAcceptedAtMs: Number.NEGATIVE_INFINITY };
  for (const each of spans) {
    sum.untilMs = Math.max(sum.untilMs, each.untilMs);
    sum.expected += each.expected;
    sum.met += each.met;
    sum.received += each.received;
    sum.accepted += each.accepted;
    sum.lastAcceptedAtMs = Math.max(sum.lastAcceptedAtMs, each.lastAcceptedAtMs ?? Number.NEGATIVE_INFINITY);
  }
  return {
    ...sum,
    refused: addTallies(spans.map(({ refused }) => refused)),
    deviations: addTallies(spans.map(({ deviations }) => deviations)),
    incidents: addIncidents(spans.map(({ incidents }) => incidents)),
    lastAcceptedAtMs: Number.isFinite(sum.lastAcceptedAtMs) ? sum.lastAcceptedAtMs : null,
  };
};

/** Two significant digits. */
const DIGITS_BELOW = 100;

/** Rounds up to two significant digits. */
const roundUp = (count: number): number => {
  let step = 1;
  while (count > step * DIGITS_BELOW) step *= 10;
  return Math.ceil(count / step) * step;
};

/**
 * The deviation of a reading from a price.
 * @param price above zero
 * @returns tenths of a basis point, rounded up to a whole one and then to two significant digits: exact to 0.1 bps up to 10 bps,
 *   and at most a tenth too high above
 * @throws RangeError when one is not a plain decimal
 */
export const deviationOf = (reading: DecimalText, price: DecimalText): number => {
  const { left, right } = atOneScale(reading, price);
  const apart = left > right ? left - right : right - left;
  return roundUp(Number((apart * 100_000n + right - 1n) / right));
};

/**
 * A quantile of counted deviations, by nearest rank: the smallest that at least this share of them do not exceed.
 * @param deviations how many readings had which deviation, in tenths of a basis point
 * @param share above 0, at most 1
 * @returns basis points; null when nothing was counted
 */
export const deviationQuantile = (deviations: Readonly<Record<string, number>>, share: number): number | null => {
  const steps = Object.entries(deviations)
    .map(([tenths, count]) => ({ tenths: Number(tenths), count }))
    .sort((a, b) => a.tenths - b.tenths);
  const rank = Math.ceil(share * steps.reduce((sum, { count }) => sum + count, 0));
  let passed = 0;
  for (const { tenths, count } of steps) {
    passed += count;
    if (passed >= rank) return tenths / 10;
  }
  return null;
};
