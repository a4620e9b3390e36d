/**
 * Inspects a deployment before the test: whether it answers, its clock, its tiers, and whether the keys are of the tiers given.
 */
import { contract, DEFAULT_CATALOG, METALS, TIER_NAMES, type TierCatalog, type TierName, type TierPublic } from "@assay/contract";
import { type Caller, highestFirst, KEYLESS, keyed } from "./wire/caller.ts";
import { type Exchange, fieldsOf, Unreachable } from "./wire/exchange.ts";
import { ANSWER_WITHIN_MS } from "./wire/send.ts";
import type { Service } from "./wire/service.ts";

/** An error that makes a run impossible; the message is one line. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** A key and the tier it was given for. */
export interface GivenKey {
  readonly tier: TierName;
  readonly key: string;
}

/** What is known about a deployment. */
export interface Introduction {
  readonly catalog: TierCatalog;
  readonly clockAheadMs: number;
  readonly freshForMs: ReadonlyMap<string, number>;
  readonly bearers: readonly Caller[];
}

const { health, status } = contract.system;

/** How long to wait before reporting that there is no answer: longer than any healthy answer takes. */
const SLOW_MS = 3_000;

const SERVICE_NAME = "assay";

/** The first answer; reports when it takes long. */
const firstAnswer = async (service: Service, onWait: (text: string) => void): Promise<Exchange> => {
  const slow = setTimeout(
    () => onWait(`${service.baseUrl} has not responded yet; giving up after ${ANSWER_WITHIN_MS / 1_000} seconds`),
    SLOW_MS,
  );
  try {
    return await service.route(health, { caller: KEYLESS });
  } catch (error) {
    if (error instanceof Unreachable) throw new CannotRun(`${service.baseUrl} cannot be reached: ${error.message}`);
    throw error;
  } finally {
    clearTimeout(slow);
  }
};

const kindOf = ({ status: answered, headers, json }: Exchange): string => {
  const { service: name } = fieldsOf(json);
  const parts = [headers.get("content-type") ?? "", headers.has("location") ? `to ${headers.get("location")}` : ""];
  const named = typeof name === "string" ? [`of service ${JSON.stringify(name.slice(0, 40))}`] : [];
  return [`${answered}`, ...parts, ...named].filter((part) => part !== "").join(" ");
};

const hintFor = (baseUrl: string): string =>
  /\/v1$/.test(baseUrl) ? `; --base-url is the part before /v1, try ${baseUrl.replace(/\/v1$/, "")}` : "";

/** Makes sure that it is an Assay service before sending anything else; the rest of the answer is left to the route's checks. */
const ensureAssay = async (service: Service, onWait: (text: string) => void): Promise<void> => {
  const answer = await firstAnswer(service, onWait);
  if (answer.status === health.success.status && fieldsOf(answer.json).service === SERVICE_NAME) return;
  const { baseUrl } = service;
  throw new CannotRun(
    `there is no Assay service at ${baseUrl}: GET ${health.path} was answered ${kindOf(answer)}${hintFor(baseUrl)}`,
  );
};

/** How far the service's clock is ahead, from its status document. */
const clockOf = async (service: Service): Promise<number> => {
  const answer = await service.route(status, { caller: KEYLESS });
  const checkedAtMs = Date.parse(String(fieldsOf(answer.json).checked_at));
  return Number.isNaN(checkedAtMs) ? 0 : checkedAtMs - (answer.sentAtMs + answer.readAtMs) / 2;
};

/** The tiers the deployment reports; the shipped ones when it reports nothing usable, which the route's own checks catch. */
const catalogOf = async (service: Service): Promise<TierCatalog> => {
  const answer = await service.route(contract.tiers.list, { caller: KEYLESS });
  const parsed = contract.tiers.list.output.safeParse(answer.json);
  if (!parsed.success || parsed.data.length !== TIER_NAMES.length) return DEFAULT_CATALOG;
  const tiers = Object.fromEntries(parsed.data.map((tier) => [tier.name, tier])) as Record<TierName, TierPublic>; // every tier once, checked by number
  return { ...DEFAULT_CATALOG, tiers };
};

const listIn = (answer: Exchange, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const { [name]: list } = fieldsOf(answer.json);
  return Array.isArray(list) ? list.map(fieldsOf) : [];
};

/**
 * How long the sources of each metal's spot price stay fresh: that of the primaries, of the council too where its daily rate is the
 * price.
 */
const freshnessOf = async (service: Service, caller: Caller): Promise<ReadonlyMap<string, number>> => {
  const records = listIn(await service.route(contract.sources.list, { caller: KEYLESS }), "sources");
  const rows = listIn(await service.route(contract.prices.list, { caller, input: { include: "sources" } }), "symbols");
  const isBelieved = (source: unknown, role: string): boolean =>
    fieldsOf(source).role === role && fieldsOf(source).verdict === "believed";
  return new Map(
    METALS.flatMap((metal) => {
      const sources = rows.flatMap(({ symbol, contract_type: type, sources: listed }) =>
        symbol === metal && type === "spot" && Array.isArray(listed) ? listed : [],
      );
      const roles = ["primary", "council"].filter((role) => sources.some((source) => isBelieved(source, role)));
      const windows = records.flatMap(({ instrument, role, fresh_for_seconds: seconds }) =>
        instrument === `${metal}-USD-SPOT` && roles.includes(String(role)) && typeof seconds === "number"
          ? [seconds * 1_000]
          : [],
      );
      return windows.length === 0 ? [] : [[metal, Math.max(...windows)] as const];
    }),
  );
};

/** Makes sure that a key is of the given tier. */
const checkKey = async (service: Service, { tier, key }: GivenKey): Promise<Caller> => {
  const caller = keyed(tier, key);
  const answer = await service.route(contract.account.usage, { caller });
  if (answer.status === 401) throw new CannotRun(`--key ${tier}=…: the service does not accept this key`);
  const { tier: actual } = fieldsOf(answer.json);
  if (answer.status === 200 && typeof actual === "string" && actual !== tier) {
    throw new CannotRun(`--key ${tier}=…: the service says this key is of tier ${actual}`);
  }
  return caller;
};

/**
 * Inspects a deployment.
 * @param onWait called with a line when it has not answered for seconds
 * @throws CannotRun when it does not answer, or a key is not of its given tier
 */
export const introduce = async (
  service: Service,
  keys: readonly GivenKey[],
  onWait: (text: string) => void,
): Promise<Introduction> => {
  await ensureAssay(service, onWait);
  const [clockAheadMs, catalog, bearers] = await Promise.all([
    clockOf(service),
    catalogOf(service),
    Promise.all(keys.map((key) => checkKey(service, key))),
  ]);
  const freshForMs = await freshnessOf(service, highestFirst(bearers)[0] ?? KEYLESS);
  return { clockAheadMs, catalog, freshForMs, bearers };
};
