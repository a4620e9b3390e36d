/** From when a reference rate is known, since a bank's document may name its day alone, and for how long it serves. */
import { DAY_MS, HOUR_MS } from "@assay/contract";
import { utcDay, wallTimeMs } from "../conventions/zoned-time.ts";
import type { FxObservation } from "../readings/observation.ts";

/** How long a reference rate is valid, in milliseconds: seven days, longer than any holiday of the European Central Bank. */
export const REFERENCE_SERVES_MS = 7 * DAY_MS;

/** When banks whose documents name a day alone, read as its midnight, publish its rates, by their own clocks. */
const PUBLISHES: ReadonlyMap<string, { readonly zone: string; readonly hour: number }> = new Map([
  ["ecb", { zone: "Europe/Berlin", hour: 16 }],
]);

const KNOWN = new WeakMap<FxObservation, number>();

/** The instant from which a table could be known: of a bank's day its hour of publication, else when it was observed. */
export const publishedMs = (table: FxObservation): number => {
  const rule = PUBLISHES.get(table.source);
  if (!rule || table.role !== "reference" || table.observedAtMs % DAY_MS !== 0) return table.observedAtMs;
  const known = KNOWN.get(table);
  if (known !== undefined) return known;
  const atMs = wallTimeMs(rule.zone, utcDay(table.observedAtMs), rule.hour * HOUR_MS);
  KNOWN.set(table, atMs);
  return atMs;
};
