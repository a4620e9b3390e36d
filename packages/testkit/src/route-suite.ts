/**
 * The automatic suite: every claim the contract test derives from a route's declaration, tried on a service in this process. Here
 * requests cost nothing and callers are made as needed, so that more is tried than of a deployment.
 */
import { type Contract, DEFAULT_CATALOG, type TierCatalog, type TierName } from "@assay/contract";
import {
  CALLER_KINDS,
  claimsOf,
  type Door,
  documentClaim,
  EVERY_ROUTE,
  keyHolder,
  keylessClaims,
  type Lab,
  labWorld,
  NOWHERE,
  namedRoutes,
  type Result,
  ROUTE_DOORS,
  type Scope,
  SERVICE,
  serviceClaims,
  settle,
  Trial,
  type World,
} from "@assay/contract-test";
import type { Transport } from "@assay/contract-test/requests";
import { machineRandom } from "@assay/ports";
import { generateKey } from "@assay/services";
import { describe, expect, test } from "vitest";

/** A running service and how to create callers of it. */
export interface SuiteHarness extends Pick<Lab, "revoke" | "retire" | "freshAddress"> {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The tiers and limits it runs with. */
  readonly catalog: TierCatalog;
  /** The service's clock, epoch milliseconds. */
  readonly now: () => number;
  /** Creates an organisation of a tier, with one key. */
  mint(tier: TierName): Promise<{ readonly key: string; readonly keyId: string }>;
  /** Parameters for routes whose schema examples do not make a successful request, by `resource.action`. */
  readonly samples?: Lab["samples"];
}

/** Valid requests generated of each kind and route; the schema fuzzer makes many more. */
const RUNS = 3;

/**
 * The service as a laboratory.
 * @param transport how it is reached, when not by HTTP alone
 */
export const worldOf = (
  contract: Contract,
  doors: readonly Door[],
  { now, samples = {}, mint, ...harness }: SuiteHarness,
  transport?: Transport,
): World =>
  labWorld({
    ...harness,
    ...(transport ? { transport } : {}),
    contract,
    doors,
    samples,
    runs: RUNS,
    nowMs: now,
    unknownKey: () => generateKey(machineRandom),
    mint: async (tier) => {
      const { key, keyId } = await mint(tier);
      return keyHolder(tier, key, keyId);
    },
  });

/** Expects that a claim was tried, and that every answer was as it says. */
const expectPassed = ({ failures, reason, status }: Result): void => {
  const faults = failures.map(({ what, contractSays, sent, cameBack }) => [what, contractSays, sent, cameBack].join("\n"));
  if (faults.length > 0) expect.fail(faults.join("\n\n"));
  expect(status, reason).toBe("passed");
};

/** Registers a test for each claim about a route, and one for the rules of all answers. */
const registerClaims = (
  { contract, kinds, doors }: Pick<Scope, "contract" | "kinds" | "doors">,
  family: typeof claimsOf,
  world: () => World,
): void => {
  const scope: Scope = { contract, doors, kinds, catalog: DEFAULT_CATALOG, nowMs: () => 0, isLab: true, isDisposable: true };
  describe.each(namedRoutes(contract).map((it) => [`${it.route.method} ${it.route.path}`, it] as const))("%s", (_, it) => {
    let trial: Trial | undefined;
    const trialOf = (): Trial => {
      trial ??= new Trial(it.name, it.route, world());
      return trial;
    };
    for (const claim of family(it.route, scope)) {
      test(`${claim.group}, ${claim.title}: ${claim.why}`, async () => expectPassed(await settle(trialOf(), claim)));
    }
    test("responses: every answer of these keeps the rules of all answers", () => {
      for (const result of trialOf().results()) expectPassed(result);
    });
  });
};

/** The service, made when the first test runs. */
const lazily = (contract: Contract, doors: readonly Door[], harness: () => SuiteHarness): (() => World) => {
  let made: World | undefined;
  return () => {
    made ??= worldOf({ ...EVERY_ROUTE, ...contract }, doors, harness());
    return made;
  };
};

/**
 * Registers the suite for every route of a contract. A route's own test file adds only its own cases.
 * @param harness returns the service under test; called when a test runs
 * @param doors the transports its routes are reached through
 */
export const routeSuite = (contract: Contract, harness: () => SuiteHarness, doors: readonly Door[] = ROUTE_DOORS): void => {
  const world = lazily(contract, doors, harness);
  registerClaims({ contract, doors, kinds: CALLER_KINDS }, claimsOf, world);
  describe("the service", () => {
    for (const claim of [documentClaim, ...serviceClaims]) {
      test(`${claim.group}, ${claim.title}: ${claim.why}`, async () =>
        expectPassed(await settle(new Trial(SERVICE, NOWHERE, world()), claim)));
    }
  });
};

/**
 * Registers the part of the suite that depends on the tier of callers without a key: whom a route accepts, and that such a caller is
 * answered as one with a key of that tier.
 */
export const keylessSuite = (contract: Contract, harness: () => SuiteHarness, doors: readonly Door[] = ROUTE_DOORS): void =>
  registerClaims({ contract, doors, kinds: ["no key", "bad key"] }, keylessClaims, lazily(contract, doors, harness));
