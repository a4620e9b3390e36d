/** P11: all the arithmetic of one tick, compared with decimal.js one figure at a time. */
import { composeMoment, EMPTY_FX, INSTRUMENTS, withFx } from "@assay/pricing";
import { simulatedFx, simulatedQuotes, simulatedSources } from "@assay/simulator";
import type { Bench } from "../bench.ts";
import { median } from "../measure/statistics.ts";
import { decimalMoment } from "../references/decimal-moment.ts";

const FROM_MS = Date.UTC(2026, 10, 20, 12);
const MOMENTS = 300;
const ROUNDS = 9;

/** The composition benchmark. */
export const compose: Bench = {
  ids: ["P11"],
  run: async ({ report }) => {
    const sources = new Map(simulatedSources.map((info) => [info.key, info]));
    const moments = Array.from({ length: MOMENTS }, (_, second) => {
      const atMs = FROM_MS + second * 1_000;
      const table = simulatedFx(atMs, 1);
      return {
        atMs,
        table,
        fx: withFx(EMPTY_FX, table),
        quotes: INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, 1)),
      };
    });
    const perMoment = (work: () => void): number => {
      const startedMs = performance.now();
      work();
      return (performance.now() - startedMs) / MOMENTS;
    };
    const ours: number[] = [];
    const decimals: number[] = [];
    for (let round = 0; round < ROUNDS + 2; round += 1) {
      const own = perMoment(() => {
        for (const { atMs, fx, quotes } of moments) composeMoment(quotes, sources, fx, atMs);
      });
      const other = perMoment(() => {
        for (const { table, quotes } of moments) decimalMoment(quotes, table);
      });
      if (round < 2) continue;
      ours.push(own);
      decimals.push(other);
    }
    const raw = `${median(ours).toFixed(3)} ms against ${median(decimals).toFixed(3)} ms with decimal.js one by one`;
    report({
      id: "P11",
      what: "composition of all instruments and 31 currencies for one tick",
      figure: median(ours),
      unit: "ms",
      goal: { atMost: 1 },
      raw,
    });
    const figure = median(ours.map((own, round) => own / (decimals[round] ?? Number.NaN)));
    report({ id: "P11", what: "the same composition, against decimal.js one by one", figure, unit: "×", raw });
  },
};
