/** LOAD: a mixed load at four fifths of what one process can, for minutes: latency, memory, and that nothing is wrong or lost. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, BenchContext } from "../bench.ts";
import { mixedLoad } from "../measure/mixed-load.ts";
import { mean, quantile, slopePerHour } from "../measure/statistics.ts";
import { startService, untilSettled } from "../ours/service.ts";

const CLIENTS = 16;
const FOLLOWERS = 50;
const PEAK_MS = 10_000;
const SHARE = 0.8;
const SAMPLE_MS = 1_000;
const SETTLED_WITHIN_MS = 600_000;
/** Ten minutes with `--deep`, else one. */
const LONG_MS = 600_000;
const SHORT_MS = 60_000;

/**
 * Starts the default process on a new folder, and loads it.
 * @param forMs how long, after the peak was measured
 */
export const loadOnce = async ({ report }: Pick<BenchContext, "report">, forMs: number): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const tiers = join(folder, "tiers.json");
  const often = { rate_limit_per_minute: 100_000_000, monthly_quota: 2_000_000_000, max_concurrent_streams: 10_000 };
  await writeFile(tiers, JSON.stringify({ realtime_pro: often }));
  const service = await startService("start", { DATA_DIR: folder, SIM_HISTORY_DAYS: "1", TIERS_FILE: tiers });
  try {
    await untilSettled(service, SETTLED_WITHIN_MS);
    const { realtime_pro: key } = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { realtime_pro: string }; // the demo's own
    const common = { url: service.url, key, clients: CLIENTS, followers: FOLLOWERS };
    const peak = await mixedLoad({ ...common, forMs: PEAK_MS });
    const peakPerSecond = peak.requests / peak.seconds;
    const memory: number[] = [];
    const cpuMs = service.cpuMs();
    const sampling = setInterval(() => memory.push(service.residentMiB()), SAMPLE_MS);
    const load = await mixedLoad({ ...common, forMs, perSecond: SHARE * peakPerSecond });
    clearInterval(sampling);
    const faults = [...peak.faults, ...load.faults];
    const raw =
      `${load.requests} requests in ${load.seconds.toFixed(0)} s at ${(load.requests / load.seconds).toFixed(0)}/s, peak ${peakPerSecond.toFixed(0)}/s; ` +
      `${FOLLOWERS} followers; ${faults.length} faults; ${((service.cpuMs() - cpuMs) / load.seconds / 10).toFixed(0)} % of a core`;
    report({ id: "LOAD", what: "mixed load at 80 % of the peak, p50", figure: quantile(load.latenciesMs, 0.5), unit: "ms", raw });
    report({
      id: "LOAD",
      what: "mixed load at 80 % of the peak, p99",
      figure: quantile(load.latenciesMs, 0.99),
      unit: "ms",
      raw,
    });
    // A heap that fills up to its bound rises in the first third alone.
    const third = Math.ceil(memory.length / 3);
    const means = [0, 1, 2].map((part) => mean(memory.slice(part * third, (part + 1) * third)).toFixed(0));
    const span = `${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MiB; means of its thirds ${means.join(", ")}`;
    report({
      id: "LOAD",
      what: "memory under load, slope an hour",
      figure: slopePerHour(memory, SAMPLE_MS),
      unit: "MiB",
      raw: span,
    });
    return faults;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** The load benchmark. */
export const load: Bench = {
  ids: ["LOAD"],
  run: async (context) => {
    const faults = await loadOnce(context, context.isDeep ? LONG_MS : SHORT_MS);
    if (faults.length > 0)
      throw new Error(`${faults.length} answers were not as they should be: ${faults.slice(0, 5).join("; ")}`);
  },
};
