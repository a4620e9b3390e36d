/** P22: a bill of 500 pieces, a series of 10,000 days, and pages of bars as they were known, against the same pages of now. */
import { contract } from "@assay/contract";
import type { Figure, Goal } from "../goal.ts";
import { compare, cpuRatio, medianOf, type Plan } from "../measure/compare.ts";
import { requestOf } from "../measure/http-load.ts";
import { SHORT_PAST, withService } from "../measure/service.ts";

const PIECES = 500;
const KARATS = [24, 22, 18, 14] as const;
const MAKINGS = [{ per_gram: "12.50" }, { percent: "11.5" }, { fixed: "40" }] as const;

/** Pieces that are all different, as a stock's are; each with margin, making and tax. */
const items = Array.from({ length: PIECES }, (_, index) => ({
  id: `piece-${index}`,
  metal: index % 5 === 4 ? "XAG" : "XAU",
  weight: (2 + index * 0.037).toFixed(3),
  unit: index % 7 === 6 ? "tola" : "gram",
  ...(index % 5 === 4 ? { fineness: 925 } : { karat: KARATS[index % KARATS.length] }),
  side: index % 9 === 8 ? "buy" : "sell",
  margin_percent: "3.5",
  making: MAKINGS[index % MAKINGS.length],
  tax_percent: "8.1",
  tax_on: index % 2 === 0 ? "all" : "making",
  round_to: "0.05",
}));
const BILL = JSON.stringify({ currency: "EUR", items });

const WINDOW = "from=1996-01-01&to=2036-01-01";
const SERIES = `/v1/series?symbol=XAU-EUR-SPOT&unit=gram&${WINDOW}&limit=10000`;
const barsOf = (limit: number): string => `/v1/bars?symbol=XAU-USD-SPOT&interval=1d&${WINDOW}&limit=${limit}`;

const GOAL_MS = 10;
const PLAN: Plan = { connections: 1, rounds: 7, warmUp: 200 };

/** A bill with a piece that has no price would cost less. */
const requirePrices = async (url: string, key: string): Promise<void> => {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(`${url}/v1/quotes`, { method: "POST", headers, body: BILL });
  const fault = contract.quotes.create.output.parse(await answer.json()).items.find(({ error }) => error !== undefined);
  if (fault) throw new Error(`a piece has no price: ${JSON.stringify(fault)}`);
};

/** The goal of large requests. */
export const largeRequests: Goal = {
  id: "P22",
  what: "a large bill, a long series, and pages of bars with known_at",
  floor: "the same pages of now",
  run: () =>
    withService(SHORT_PAST, async ({ url, key, pid, port }) => {
      await requirePrices(url, key);
      const roundsOf = (...requests: readonly string[]) =>
        compare(
          requests.map((text) => ({ pid, port, request: () => text })),
          PLAN,
        );
      const figures: Figure[] = [];
      for (const [what, request] of [
        [`a bill of ${PIECES} pieces, CPU of a call`, requestOf("/v1/quotes", key, BILL)],
        ["a series of 10000, CPU of a call", requestOf(SERIES, key)],
      ] as const) {
        const [rounds] = await roundsOf(request);
        const raw = `${medianOf(rounds, "perSecond").toFixed(0)} a second on one connection`;
        figures.push({ what, value: medianOf(rounds, "cpuMicros") / 1_000, unit: "ms", bound: { atMost: GOAL_MS }, raw });
      }
      const knownAt = new Date().toISOString();
      for (const limit of [100, 10_000]) {
        const page = barsOf(limit);
        const [now, then] = await roundsOf(requestOf(page, key), requestOf(`${page}&known_at=${knownAt}`, key));
        figures.push({
          what: `bars of ${limit} with known_at, CPU per request against the same page of now`,
          value: cpuRatio(then, now),
          unit: "×",
          bound: { atMost: 2 },
          raw: `${medianOf(then, "cpuMicros").toFixed(0)} against ${medianOf(now, "cpuMicros").toFixed(0)} µs`,
        });
      }
      return figures;
    }),
};
