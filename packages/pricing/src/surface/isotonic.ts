/** Isotonic regression: the nearest non-increasing sequence. */

/** A value and its weight. */
export interface WeightedValue {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

/**
 * The non-increasing sequence nearest to the given one, by weighted least squares: adjacent violators are pooled.
 * @param values in order
 * @returns as many values; non-increasing input is unchanged
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
