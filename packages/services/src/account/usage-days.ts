/** Metered calls of the month by day: today as counted, earlier days as stored. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { readEarlierDays, StoreUnavailableError } from "@assay/db";
import type { ServiceDeps } from "../context.ts";

type Days = OutputOf<AssayContract["account"]["usage"]>["days"];

/** The UTC days of a month up to one of them, oldest first. */
const daysUntil = (day: string): string[] =>
  Array.from({ length: Number(day.slice(8)) }, (_, at) => `${day.slice(0, 8)}${String(at + 1).padStart(2, "0")}`);

/**
 * The month by day.
 * @param today the calls counted today, which include those that are not stored yet
 * @returns every day up to today, oldest first; null while the store does not respond
 */
export const usageByDay = async (
  { store, log }: Pick<ServiceDeps, "store" | "log">,
  orgId: string,
  today: number,
  nowMs: number,
): Promise<Days> => {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  try {
    const stored = await readEarlierDays(store, orgId, day);
    const calls = new Map(stored.map((one) => [one.day, one.calls])).set(day, today);
    return daysUntil(day).map((date) => ({ date, calls: Math.max(0, calls.get(date) ?? 0) }));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    log.warn({ err: error, orgId }, "failed to read usage by day; answering without it");
    return null;
  }
};
