/** P21: the largest call of every route that reads, in every form, against a spot price in the same run. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contract, isVersioned, pages, TIER_NAMES } from "@assay/contract";
import type { Bench, BenchContext } from "../bench.ts";
import { type Metrics, openMetrics } from "../measure/process-figures.ts";
import { type Ask, askerOf, besideCallers, callFor } from "../measure/steady-calls.ts";
import { formsOf, type LargestCall, readingRoutes, type Sent, wideInputs } from "../ours/largest-calls.ts";
import { type Service, startService, untilSettled } from "../ours/service.ts";

const SETTLED_WITHIN_MS = 600_000;
const WARM_MS = 200;
const MEASURED_MS = 400;
/** So many at least, however long they take. */
const AT_LEAST = 30;
/** Until then the code every call runs through is being compiled. */
const FIRST_MS = 3_000;
const CALLERS = 8;
const BESIDE_MS = 1_000;
/** What costs as much is printed by itself. */
const DEAR_MS = 1;
const GOAL_MS = 5;
const GOAL_STALL_MS = 20;
const NEVER_REACHED = 100_000_000;

const SPOT: LargestCall = { name: "spot", sent: () => ({ method: "GET", path: "/v1/spot/XAU-USD-SPOT" }) };
const HEALTH: Sent = { method: "GET", path: "/v1/health" };

/** Charts' protocol is a door of its own, not a route. */
const UDF = ["1", "1D"].map((resolution): LargestCall => {
  const path = `/udf/history?symbol=XAU-USD-SPOT&resolution=${resolution}&from=0&to=${Math.floor(Date.now() / 1_000)}`;
  return {
    name: `/udf/history of ${resolution}`,
    sent: (turn) => ({ method: "GET", path: `${path}&countback=${10_000 - (turn % 100)}` }),
  };
});

/** The largest answer a caller gets of each route, in every form it is answered in. */
const largestCalls = async (ask: Ask): Promise<LargestCall[]> => {
  const calls = [...UDF];
  for (const [name, route] of [...readingRoutes(contract), ...readingRoutes(pages)]) {
    let largest = { bytes: -1, forms: [] as LargestCall[] };
    for (const windows of wideInputs(route)) {
      for (const input of windows) {
        const forms = formsOf(name, route, input, isVersioned(route));
        const [json] = forms;
        const answered = json && (await ask(json.sent(0)));
        if (!answered || answered.status >= 400) continue;
        if (answered.bytes > largest.bytes) largest = { bytes: answered.bytes, forms };
        break;
      }
    }
    calls.push(...largest.forms);
  }
  const answered: LargestCall[] = [];
  for (const call of calls) if ((await ask(call.sent(0))).status < 400) answered.push(call);
  return answered;
};

/** What a call costs. */
interface Cost {
  readonly name: string;
  readonly cpuMs: number;
  /** The longest the event loop stood while it was called, one at a time. */
  readonly stallMs: number;
  readonly bytes: number;
  /** A light request of another caller while eight call, in words; nothing of a cheap call. */
  readonly beside: string;
}

interface Subject {
  readonly service: Service;
  readonly metrics: Metrics;
  readonly health: Ask;
  readonly ask: Ask;
}

const costOf = async (
  { service, metrics, health, ask }: Subject,
  { name, sent }: LargestCall,
  warmMs = WARM_MS,
): Promise<Cost> => {
  let bytes = 0;
  const call = async (turn: number): Promise<void> => {
    const answered = await ask(sent(turn));
    if (answered.status >= 400) throw new Error(`${name} was answered with ${answered.status}: ${answered.start}`);
    bytes = answered.bytes;
  };
  await callFor(call, warmMs, AT_LEAST);
  await metrics.longestStallMs();
  const beforeMs = service.threadsCpuMs();
  const turns = await callFor(call, MEASURED_MS, AT_LEAST);
  const cpuMs = (service.threadsCpuMs() - beforeMs) / turns;
  const stallMs = await metrics.longestStallMs();
  if (cpuMs < DEAR_MS) return { name, cpuMs, stallMs, bytes, beside: "" };
  const { p50Ms, mostMs } = await besideCallers(call, () => health(HEALTH), { callers: CALLERS, forMs: BESIDE_MS });
  const beside = `; beside ${CALLERS} callers health takes ${p50Ms.toFixed(0)}, at most ${mostMs.toFixed(0)} ms`;
  return { name, cpuMs, stallMs, bytes, beside };
};

