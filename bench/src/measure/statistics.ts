/** Medians and percentiles. */

/** The median; for an even count, the mean of the two middle values. */
export const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((left, right) => left - right);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
};

/**
 * The value that a given share does not exceed.
 * @param share 0.99 for p99
 */
export const quantile = (figures: Float64Array | readonly number[], share: number): number => {
  const sorted = Float64Array.from(figures).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};
