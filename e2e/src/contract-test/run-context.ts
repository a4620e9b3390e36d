/** What every check of a run shares: the service, its tiers and clock, the callers, and how thorough to be. */
import { type Contract, type Route, TIER_REACH, type TierCatalog, tierAtLeast } from "@assay/contract";
import type { Recorder } from "./report/recorder.ts";
import { type Caller, highestFirst, KEYLESS } from "./wire/caller.ts";
import { NotChecked } from "./wire/exchange.ts";
import type { Service } from "./wire/service.ts";

/** A run. */
export interface RunContext {
  readonly contract: Contract;
  readonly service: Service;
  readonly recorder: Recorder;
  /** The tiers as the deployment tells of them. */
  readonly catalog: TierCatalog;
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  readonly clockAheadMs: number;
  /** Bearers of the keys that were given. */
  readonly bearers: readonly Caller[];
  readonly seed: number;
  /** Property runs of a route. */
  readonly runs: number;
  readonly allowKeyRotation: boolean;
}

/** The service's time, epoch milliseconds. */
export const serviceNowMs = ({ clockAheadMs }: Pick<RunContext, "clockAheadMs">, atMs: number = Date.now()): number =>
  atMs + clockAheadMs;

/**
 * The caller that asks most of a route's requests: a key that sees the most; routes take turns where several see as much.
 * @param turn the route's number
 * @throws NotChecked when a route needs a key of a tier nobody gave
 */
export const mainCaller = ({ bearers }: Pick<RunContext, "bearers">, { access }: Route, turn = 0): Caller => {
  if (access.auth === "none") return KEYLESS;
  const able = highestFirst(bearers).filter(({ tier }) => tierAtLeast(tier, access.tier));
  const [best] = able;
  if (best) {
    const alike = able.filter(({ tier }) => JSON.stringify(TIER_REACH[tier]) === JSON.stringify(TIER_REACH[best.tier]));
    return alike[turn % alike.length] ?? best;
  }
  if (access.auth === "optional") return KEYLESS;
  throw new NotChecked(`no key of tier ${access.tier} or above was given`);
};

/** Whether a caller may ask for everything, so that no sensible request of its is gated. */
export const seesEverything = ({ kind, tier }: Caller): boolean => kind === "key" && TIER_REACH[tier].allBarSymbols;
