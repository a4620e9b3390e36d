/** Isotonic regression: the nearest sequence that never rises. */

/** A value and how much it counts. */
export interface WeightedValue {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

/**
 * The sequence that never rises and is nearest to the given one, by weighted squares: neighbours that rise are pooled.
 * @param values in order
 * @returns as many values; those that never rose are unchanged
 * @see M. Ayer and others, An empirical distribution function for sampling with incomplete information, 1955
 */
export const neverRising = (values: readonly WeightedValue[]): number[] => {
  const pools: { value: number; weight: number; count: number }[] = [];
  for (const { value, weight } of values) {
    let pool = { value, weight, count: 1 };
    for (let before = pools.at(-1); before && before.value < pool.value; before = pools.at(-1)) {
      const total = before.weight + pool.weight;
      pool = {
        value: (before.value * before.weight + pool.value * pool.weight) / total,
        weight: total,
        count: before.count + pool.count,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, count }) => new Array<number>(count).fill(value));
};
