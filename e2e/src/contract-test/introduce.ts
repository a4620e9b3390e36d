/** Gets to know a deployment before it is tested: whether it answers, its clock, its tiers, and whether the keys are what they are said to be. */
import { contract, DEFAULT_CATALOG, TIER_NAMES, type TierCatalog, type TierName, type TierPublic } from "@assay/contract";
import { type Caller, KEYLESS, keyed } from "./wire/caller.ts";
import { type Exchange, fieldsOf, Unreachable } from "./wire/exchange.ts";
import type { Asking, Service } from "./wire/service.ts";

/** What was given or found makes a run impossible; the message is one line. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** A key and the tier it is said to be of. */
export interface GivenKey {
  readonly tier: TierName;
  readonly key: string;
}

/** What is known of a deployment. */
export interface Introduction {
  readonly catalog: TierCatalog;
  readonly clockAheadMs: number;
  readonly bearers: readonly Caller[];
}

const { health, status } = contract.system;

/** Makes sure that somebody answers like an Assay service. */
const knock = async (service: Service): Promise<void> => {
  let answer: Exchange;
  try {
    answer = await service.route(health, { caller: KEYLESS });
  } catch (error) {
    if (error instanceof Unreachable) throw new CannotRun(`${service.baseUrl} cannot be reached: ${error.message}`);
    throw error;
  }
  if (answer.status !== 200) {
    throw new CannotRun(`${service.baseUrl} answers ${health.path} with ${answer.status}: there is no Assay service`);
  }
};

/** How far the service's clock is ahead, told by its status document. */
const clockOf = async (service: Service): Promise<number> => {
  const answer = await service.route(status, { caller: KEYLESS });
  const told = Date.parse(String(fieldsOf(answer.json).checked_at));
  return Number.isNaN(told) ? 0 : told - (answer.sentAtMs + answer.readAtMs) / 2;
};

/** The tiers as the deployment tells of them; those that ship where it tells nothing usable, which the route's own checks report. */
const catalogOf = async (service: Service): Promise<TierCatalog> => {
  const answer = await service.route(contract.tiers.list, { caller: KEYLESS });
  const parsed = contract.tiers.list.output.safeParse(answer.json);
  if (!parsed.success || parsed.data.length !== TIER_NAMES.length) return DEFAULT_CATALOG;
  const tiers = Object.fromEntries(parsed.data.map((tier) => [tier.name, tier])) as Record<TierName, TierPublic>; // one of each, by number
  return { ...DEFAULT_CATALOG, tiers };
};

/** Makes sure that a key is of the tier it was given for. */
const introduceKey = async (service: Service, { tier, key }: GivenKey): Promise<Caller> => {
  const caller = keyed(tier, key);
  const asking: Asking = { caller };
  const answer = await service.route(contract.account.usage, asking);
  if (answer.status === 401) throw new CannotRun(`--key ${tier}=…: the service does not accept this key`);
  const { tier: told } = fieldsOf(answer.json);
  if (answer.status === 200 && typeof told === "string" && told !== tier) {
    throw new CannotRun(`--key ${tier}=…: the service says this key is of tier ${told}`);
  }
  return caller;
};

/**
 * Gets to know a deployment.
 * @throws CannotRun when nobody answers, or a key is not what it is said to be
 */
export const introduce = async (service: Service, keys: readonly GivenKey[]): Promise<Introduction> => {
  await knock(service);
  const [clockAheadMs, catalog, bearers] = await Promise.all([
    clockOf(service),
    catalogOf(service),
    Promise.all(keys.map((key) => introduceKey(service, key))),
  ]);
  return { clockAheadMs, catalog, bearers };
};
