/** GET /v1/sources: what each source delivered in a window. */
import { type AssayContract, BAR_SYMBOLS, formatTimestamp, type SourceRecordRow, upperCase, type Verb } from "@assay/contract";
import { deviationQuantile, INSTRUMENTS, type Instrument, instrumentOf, readBarSymbol } from "@assay/pricing";
import type { VerbContext } from "../context.ts";
import { refuseParameter } from "../input.ts";
import { availabilityOf, type RecordBook, type SummedRecord } from "../market/record-book.ts";
import { shownRole } from "../prices/present-source.ts";

const instrumentNamed = (text: string): Instrument | null => {
  const series = readBarSymbol(text);
  return series === null ? (INSTRUMENTS.find((each) => each === upperCase(text)) ?? null) : instrumentOf(series);
};

const rowOf = ({ source, instrument, info, counts }: SummedRecord): SourceRecordRow => ({
  source,
  display_name: info.displayName,
  origin: info.origin,
  license: info.license,
  instrument,
  cadence_seconds: info.cadenceMs / 1_000,
  expected: counts.expected,
  received: counts.received,
  accepted: counts.accepted,
  refused: counts.refused,
  availability: availabilityOf(counts),
  deviation_bps: { median: deviationQuantile(counts.deviations, 0.5), p99: deviationQuantile(counts.deviations, 0.99) },
  last_accepted_at: counts.lastAcceptedAtMs === null ? null : formatTimestamp(counts.lastAcceptedAtMs),
  incidents: counts.incidents.toReversed().map(({ fromMs, toMs, kind }) => ({
    from: formatTimestamp(fromMs),
    to: toMs === null ? null : formatTimestamp(toMs),
    kind,
  })),
  ...(info.role && { role: shownRole(info.role) }),
  ...(info.freshForMs !== undefined && { fresh_for_seconds: info.freshForMs / 1_000 }),
});

/** The record of all sources, or of those asked for. */
export const listSources =
  (book: RecordBook): Verb<AssayContract["sources"]["list"], VerbContext> =>
  async ({ window, symbol, source }, { nowMs, fail }) => {
    const instrument =
      symbol === undefined
        ? null
        : (instrumentNamed(symbol) ??
          refuseParameter(fail, "symbol", `must name an instrument, by its series: ${BAR_SYMBOLS.join(", ")}`));
    const { fromMs, toMs, records } = await book.of(window, nowMs);
    const asked = records.filter(
      (each) => (instrument === null || each.instrument === instrument) && (source === undefined || each.source === source),
    );
    return { window, from: formatTimestamp(fromMs), to: formatTimestamp(toMs), sources: asked.map(rowOf) };
  };
