/** P23: what 10,000 alerts add to a moment: all of them are judged on its tick, few of them fire. */
import { dec, fraction, Judge, type JudgeMarket, type NumberedAlert } from "@assay/pricing";
import type { Goal } from "../goal.ts";
import { cpuMsOfWork } from "../measure/process.ts";
import { median, quantile } from "../measure/statistics.ts";

const GOLD = "XAU-USD-SPOT";
const ALERTS = 10_000;
const MOMENTS = 600;
const FROM_MS = Date.UTC(2026, 10, 20, 12);

const market: JudgeMarket = {
  rateBeside: (_, __, atMs) => ({
    ...fraction("1"),
    rate: dec("1"),
    source: "identity",
    role: "identity",
    observedAtMs: atMs,
    freshUntilMs: atMs,
    isStale: false,
  }),
  isOpen: () => true,
  beliefOf: () => undefined,
};

/** As many of each kind as people have: thresholds on either side, moves within an hour, and some on staleness. */
const alertAt = (index: number): NumberedAlert => {
  const kind = (["above", "below", "moved", "above", "below", "stale"] as const)[index % 6] ?? "above";
  const threshold = { above: `${4_005 + (index % 1_000)}.25`, below: `${3_995 - (index % 1_000)}.75`, moved: "5", stale: null }[
    kind
  ];
  return {
    id: `al_${index}`,
    name: `alert ${index}`,
    direction: kind === "moved" ? "either" : null,
    symbol: GOLD,
    kind,
    threshold,
    windowSeconds: kind === "moved" ? 3_600 : null,
    once: false,
    state: "armed",
    hasFired: false,
    seenSeq: 0,
    memory: null,
    revision: index + 1,
  };
};

/** A price that swings by half a percent in five minutes, so that thresholds are crossed both ways. */
const priceAt = (moment: number): string => (4_000 + 20 * Math.sin(moment / 50)).toFixed(2);

/** The goal of the judge. */
export const alerts: Goal = {
  id: "P23",
  what: `what ${ALERTS} alerts on one symbol add to a moment`,
  floor: null,
  run: async () => {
    const judge = new Judge(market);
    for (let index = 0; index < ALERTS; index += 1) judge.put(alertAt(index), "live", FROM_MS);
    const usedMs: number[] = [];
    let fired = 0;
    for (let moment = 1; moment <= MOMENTS; moment += 1) {
      const atMs = FROM_MS + moment * 1_000;
      const tick = { instrument: GOLD, seq: moment, price: priceAt(moment), basis: "primary", computedAtMs: atMs } as const;
      judge.take([{ ...tick, freshUntilMs: atMs + 60_000 }]);
      const judged = (): void => {
        fired += judge.advance(atMs).length;
        judge.takeChanged(atMs);
      };
      usedMs.push(await cpuMsOfWork(judged));
    }
    return [
      {
        what: "10,000 alerts on one symbol judged in one moment, CPU",
        value: median(usedMs),
        unit: "ms",
        bound: { atMost: 5 },
        raw: `99 % within ${quantile(usedMs, 0.99).toFixed(2)} ms; ${fired} events in ${MOMENTS} moments`,
      },
    ];
  },
};
