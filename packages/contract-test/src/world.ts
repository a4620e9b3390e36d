/**
 * The service under test as the claims see it: its tiers and clock, who may call it, and how thorough to be. A deployment is seen
 * from outside, with the keys that were given; a service under test in its own process is a laboratory, which makes callers as
 * they are needed.
 */
import { type Contract, isChanging, type Route, TIER_REACH, type TierCatalog, type TierName, tierAtLeast } from "@assay/contract";
import { CALLER_KINDS, type CallerKind, type Door, tierOf } from "./claims/outcomes.ts";
import { type Input, sampleInput } from "./inputs/sample.ts";
import { BAD_KEYS, badKey, type Caller, highestFirst, KEYLESS, keyed } from "./wire/caller.ts";
import { NotChecked } from "./wire/exchange.ts";
import { Service, type ServiceOptions } from "./wire/service.ts";

/** What a service may still be making after it started, as its status says. */
export type Need = "history" | "archives";

/** What is known before any request: enough to say what must hold. */
export interface Scope {
  readonly contract: Contract;
  /** The tiers the service reports. */
  readonly catalog: TierCatalog;
  /** The service's clock at an instant of this machine's, epoch milliseconds. */
  nowMs(atMs?: number): number;
  readonly kinds: readonly CallerKind[];
  readonly doors: readonly Door[];
  /** Whether requests cost nothing and callers can be made, so that everything is tried. */
  readonly isLab: boolean;
  /** Whether it was made for the test: everything may be changed, and anything asked. */
  readonly isDisposable: boolean;
}

/** A caller of an organisation that has no other key and no history. */
export interface KeyHolder extends Caller {
  readonly key: string;
  readonly keyId: string;
}

/** What the test of a service in its own process can do besides calling it. */
export interface Lab {
  /** Creates an organisation of a tier, with one key. */
  mint(tier: TierName): Promise<KeyHolder>;
  /** Revokes a key; once it resolves the key is refused. */
  revoke(caller: KeyHolder): Promise<void>;
  /** Puts a key in grace, as minting its successor does. */
  retire(caller: KeyHolder): Promise<void>;
  /** A key of the right form that nobody has. */
  unknownKey(): string;
  /** Headers that make requests come from an address nobody else has. */
  freshAddress(): Readonly<Record<string, string>>;
  /** The input of a successful request, for routes whose schema has none, by `resource.action`. */
  readonly samples: Readonly<Record<string, (caller: Caller) => Promise<Input>>>;
}

export interface World extends Scope {
  readonly service: Service;
  /** How long the sources of each metal's price stay fresh, in milliseconds, as far as that is known. */
  readonly freshForMs?: ReadonlyMap<string, number>;
  readonly seed: number;
  /** Property runs per route. */
  readonly runs: number;
  readonly allowKeyRotation: boolean;
  readonly lab?: Lab;
  /** What the service said was not there yet, in words. */
  readonly pending?: ReadonlyMap<Need, string>;
  /** A caller of a kind. @throws NotChecked when there is none */
  callerOf(kind: CallerKind, route: Route, turn: number): Promise<Caller>;
  /** The caller with the widest access. @throws NotChecked when a route needs a key of a tier that was not given */
  mainCaller(route: Route, turn: number): Promise<Caller>;
  /** The route's smallest successful request. */
  sample(name: string, route: Route, caller: Caller): Promise<Input>;
  /** Called with the key that a caller replaced its own by. */
  onRotated(caller: Caller, key: string): void;
}

/** Whether a caller may request everything, so that no sensible request is gated. */
export const seesEverything = ({ kind, tier }: Caller): boolean => kind === "key" && TIER_REACH[tier].allBarSymbols;

/** A caller without a key, of the tier that such callers have. */
export const keylessOf = ({ keyless: { tier } }: TierCatalog): Caller => ({ ...KEYLESS, tier });

const widest = (bearers: readonly Caller[], keyless: Caller, { access }: Route, turn: number): Caller => {
  if (access.auth === "none") return keyless;
  const able = highestFirst(bearers).filter(({ tier }) => tierAtLeast(tier, access.tier));
  const [best] = able;
  // Routes take turns where several keys are equal.
  const alike = able.filter(({ tier }) => JSON.stringify(TIER_REACH[tier]) === JSON.stringify(TIER_REACH[best?.tier ?? tier]));
  const chosen = alike[turn % alike.length] ?? best;
  if (chosen) return chosen;
  if (access.auth === "optional") return keyless;
  throw new NotChecked(`no key of tier ${access.tier} or above was given`);
};

