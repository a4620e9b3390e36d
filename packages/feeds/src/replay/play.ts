/** A replay file as a clocked source: emits each reading at its own time. */
import type { ClockedSource } from "@assay/pricing";
import { asProduct, type Observation } from "@assay/pricing";
import type { Replay } from "./load.ts";
import { ReplayVenues } from "./venues.ts";

type Record = Replay["records"][number];

/** Whether a record belongs to a chain or a venue, which is emitted as a whole. */
const isOfVenue = ({ kind }: Record): boolean => kind === "option" || kind === "market" || kind === "silence";

/** A record as a reading; null when it is emitted as part of a chain or a venue. */
const readingOf = (record: Record): Observation | null => {
  switch (record.kind) {
    case "dealer": {
      const { kind: _, ...quote } = record;
      return { kind: "dealer", source: quote.source, quote: asProduct(quote), observedAtMs: quote.observedAtMs };
    }
    case "option":
    case "market":
    case "silence":
      return null;
    default:
      return record;
  }
};

/** The options and markets recorded up to an instant. */
const venuesAt = (replay: Replay, atMs: number): ReplayVenues => {
  const venues = new ReplayVenues();
  for (const record of replay.past(atMs)) if (isOfVenue(record)) venues.take(record);
  venues.told(atMs);
  return venues;
};

/** Plays a validated file. */
export const replaySource = (replay: Replay): ClockedSource => {
  /** The venues at the end of the last period: the next one usually begins there, and reading the whole past again takes longer and longer. */
  let standing: { readonly atMs: number; readonly venues: ReplayVenues } | null = null;
  return {
    simulated: false,
    sources: replay.sources,
    *due(fromMs, toMs) {
      let venues = standing?.atMs === fromMs ? standing.venues : null;
      standing = null;
      let group: Observation[] = [];
      let groupMs = Number.NaN;
      for (const record of replay.due(fromMs, toMs)) {
        if (record.observedAtMs !== groupMs) {
          const told = [...group, ...(venues?.told(groupMs) ?? [])];
          if (told.length > 0) yield { atMs: groupMs, observations: told };
          group = [];
          groupMs = record.observedAtMs;
        }
        if (isOfVenue(record)) {
          venues ??= venuesAt(replay, fromMs);
          venues.take(record);
        }
        const reading = readingOf(record);
        if (reading) group.push(reading);
      }
      const told = [...group, ...(venues?.told(groupMs) ?? [])];
      if (told.length > 0) yield { atMs: groupMs, observations: told };
      if (venues) standing = { atMs: toMs, venues };
    },
    lastSpokeMs: replay.lastSpokeMs,
  };
};
