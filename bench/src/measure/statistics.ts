/** Medians, percentiles and slopes. */

/** The median; for an even count, the mean of the two middle values. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
};

/**
 * The value that a given share does not exceed.
 * @param share 0.99 for p99
 */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

/** The slope of a line through samples at equal distances, per hour. */
export const slopePerHour = (samples: readonly number[], everyMs: number): number => {
  const meanAt = (samples.length - 1) / 2;
  const level = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const rise = samples.reduce((sum, each, at) => sum + (at - meanAt) * (each - level), 0);
  const run = samples.reduce((sum, _, at) => sum + (at - meanAt) ** 2, 0);
  return (rise / run) * (3_600_000 / everyMs);
};
