/** Gatheral's SVI smile: total variance by log-moneyness, and its parameters as traders state them. */

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

/** The jump wings of a slice: level and skew at the money, wings, and minimum variance. */
export interface SviJumpWings {
  /** Annual variance at the money. */
  readonly v: number;
  /** Skew at the money. */
  readonly psi: number;
  /** Slope of the low-strike wing. */
  readonly p: number;
  /** Slope of the high-strike wing. */
  readonly c: number;
  /** Minimum annual variance. */
  readonly vMin: number;
}

/**
 * Converts jump wings to raw parameters.
 * @param wings the jump wings, with a minimum variance below the at-the-money one
 * @param years time to expiry
 * @see Gatheral and Jacquier, 2014, lemma 3.2
 */
export const sliceOf = ({ v, psi, p, c, vMin }: SviJumpWings, years: number): SviSlice => {
  const w = v * years;
  const b = (Math.sqrt(w) / 2) * (c + p);
  const rho = 1 - (p * Math.sqrt(w)) / b;
  const beta = rho - (2 * psi * Math.sqrt(w)) / b;
  const flat = Math.sqrt(1 - rho ** 2);
  if (Math.abs(beta) < 1e-12) {
    const sigma = (w - vMin * years) / (b * (1 - flat));
    return { a: w - b * sigma, b, rho, m: 0, sigma };
  }
  const alpha = Math.sign(beta) * Math.sqrt(1 / beta ** 2 - 1);
  const m = ((v - vMin) * years) / (b * (-rho + Math.sign(alpha) * Math.sqrt(1 + alpha ** 2) - alpha * flat));
  const sigma = alpha * m;
  return { a: vMin * years - b * sigma * flat, b, rho, m, sigma };
};

/**
 * The nearest slice guaranteed free of butterfly arbitrage: the same level, skew and low-strike wing, with c = p + 2ψ and vMin =
 * v · 4pc / (p + c)².
 * @see Gatheral and Jacquier, 2014, section 5.1
 */
export const withoutButterflies = ({ v, psi, p }: SviJumpWings): SviJumpWings => {
  const c = p + 2 * psi;
  return { v, psi, p, c, vMin: (v * 4 * p * c) / (p + c) ** 2 };
};
