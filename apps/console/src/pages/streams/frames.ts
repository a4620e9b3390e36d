/** Events of a stream as rows of a log, and what they add up to. */
import type { StreamEvent } from "@assay/sdk/stream";

/** How a stream is carried. */
export type Transport = "sse" | "websocket";

/** A row of the log. */
export interface Frame {
  readonly id: number;
  readonly atMs: number;
  readonly kind: "tick" | "physical" | "gap" | "heartbeat" | "status";
  readonly name: string;
  readonly seq: string;
  /** What it says, figures as published. */
  readonly text: string;
}

/** What was counted. */
export interface Totals {
  readonly ticks: number;
  readonly gaps: number;
  readonly heartbeats: number;
  readonly reconnects: number;
  /** The newest number of each name. */
  readonly seqs: Readonly<Record<string, number>>;
}

/** Before the first event. */
export const ZERO: Totals = { ticks: 0, gaps: 0, heartbeats: 0, reconnects: 0, seqs: {} };

const statusText = (event: Extract<StreamEvent, { readonly type: "status" }>): string => {
  if (event.status === "connecting") return event.attempt === 0 ? "connecting" : `connecting, attempt ${event.attempt}`;
  if (event.status === "reconnecting") return `lost: ${event.reason}; again in ${(event.delayMs / 1_000).toFixed(1)} s`;
  if (event.status === "closed") return event.reason === null ? "closed" : `closed: ${event.reason}`;
  const rejected = event.rejected.map(({ name, code }) => `${name} refused: ${code}`);
  return ["open", ...rejected].join("; ");
};

const partsOf = (event: StreamEvent): Pick<Frame, "name" | "seq" | "text"> => {
  if (event.type === "tick") {
    const text = `${event.price.text} ± ${event.conf.text}${event.snapshot ? ", the last known" : ""}`;
    return { name: event.symbol, seq: String(event.seq), text };
  }
  if (event.type === "physical")
    return { name: event.channel, seq: String(event.seq), text: `${event.quote.dealer}: ${event.quote.product}` };
  if (event.type === "gap")
    return { name: event.symbol, seq: `${event.fromSeq}–${event.toSeq}`, text: `missing: ${event.reason}` };
  if (event.type === "heartbeat") {
    const newest = Object.entries(event.seq).map(([name, seq]) => `${name} ${seq}`);
    return { name: "", seq: "", text: [`market ${event.market}`, ...newest].join(", ") };
  }
  return { name: event.names.join(", "), seq: "", text: statusText(event) };
};

/**
 * An event as a row.
 * @param id increases by one with each event
 */
export const frameOf = (event: StreamEvent, id: number, atMs: number): Frame => ({
  id,
  atMs,
  kind: event.type,
  ...partsOf(event),
});

/** Adds an event to what was counted. */
export const withEvent = (totals: Totals, event: StreamEvent): Totals => {
  if (event.type === "tick") return { ...totals, ticks: totals.ticks + 1, seqs: { ...totals.seqs, [event.symbol]: event.seq } };
  if (event.type === "physical")
    return { ...totals, ticks: totals.ticks + 1, seqs: { ...totals.seqs, [event.channel]: event.seq } };
  if (event.type === "gap") return { ...totals, gaps: totals.gaps + 1 };
  if (event.type === "heartbeat") return { ...totals, heartbeats: totals.heartbeats + 1 };
  return event.status === "reconnecting" ? { ...totals, reconnects: totals.reconnects + 1 } : totals;
};
