/** Gatheral's SVI smile: total variance by log-moneyness, and the test for a non-negative density. */

/** The raw parameters of a slice: w(x) = a + b (ρ (x − m) + √((x − m)² + σ²)). */
export interface SviSlice {
  readonly a: number;
  readonly b: number;
  readonly rho: number;
  readonly m: number;
  readonly sigma: number;
}

/**
 * Total variance, volatility² × time.
 * @param slice the raw parameters
 * @param x ln(strike / forward)
 * @see J. Gatheral and A. Jacquier, Arbitrage-free SVI volatility surfaces, 2014, equation 3.1
 */
export const sviVariance = ({ a, b, rho, m, sigma }: SviSlice, x: number): number =>
  a + b * (rho * (x - m) + Math.hypot(x - m, sigma));

/**
 * The function g, which has the sign of the density: a slice is free of butterfly arbitrage where g is non-negative.
 * @param slice the raw parameters
 * @param x ln(strike / forward)
 * @see Gatheral and Jacquier, 2014, equation 2.1
 */
export const sviDensitySign = (slice: SviSlice, x: number): number => {
  const { b, rho, m, sigma } = slice;
  const root = Math.hypot(x - m, sigma);
  const w = sviVariance(slice, x);
  const first = b * (rho + (x - m) / root);
  const second = (b * sigma ** 2) / root ** 3;
  return (1 - (x * first) / (2 * w)) ** 2 - (first ** 2 / 4) * (1 / w + 1 / 4) + second / 2;
};
