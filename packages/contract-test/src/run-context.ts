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
  /** The tiers the deployment reports. */
  readonly catalog: TierCatalog;
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  readonly clockAheadMs: number;
  /** The bearers of the given keys. */
  readonly bearers: readonly Caller[];
  readonly seed: number;
  /** Property runs per route. */
  readonly runs: number;
  readonly allowKeyRotation: boolean;
}

/** The service's clock, epoch milliseconds. */
export const serviceNowMs = ({ clockAheadMs }: Pick<RunContext, "clockAheadMs">, atMs: number = Date.now()): number =>
  atMs + clockAheadMs;

/**
 * The main caller of a route: a key with the widest access; routes take turns when several are equal.
 * @param turn the route's index
 * @throws NotChecked when a route needs a key of a tier that was not given
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

/** Whether a caller may request everything, so that no sensible request is gated. */
export const seesEverything = ({ kind, tier }: Caller): boolean => kind === "key" && TIER_REACH[tier].allBarSymbols;
