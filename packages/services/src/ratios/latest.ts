/** GET /v1/ratios/latest: the newest day for which both series of a pair have a settled bar. */
import { type AssayContract, DAY_MS, Encoded, type Verb } from "@assay/contract";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { hasAllCloses, pairFields, ratioMeta, requirePair } from "./pair.ts";

/** The newest point the caller may see. */
export const latestRatios =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["ratios"]["latest"], VerbContext> =>
  async (input, { caller, asOfMs, fail }) => {
    const pair = requirePair(input.pair, fail);
    const points = await market.ratios.pointsOf(pair);
    const span = points.page(Number.MIN_SAFE_INTEGER, asOfMs - DAY_MS, 1);
    const count = span.from <= span.to ? 1 : 0;
    const isWhole = hasAllCloses(
      market,
      pair,
      count === 0 ? Number.MIN_SAFE_INTEGER : points.startAt(span.from),
      asOfMs - DAY_MS,
    );
    const point = count === 0 ? "null" : Buffer.from(points.slice(span)).toString("latin1");
    return new Encoded(`{${pairFields(pair)},"point":${point},${ratioMeta(caller.tier, count, isWhole)}}`);
  };
