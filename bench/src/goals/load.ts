/** LOAD: a mixed load at four fifths of what one process can: latency, memory, and that nothing is wrong or lost. */
import { MINUTE_MS } from "@assay/contract";
import type { Figure, Goal } from "../goal.ts";
import { mixedLoad } from "../measure/mixed-load.ts";
import { cpuMsOf, residentMiBOf } from "../measure/process.ts";
import { withService } from "../measure/service.ts";
import { quantile, slopePerHour } from "../measure/statistics.ts";

const CLIENTS = 16;
const FOLLOWERS = 50;
const PEAK_MS = 10_000;
const SHARE = 0.8;
const SAMPLE_MS = 1_000;

/**
 * Loads the default process.
 * @param forMs how long, after the peak was measured
 * @throws Error when an answer was not valid, or a number was lost
 */
export const loadFor = (forMs: number): Promise<readonly Figure[]> =>
  withService({ SIM_HISTORY_DAYS: "1" }, async ({ url, key, pid }) => {
    const common = { url, key, clients: CLIENTS, followers: FOLLOWERS };
    const peak = await mixedLoad({ ...common, forMs: PEAK_MS });
    const resident: number[] = [];
    const beforeMs = cpuMsOf(pid);
    const sampling = setInterval(() => resident.push(residentMiBOf(pid)), SAMPLE_MS);
    const load = await mixedLoad({ ...common, forMs, perSecond: SHARE * peak.perSecond });
    clearInterval(sampling);
    const faults = [...peak.faults, ...load.faults];
    if (faults.length > 0) throw new Error(`${faults.length} faults under load: ${faults.slice(0, 5).join("; ")}`);
    const raw =
      `${load.requests} requests at ${load.perSecond.toFixed(0)} a second, peak ${peak.perSecond.toFixed(0)}; ${FOLLOWERS} followers; ` +
      `${(((cpuMsOf(pid) - beforeMs) / forMs) * 100).toFixed(0)} % of a core`;
    const within = (share: number): Figure => {
      const value = quantile(load.latenciesMs, share);
      return { what: `mixed load at 80 % of the peak, p${share * 100}`, value, unit: "ms", raw };
    };
    return [
      within(0.5),
      within(0.99),
      {
        what: "memory under load, slope an hour",
        value: slopePerHour(resident, SAMPLE_MS),
        unit: "MiB",
        raw: `${Math.min(...resident).toFixed(0)} to ${Math.max(...resident).toFixed(0)} MiB`,
      },
    ];
  });

/** The goal of load. */
export const load: Goal = {
  id: "LOAD",
  what: "requests and followers at 80 % of the peak of one process, for a minute or --minutes",
  floor: "its peak",
  run: ({ minutes = 1 }) => loadFor(minutes * MINUTE_MS),
};