/** A service on a simulated market with its whole history, without limits. */
const startMarket = async (folder: string, metrics: Metrics): Promise<{ readonly service: Service; readonly key: string }> => {
  const tiers = join(folder, "tiers.json");
  const often = { rate_limit_per_minute: NEVER_REACHED, monthly_quota: 2_000_000_000 };
  const keyless = { per_minute: NEVER_REACHED, per_hour: NEVER_REACHED };
  await writeFile(tiers, JSON.stringify({ ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, often])), keyless }));
  const settings = { DATA_DIR: folder, TIERS_FILE: tiers, TRUST_PROXY: "127.0.0.1", ...metrics.settings };
  const service = await startService("start", settings);
  await untilSettled(service, SETTLED_WITHIN_MS);
  const { realtime_pro: key } = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { realtime_pro: string }; // the demo's own
  return { service, key };
};

const reportOf = ({ report }: BenchContext, who: string, spot: Cost, costs: readonly Cost[]): void => {
  const sorted = costs.toSorted((left, right) => right.cpuMs - left.cpuMs);
  const rawOf = ({ cpuMs, bytes, stallMs, beside }: Cost): string =>
    `${(cpuMs / spot.cpuMs).toFixed(0)} × spot's ${spot.cpuMs.toFixed(3)} ms; ${bytes} bytes; the event loop stood for ${stallMs.toFixed(0)} ms${beside}`;
  for (const cost of sorted.filter(({ cpuMs }) => cpuMs >= DEAR_MS)) {
    report({
      id: "P21",
      what: `${cost.name}${who}, CPU of a call`,
      figure: cost.cpuMs,
      unit: "ms",
      goal: { atMost: GOAL_MS },
      raw: rawOf(cost),
    });
  }
  const [dearest] = sorted;
  if (dearest) {
    report({
      id: "P21",
      what: `the dearest of all ${costs.length} calls${who}, CPU`,
      figure: dearest.cpuMs,
      unit: "ms",
      goal: { atMost: GOAL_MS },
      raw: `${dearest.name}: ${rawOf(dearest)}`,
    });
  }
  const [longest] = costs.toSorted((left, right) => right.stallMs - left.stallMs);
  if (longest) {
    report({
      id: "P21",
      what: `the longest the event loop stood, one caller${who}`,
      figure: longest.stallMs,
      unit: "ms",
      goal: { atMost: GOAL_STALL_MS },
      raw: `${longest.name}; during spot prices ${spot.stallMs.toFixed(0)} ms`,
    });
  }
};

const measureAll = async (context: BenchContext, folder: string): Promise<void> => {
  const metrics = await openMetrics();
  const { service, key } = await startMarket(folder, metrics);
  const light = askerOf(service.url, null);
  try {
    for (const usedKey of [key, null]) {
      const { ask, close } = askerOf(service.url, usedKey);
      const subject = { service, metrics, health: light.ask, ask };
      const spot = await costOf(subject, SPOT, FIRST_MS);
      const costs: Cost[] = [];
      for (const call of await largestCalls(ask)) costs.push(await costOf(subject, call));
      reportOf(context, usedKey === null ? " without a key" : "", spot, costs);
      close();
    }
  } finally {
    light.close();
    await service.stop();
  }
};

/** The benchmark of dear calls. */
export const dear: Bench = {
  ids: ["P21"],
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      await measureAll(context, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
