/** One price through two routes: a symbol's row equals its row in the list. */
import { contract } from "@assay/contract";
import { expectAnswer } from "../expectation.ts";
import type { RouteTrial } from "../route-trial.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import { ofOneMoment } from "./same-moment.ts";

const SYMBOLS = ["XAU-USD-SPOT", "XAU-JPY-SPOT"];

const rowOf = (list: Exchange): unknown => {
  const { symbols } = fieldsOf(list.json);
  return Array.isArray(symbols) ? symbols[0] : undefined;
};

/** Checks that a spot row equals the list's. */
export const checkSpot = async (trial: RouteTrial): Promise<void> => {
  if (trial.route.path !== contract.spot.get.path) return;
  const { service } = trial.run;
  const caller = trial.main();
  for (const symbol of SYMBOLS) {
    await trial.check("invariants", `the row of ${symbol} equals the one in the list`, async (tell) => {
      const input = { symbol, include: "karat" };
      const [row, list] = await ofOneMoment(async () => {
        const one = await trial.ask({ input, priority: PRIORITY.invariant });
        return [one, await service.route(contract.prices.list, { input, caller, priority: PRIORITY.invariant })] as const;
      });
      if (row.status === 429 || list.status === 429) throw new NotChecked("a rate limit in between");
      if (!expectAnswer(tell, trial.route, row, "success", `${symbol} is served on every tier`)) return;
      if (!expectAnswer(tell, contract.prices.list, list, "success", `${symbol} is served on every tier`)) return;
      if (JSON.stringify(row.json) !== JSON.stringify(rowOf(list))) {
        tell(
          `the row differs from the one in the list: ${JSON.stringify(rowOf(list))?.slice(0, 200)}`,
          "every route has the same price",
          row,
        );
      }
    });
  }
};
