/**
 * The proof of what only the route suite claims: between it and a real service something is broken on purpose, and exactly the
 * claims meant find it. What the contract test claims of any deployment is proven by the broken service of the end-to-end tests.
 */
import { type Contract, contract } from "@assay/contract";
import { claimsOf, namedRoutes, ROUTE_DOORS, settle, Trial } from "@assay/contract-test";
import { codeOf, type Exchange, type Sent, send } from "@assay/contract-test/requests";
import { machineRandom } from "@assay/ports";
import { generateKey } from "@assay/services";
import { type SuiteHarness, worldOf } from "@assay/testkit/suite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SuiteApp, startSuiteApp } from "./testing/suite-app.ts";

interface Tools {
  /** Every key that was made so far. */
  readonly keys: ReadonlySet<string>;
  /** Headers of a caller nobody else uses. */
  spare(): Promise<Readonly<Record<string, string | undefined>>>;
  freshAddress(): Readonly<Record<string, string>>;
}

interface BrokenWay {
  readonly what: string;
  readonly route: string;
  readonly foundBy: readonly string[];
  readonly transport: (sent: Sent, tools: Tools) => Promise<Exchange>;
}

/** Changes headers of a request; an undefined one is removed. */
const asking = (sent: Sent, headers: Readonly<Record<string, string | undefined>>): Sent => {
  const all = Object.entries({ ...sent.headers, ...headers }).filter(([, value]) => value !== undefined);
  return { ...sent, headers: Object.fromEntries(all) as Record<string, string> }; // undefined ones were removed
};

/** An answer to a changed request, as if to the one that was made. */
const sendAs = async (changed: Sent, sent: Sent): Promise<Exchange> => ({ ...(await send(changed)), sent });

const withHeader = (exchange: Exchange, name: string, value: string): Exchange => {
  const headers = new Headers(exchange.headers);
  headers.set(name, value);
  return { ...exchange, headers };
};

const credentialsOf = ({ headers }: Sent, scheme: string): string =>
  headers.authorization?.startsWith(`${scheme} `) ? headers.authorization.slice(scheme.length + 1) : "";
const KEY_LENGTH = generateKey(machineRandom).length;
const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** A caller taken for another is counted as another. */
const COUNTED = "responses: limit headers";

