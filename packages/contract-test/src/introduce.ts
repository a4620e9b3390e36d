/**
 * Inspects a deployment before the test: whether it answers, its clock, its tiers, and whether the keys are of the tiers given.
 */
import {
  contract,
  DEFAULT_CATALOG,
  METALS,
  type Route,
  TIER_NAMES,
  type TierCatalog,
  type TierName,
  type TierPublic,
} from "@assay/contract";
import { type Caller, highestFirst, KEYLESS, keyed } from "./wire/caller.ts";
import { codeOf, type Exchange, fieldsOf, NotChecked, Unreachable } from "./wire/exchange.ts";
import { ANSWER_WITHIN_MS } from "./wire/send.ts";
import type { RequestOptions, Service } from "./wire/service.ts";
import type { Need } from "./world.ts";

/** An error that makes a run impossible; the message is one line. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** A key and the tier it was given for. */
export interface GivenKey {
  readonly tier: TierName;
  readonly key: string;
}

/** How a deployment is met. */
interface Hosting {
  /** How long to wait for what it says is still being made. */
  readonly waitMs: number;
  sleep(ms: number): Promise<void>;
  /** Called with a line when it has not answered for seconds, or is waited for. */
  onWait(text: string): void;
}

/** What is known about a deployment. */
export interface Introduction {
  readonly pending: Pending;
  /** Why something of it could not be found out. */
  readonly unknown: readonly string[];
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

/** Asks what is to be found out. @throws NotChecked when no allowance is left for it */
const ask = async (service: Service, route: Route, options: RequestOptions): Promise<Exchange> => {
  const answer = await service.route(route, options);
  if (answer.status === 429) throw new NotChecked(`${options.caller.name}: ${codeOf(answer) ?? "429"} despite waiting`);
  return answer;
};

/** What a service says is not there yet, in words, by what needs it. */
export type Pending = ReadonlyMap<Need, string>;

/** Asks a service what is still being made: nothing where it does not say. */
export const pendingOf = async (service: Service): Promise<Pending> => {
  const { json } = await ask(service, status, { caller: KEYLESS });
  const { history, archives } = fieldsOf(json);
  const [bars, years] = [fieldsOf(history).pending, fieldsOf(archives).pending];
  return new Map<Need, string>([
    ...(Number(bars) > 0 ? [["history", `${Number(bars)} bars of its history are still to be filled in`] as const] : []),
    ...(years === null || Number(years) > 0 ? [["archives", `${years ?? "its"} archives are still to be built`] as const] : []),
  ]);
};

/** How often a service is asked whether it is ready: half of what its limit allows. */
const ASK_EVERY_MS = 2_000;

/** Waits until nothing is pending, or the time is over. */
const settled = async (service: Service, { waitMs, sleep, onWait }: Hosting): Promise<Pending> => {
  let pending = await pendingOf(service);
  if (pending.size > 0 && waitMs > 0) onWait(`waiting up to ${waitMs / 1_000} seconds: ${[...pending.values()].join(", ")}`);
  for (let leftMs = waitMs; pending.size > 0 && leftMs > 0; leftMs -= ASK_EVERY_MS) {
    await sleep(Math.min(leftMs, ASK_EVERY_MS));
    pending = await pendingOf(service);
  }
  return pending;
};

/** How often its clock is read; each time halves what is not known of it. */
const CLOCK_READINGS = 3;
const SECOND_MS = 1_000;

/**
 * How far the service's clock is ahead at most. Its status shows whole seconds: it is asked again when the next one should begin, so
 * that the answer says on which side it is.
 */
const clockOf = async (service: Service, sleep: Hosting["sleep"]): Promise<number> => {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const { json, sentAtMs, readAtMs } = await ask(service, status, { caller: KEYLESS });
    const shownMs = Date.parse(String(fieldsOf(json).checked_at));
    if (Number.isNaN(shownMs)) return 0;
    [least, most] = [Math.max(least, shownMs - readAtMs), Math.min(most, shownMs + SECOND_MS - sentAtMs)];
    const wrongMs = (Date.now() + (least + most) / 2) % SECOND_MS;
    if (reading + 1 < CLOCK_READINGS) await sleep(SECOND_MS - wrongMs);
  }
  return most;
};

/** The tiers the deployment reports; the shipped ones when it reports nothing usable, which the route's own checks catch. */
const catalogOf = async (service: Service): Promise<TierCatalog> => {
  const answer = await ask(service, contract.tiers.list, { caller: KEYLESS });
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
  const records = listIn(await ask(service, contract.sources.list, { caller: KEYLESS }), "sources");
  const rows = listIn(await ask(service, contract.prices.list, { caller, input: { include: "sources" } }), "symbols");
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
  const answer = await ask(service, contract.account.usage, { caller });
  if (answer.status === 401) throw new CannotRun(`--key ${tier}=…: the service does not accept this key`);
  const { tier: actual } = fieldsOf(answer.json);
  if (answer.status === 200 && typeof actual === "string" && actual !== tier) {
    throw new CannotRun(`--key ${tier}=…: the service says this key is of tier ${actual}`);
  }
  return caller;
};

/**
 * Inspects a deployment.
 * @throws CannotRun when it does not answer, or a key is not of its given tier
 */
export const introduce = async (service: Service, keys: readonly GivenKey[], hosting: Hosting): Promise<Introduction> => {
  await ensureAssay(service, hosting.onWait);
  const unknown: string[] = [];
  /** What an allowance was left for; without it is tested what can be. */
  const orElse = <T>(asked: Promise<T>, other: T): Promise<T> =>
    asked.catch((error: unknown) => {
      if (!(error instanceof NotChecked)) throw error;
      unknown.push(error.message);
      return other;
    });
  const [clockAheadMs, catalog, bearers] = await Promise.all([
    orElse(clockOf(service, hosting.sleep), 0),
    orElse(catalogOf(service), DEFAULT_CATALOG),
    Promise.all(keys.map((given) => orElse(checkKey(service, given), keyed(given.tier, given.key)))),
  ]);
  const freshForMs = await orElse(freshnessOf(service, highestFirst(bearers)[0] ?? KEYLESS), new Map());
  const pending = await orElse(settled(service, hosting), new Map());
  return { clockAheadMs, catalog, freshForMs, bearers, pending, unknown };
};
