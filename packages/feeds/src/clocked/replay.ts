/** A replay file as a clocked source: each reading at its own time. */
import type { DealerQuote, Observation } from "@assay/pricing";
import type { Replay } from "../sources/replay.ts";
import type { ClockedSource } from "./clocked-source.ts";

type Record = Replay["records"][number];

const isObservation = (record: Record): record is Extract<Record, Observation> =>
  record.kind === "spot" || record.kind === "fx" || record.kind === "bar" || record.kind === "settlement";

const quoteOf = ({ kind: _, ...quote }: Extract<Record, { kind: "dealer" }>): DealerQuote => quote;

/** Plays a checked file. */
export const replaySource = (replay: Replay): ClockedSource => ({
  simulated: false,
  sources: replay.sources,
  *due(fromMs, toMs) {
    let group: Observation[] = [];
    let groupMs = Number.NaN;
    for (const record of replay.due(fromMs, toMs)) {
      if (!isObservation(record)) continue;
      if (record.observedAtMs !== groupMs && group.length > 0) {
        yield { atMs: groupMs, observations: group };
        group = [];
      }
      groupMs = record.observedAtMs;
      group.push(record);
    }
    if (group.length > 0) yield { atMs: groupMs, observations: group };
  },
  dealerQuotes: (fromMs, toMs) =>
    replay.due(fromMs, toMs).flatMap((record) => (record.kind === "dealer" ? [quoteOf(record)] : [])),
  lastSpokeMs: (source, atMs) =>
    replay.past(atMs).findLast((record) => record.source === source && record.kind !== "silence")?.observedAtMs ?? null,
});
