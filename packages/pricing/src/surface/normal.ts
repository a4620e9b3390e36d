/** The standard normal distribution. */
/// <reference path="./jstat.d.ts" />
import jstat from "jstat";

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

/**
 * Φ(z), the share of a standard normal variable below z.
 * @param z in deviations
 * @returns 0 to 1, to about 1e-15
 */
export const normalBelow = (z: number): number => 0.5 * jstat.erfc(-z * Math.SQRT1_2);

/**
 * φ(z), the density of a standard normal variable.
 * @param z in deviations
 */
export const normalDensity = (z: number): number => Math.exp(-0.5 * z * z) / ROOT_TWO_PI;

/**
 * Φ⁻¹(p), the point below which a standard normal variable lies with probability p.
 * @param p above 0 and below 1
 * @returns deviations
 */
export const normalPoint = (p: number): number => -Math.SQRT2 * jstat.erfcinv(2 * p);
