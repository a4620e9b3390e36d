/** What the operator sees of streams: their counts in the metrics, and a bounded number of log lines about refused ones. */
import { MINUTE_MS } from "@assay/contract";
import type { Log } from "@assay/live";
import type { MetricReading } from "@assay/process";
import type { BusReader } from "../hub/bus-reader.ts";
import type { Codec } from "../hub/codec.ts";
import type { Hub } from "../hub/hub.ts";

type Wire = Codec["kind"];

export class StreamCounts {
  readonly #open: Record<Wire, number> = { ws: 0, sse: 0 };
  readonly #opened: Record<Wire, number> = { ws: 0, sse: 0 };
  readonly #closed = new Map<string, { readonly wire: Wire; readonly reason: string; count: number }>();

  get open(): number {
    return this.#open.ws + this.#open.sse;
  }

  opened(wire: Wire): void {
    this.#open[wire] += 1;
    this.#opened[wire] += 1;
  }

  /** @param reason why the service closed it; null when the client did */
  closed(wire: Wire, reason: string | null): void {
    this.#open[wire] -= 1;
    const by = reason ?? "client";
    const name = `${wire} ${by}`;
    const known = this.#closed.get(name) ?? { wire, reason: by, count: 0 };
    known.count += 1;
    this.#closed.set(name, known);
  }

  read({ counts }: Hub, { recoveries, gaps, lagMs }: Pick<BusReader, "recoveries" | "gaps" | "lagMs">): MetricReading[] {
    const counter = (name: string, help: string, value: number): MetricReading => ({ name, help, kind: "counter", value });
    const wires: readonly Wire[] = ["ws", "sse"];
    return [
      ...wires.map((wire): MetricReading => {
        const labels = { wire };
        return { name: "assay_streams_open", help: "Streams open now", kind: "gauge", labels, value: this.#open[wire] };
      }),
      ...wires.map((wire): MetricReading => {
        const labels = { wire };
        return { name: "assay_streams_opened_total", help: "Streams opened", kind: "counter", labels, value: this.#opened[wire] };
      }),
      ...[...this.#closed.values()].map(({ wire, reason, count }): MetricReading => {
        const labels = { wire, reason };
        return { name: "assay_streams_closed_total", help: "Streams closed, by reason", kind: "counter", labels, value: count };
      }),
      counter("assay_stream_entries_total", "Ticks and quotes sent, each counted once for all its clients", counts.entries),
      counter("assay_stream_writes_total", "Writes of ticks to clients", counts.writes),
      counter("assay_stream_held_back_total", "Writes kept back from clients that read too slowly", counts.heldBack),
      counter("assay_stream_slow_gaps_total", "Gaps sent to clients that read too slowly", counts.slowGaps),
      counter("assay_stream_recoveries_total", "Times missed ticks were read from the database", recoveries),
      counter("assay_stream_bus_gaps_total", "Times the bus announced that events were missed", gaps),
      {
        name: "assay_stream_lag_seconds",
        help: "Time from the writer's composition of the latest prices to their arrival in this process",
        kind: "gauge",
        value: lagMs / 1_000,
      },
    ];
  }
}

const LINES_PER_MINUTE = 20;

/**
 * Logs connections refused before they had a valid key. Anyone can cause such lines, so only the first of each minute are logged; the
 * others are counted and logged with the first of the next.
 */
export class RefusalLog {
  readonly #log: Pick<Log, "info">;
  readonly #elapsed: () => number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #leftOut = 0;

  /** @param elapsed a monotonic clock in milliseconds */
  constructor(log: Pick<Log, "info">, elapsed: () => number) {
    this.#log = log;
    this.#elapsed = elapsed;
  }

  /** Logs one, unless the minute's line was already written. */
  info(fields: Record<string, unknown>, message: string): void {
    const nowMs = this.#elapsed();
    if (nowMs - this.#sinceMs >= MINUTE_MS) {
      if (this.#leftOut > 0) this.#log.info({ count: this.#leftOut }, "closed more unauthenticated streams");
      this.#sinceMs = nowMs;
      this.#logged = 0;
      this.#leftOut = 0;
    }
    if (this.#logged >= LINES_PER_MINUTE) {
      this.#leftOut += 1;
      return;
    }
    this.#logged += 1;
    this.#log.info(fields, message);
  }
}
