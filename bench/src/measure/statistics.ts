/** Figures out of many figures. */

/** The middle of figures; of an even number, the mean of the two middle ones. */
export const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((left, right) => left - right);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
};

/**
 * The figure that a share of all do not exceed.
 * @param share 0.99 for p99
 */
export const quantile = (figures: Float64Array | readonly number[], share: number): number => {
  const sorted = Float64Array.from(figures).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};