const WAYS: readonly BrokenWay[] = [
  {
    what: "the word Bearer in one case only",
    route: "account.usage",
    foundBy: ["access: forms of a key", COUNTED],
    transport: (sent) =>
      sendAs(sent.headers.authorization?.startsWith("bearer ") ? asking(sent, { authorization: undefined }) : sent, sent),
  },
  {
    what: "a key cut to its length",
    route: "account.usage",
    foundBy: ["access: bad keys", COUNTED],
    transport: (sent) => {
      const key = credentialsOf(sent, "Bearer");
      return sendAs(key.length > 400 ? asking(sent, { authorization: `Bearer ${key.slice(0, KEY_LENGTH)}` }) : sent, sent);
    },
  },
  {
    what: "a key taken from Basic",
    route: "account.usage",
    foundBy: ["access: other schemes", COUNTED],
    transport: (sent, { keys }) => {
      const name = Buffer.from(credentialsOf(sent, "Basic"), "base64").toString("utf8").replace(/:$/, "");
      return sendAs(keys.has(name) ? asking(sent, { authorization: `Bearer ${name}` }) : sent, sent);
    },
  },
  {
    what: "keys that stay valid when revoked",
    route: "account.usage",
    foundBy: ["access: a revoked key", COUNTED],
    transport: async (sent, { keys, spare }) => {
      const exchange = await send(sent);
      const isRevoked = exchange.status === 401 && keys.has(credentialsOf(sent, "Bearer")) && !("x-api-key" in sent.headers);
      return isRevoked ? sendAs(asking(sent, await spare()), sent) : exchange;
    },
  },
  {
    what: "a key in grace that rotates again",
    route: "account.mintKey",
    foundBy: ["access: a key in grace", "access: limits with a key", "invariants: a retry rotates once", COUNTED],
    transport: async (sent, { spare }) => {
      const exchange = await send(sent);
      return codeOf(exchange) === "key_in_grace" ? sendAs(asking(sent, await spare()), sent) : exchange;
    },
  },
  {
    what: "requests counted by no address",
    route: "carat.get",
    foundBy: ["access: limits without a key"],
    transport: (sent, { freshAddress }) => sendAs(asking(sent, freshAddress()), sent),
  },
  {
    what: "a light limit counted by no address",
    route: "system.status",
    foundBy: ["access: limits of an address"],
    transport: (sent, { freshAddress }) => sendAs(asking(sent, freshAddress()), sent),
  },
  {
    what: "refusals that count",
    route: "carat.get",
    foundBy: ["access: metering"],
    transport: async (sent) => {
      const exchange = await send(sent);
      if (exchange.status === 422) await send({ ...sent, url: sent.url.replace(/\?.*/, "") });
      return exchange;
    },
  },
  {
    what: "a format that costs nothing",
    route: "tiers.list",
    foundBy: ["access: limits of csv"],
    transport: (sent, { freshAddress }) => sendAs(sent.url.includes("format=csv") ? asking(sent, freshAddress()) : sent, sent),
  },
  {
    what: "one validator for all formats",
    route: "publicHistory.xau",
    foundBy: ["HTTP: conditional requests"],
    transport: async (sent) => {
      const exchange = await send(sent);
      return sent.url.includes("format=") ? withHeader(exchange, "etag", '"one"') : exchange;
    },
  },
  {
    what: "an Accept header that nobody reads",
    route: "publicHistory.xau",
    foundBy: ["HTTP: Accept: text/csv", "responses: body", "responses: content type"],
    transport: (sent) => sendAs(asking(sent, { accept: undefined }), sent),
  },
  {
    what: "JSON for a format that does not exist",
    route: "convert.get",
    foundBy: ["HTTP: other formats"],
    transport: (sent) => sendAs({ ...sent, url: sent.url.replace("format=xml", "format=json") }, sent),
  },
  {
    what: "one id for all requests without any",
    route: "convert.get",
    foundBy: ["HTTP: request ids"],
    transport: async (sent) => {
      const exchange = await send(sent);
      const isGiven = WELL_FORMED.test(sent.headers["x-request-id"] ?? "");
      return isGiven ? exchange : withHeader(exchange, "x-request-id", "the-same-for-every-request");
    },
  },
  {
    what: "a list taken for a body",
    route: "account.mintKey",
    foundBy: ["HTTP: bodies"],
    transport: (sent) => sendAs(sent.body === "[]" ? { ...sent, body: "{}" } : sent, sent),
  },
  {
    what: "errors without their words over tRPC",
    route: "account.usage",
    foundBy: ["access: without a key", "access: invalid key"],
    transport: async (sent) => {
      const exchange = await send(sent);
      if (!sent.url.includes("/trpc/")) return exchange;
      return { ...exchange, json: JSON.parse(exchange.text.replaceAll('"wire":', '"words":')) as unknown };
    },
  },
];

/** Generated inputs are those of any deployment, and proven there. */
const GENERATED = new Set(["examples", "valid input", "invalid input"]);

const findings = async (tree: Contract, { route: name, transport }: BrokenWay, harness: SuiteHarness): Promise<string[]> => {
  const keys = new Set<string>();
  const mint: SuiteHarness["mint"] = async (tier) => {
    const made = await harness.mint(tier);
    keys.add(made.key);
    return made;
  };
  const spare = async () => ({ authorization: `Bearer ${(await harness.mint("free")).key}`, "x-api-key": undefined });
  const tools: Tools = { keys, spare, freshAddress: () => harness.freshAddress() };
  const world = worldOf(tree, ROUTE_DOORS, { ...harness, mint }, (sent) => transport(sent, tools));
  const route = namedRoutes(tree).find((each) => each.name === name)?.route;
  if (!route) throw new Error(`there is no route ${name}`);
  const trial = new Trial(name, route, world);
  const results = [];
  for (const claim of claimsOf(route, world)) if (!GENERATED.has(claim.group)) results.push(await settle(trial, claim));
  const failed = [...results, ...trial.results()].filter(({ status }) => status === "failed");
  return failed.map(({ group, title }) => `${group}: ${title}`);
};

let suite: SuiteApp;
beforeAll(async () => {
  suite = await startSuiteApp();
});
afterAll(() => suite.close());

describe("what the suite finds in a service that is broken on purpose", () => {
  test.each(WAYS.map((way) => [way.what, way] as const))("%s, by exactly the claim meant", async (_, way) => {
    expect(await findings(contract, way, suite.harness)).toEqual(way.foundBy);
  });
});