export interface FieldOptions
  extends Pick<
    World,
    "contract" | "catalog" | "freshForMs" | "pending" | "service" | "seed" | "runs" | "allowKeyRotation" | "isDisposable"
  > {
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  readonly clockAheadMs: number;
  readonly bearers: readonly Caller[];
}

export const fieldWorld = ({ bearers, clockAheadMs, ...options }: FieldOptions): World => {
  const rotated = new Map<Caller, Caller>();
  /** The caller with the key that its own rotations of this run led to, where one in grace is refused. */
  const newest = (caller: Caller, route: Route): Caller => {
    const next = isChanging(route) ? rotated.get(caller) : undefined;
    return next ? newest(next, route) : caller;
  };
  const nowMs = (atMs = Date.now()): number => atMs + clockAheadMs;
  const keyless = keylessOf(options.catalog);
  return {
    ...options,
    nowMs,
    kinds: CALLER_KINDS.filter((kind) => tierOf(kind) !== kind || bearers.some(({ tier }) => tier === kind)),
    doors: options.isDisposable ? ["REST", "tRPC"] : ["REST"],
    isLab: false,
    callerOf: async (kind, route, turn) => {
      if (kind === "no key") return keyless;
      if (kind === "bad key") return badKey(BAD_KEYS[turn % BAD_KEYS.length] ?? {});
      const bearer = bearers.find(({ tier }) => tier === kind);
      if (!bearer) throw new NotChecked(`no key of tier ${kind} was given`);
      return newest(bearer, route);
    },
    mainCaller: async (route, turn) => newest(widest(bearers, keyless, route, turn), route),
    sample: async (_, route) => sampleInput(route, nowMs()),
    onRotated: (caller, key) => {
      if (!rotated.has(caller)) rotated.set(caller, { ...caller, headers: { authorization: `Bearer ${key}` } });
    },
  };
};

/** What a service in its own process is tested with. */
export interface LabOptions
  extends Lab,
    Pick<World, "contract" | "catalog" | "nowMs" | "doors" | "runs">,
    Pick<ServiceOptions, "baseUrl" | "transport"> {}

const LAB_SEED = 20_261_120;
const WIDEST: TierName = "realtime_pro";
const USES = 5;

/** A key of each tier, replaced by one of another organisation when its minute's allowance is used up. */
const keyPool = (lab: Lab, catalog: TierCatalog) => {
  const held = new Map<TierName, { readonly caller: Promise<KeyHolder>; left: number }>();
  return (tier: TierName): Promise<KeyHolder> => {
    const known = held.get(tier);
    if (known && known.left > 0) {
      known.left -= 1;
      return known.caller;
    }
    const caller = lab.mint(tier);
    // A caller makes a few requests at a time: a batch is one of each of its calls.
    held.set(tier, { caller, left: Math.floor(catalog.tiers[tier].rate_limit_per_minute / USES) });
    return caller;
  };
};

export const labWorld = ({ contract, catalog, nowMs, doors, runs, baseUrl, transport, ...lab }: LabOptions): World => {
  const pooled = keyPool(lab, catalog);
  const bearer = (tier: TierName, route: Route): Promise<Caller> => (isChanging(route) ? lab.mint(tier) : pooled(tier));
  return {
    contract,
    catalog,
    nowMs,
    doors,
    runs,
    lab,
    service: new Service({ baseUrl, headers: () => lab.freshAddress(), ...(transport ? { transport } : {}) }),
    seed: LAB_SEED,
    kinds: CALLER_KINDS,
    isLab: true,
    isDisposable: true,
    allowKeyRotation: true,
    callerOf: async (kind, route) => {
      if (kind === "no key") return keylessOf(catalog);
      return kind === "bad key" ? badKey({ authorization: `Bearer ${lab.unknownKey()}` }) : bearer(kind, route);
    },
    mainCaller: async (route) => (route.access.auth === "none" ? keylessOf(catalog) : bearer(WIDEST, route)),
    sample: (name, route, caller) => lab.samples[name]?.(caller) ?? Promise.resolve(sampleInput(route, nowMs())),
    onRotated: () => {},
  };
};

/** The bearer of a key that a laboratory made. */
export const keyHolder = (tier: TierName, key: string, keyId: string): KeyHolder => ({ ...keyed(tier, key), key, keyId });
