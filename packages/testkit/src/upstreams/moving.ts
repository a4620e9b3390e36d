/** Payloads of a market that moves: figures scaled by a slow wave and a quick one. */
import { HOUR_MS } from "@assay/contract";
import type { Answering } from "./upstream.ts";

/** Half a percent over an hour and a little every few seconds, as one factor. */
export const levelAt = (nowMs: number): number =>
  1 + 0.005 * Math.sin((nowMs / HOUR_MS) * 2 * Math.PI) + 0.000_2 * Math.sin(nowMs / 4_000);

/** Multiplies every figure that matches, with as many decimals as it has. */
export const scaled = (text: string, figures: RegExp, by: number): string =>
  text.replace(figures, (figure) => (Number(figure) * by).toFixed(figure.split(".")[1]?.length ?? 0));

const PRICE = /(?<="(?:price|bid|ask|bidPx|askPx)":"?)[0-9.]+/g;
/** What gold's figures are multiplied by to make another metal's. */
const SHARE: Readonly<Record<string, number>> = { XAU: 1, XAG: 0.012, HG: 0.001_3, XPT: 0.35, XPD: 0.3 };

/** Answers with gold's payload for whichever metal is asked for. */
export const moving =
  (payload: () => string): Answering =>
  (path) => {
    const metal = /XAU|XAG|HG|XPT|XPD/.exec(path)?.[0] ?? "XAU";
    const text = scaled(payload(), PRICE, (SHARE[metal] ?? 1) * levelAt(Date.now()));
    return { body: text.replace('"symbol":"XAU"', `"symbol":"${metal}"`) };
  };
