/** The prices that alerts of the key's organisation wait for, in the money and weight of the chart. */
import { Decimal } from "@assay/sdk";
import { useMemo } from "preact/hooks";
import type { Level } from "../../charts/price-chart.ts";
import { key } from "../../data/key.ts";
import { useAlerts } from "../../data/questions.ts";
import { shown } from "../../figures/digits.ts";
import { text } from "../../text/text.ts";
import { cross } from "./choices.ts";
import { weighing } from "./market-view.ts";

/** An organisation can have thousands; more lines than this hide the price. */
const MOST = 8;

type Waiting = Omit<Level, "mark">;

/** Several lines have numbers, from the top, and so do their words; one alone needs none. */
const numbered = (levels: readonly Waiting[]): readonly Level[] => {
  if (levels.length < 2) return levels.map((level) => ({ ...level, mark: null }));
  return levels
    .toSorted((one, other) => new Decimal(other.price).cmp(one.price))
    .map(({ price, text: words }, at) => {
      const mark = shown(String(at + 1));
      return { price, mark, text: text().chart.dashedLevel({ mark, alert: words }) };
    });
};

/**
 * Follows them.
 * @param close the newest price: the levels nearest to it are kept
 * @returns the same array as long as nothing changed
 */
export const useAlertLevels = (close: string | null | undefined): readonly Level[] => {
  const alerts = useAlerts(key.value !== null).data?.alerts;
  const symbol = cross.value;
  const { conditions } = text().alerts;
  const levels = (alerts ?? []).flatMap(({ symbol: of, kind, threshold, state }): Waiting[] => {
    const price = of === symbol && state !== "fired" ? weighing(threshold ?? undefined) : undefined;
    return price === undefined || (kind !== "above" && kind !== "below")
      ? []
      : [{ price, text: conditions[kind]({ price: shown(price) }) }];
  });
  const distance = ({ price }: Waiting): Decimal => new Decimal(price).minus(close ?? price).abs();
  const nearest = numbered(levels.toSorted((one, other) => distance(one).cmp(distance(other))).slice(0, MOST));
  const name = JSON.stringify(nearest);
  return useMemo(() => nearest, [name]);
};
