/** Access by the tier table: every caller, every route, every gated input, and what a caller sees in a successful answer. */
import { type Format, type Route, TIER_REACH, type TierCatalog } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import { type GatedInput, gatedInputs, sampleGate } from "../inputs/gated-inputs.ts";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Scope } from "../world.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { doorsOf, sendThrough, takes } from "./doors.ts";
import { accessOf, type CallerKind, type Door, outcomeAt, tierOf } from "./outcomes.ts";

export const nameOf = (kind: CallerKind): string =>
  kind === "no key" ? "without a key" : kind === "bad key" ? "invalid key" : `tier ${kind}`;

const rowsOf = (exchange: Exchange): Readonly<Record<string, unknown>>[] => {
  const { symbols } = fieldsOf(exchange.json);
  return (Array.isArray(symbols) ? symbols : [exchange.json]).map(fieldsOf);
};

/** What is wrong with a caller's list of prices: rows of other tiers, or missing rows of its own. */
const listedFaults = (catalog: TierCatalog, caller: Caller, exchange: Exchange): string[] => {
  const { allowed_bases: bases, allowed_contracts: contracts } = catalog.tiers[caller.tier];
  const name = (metal: unknown, currency: unknown, contract: unknown) => `${metal}-${currency}-${contract}`;
  const wanted = PRICE_SYMBOLS.filter(({ metal, contractType }) => bases.includes(metal) && contracts.includes(contractType)).map(
    ({ metal, currency, contractType }) => name(metal, currency, contractType),
  );
  const listed = rowsOf(exchange).map((row) => name(row.symbol, row.quote_currency, row.contract_type));
  const extra = listed.filter((each) => !wanted.includes(each));
  const missing = wanted.filter((each) => !listed.includes(each));
  return [
    ...(extra.length > 0 ? [`lists ${extra.slice(0, 3).join(", ")}, which the tier does not include`] : []),
    ...(missing.length > 0 ? [`does not list ${missing.slice(0, 3).join(", ")}`] : []),
  ];
};

/** What is wrong with the groups of a row asked for with `include=all`. */
const groupFaults = (caller: Caller, exchange: Exchange): string[] =>
  rowsOf(exchange).flatMap((row) => {
    const faults: string[] = [];
    const hasStats = "divergence_flag" in row;
    if (hasStats !== (caller.kind === "key" || caller.tier !== "free"))
      faults.push(hasStats ? "stats are shown without a key" : "stats are missing");
    if (!Array.isArray(row.sources)) return [...faults, "sources are missing"];
    const informational = row.sources.some((source) => fieldsOf(source).informational === true);
    if (informational && !TIER_REACH[caller.tier].informationalSources)
      faults.push("informational sources are shown to a tier that does not include them");
    return faults;
  });

/** The transport of a door: formats are asked for over REST. */
const transportOf = (door: Door | Format): Door => (door === "HEAD" || door === "tRPC" || door === "tRPC batch" ? door : "REST");

const SEES = "callers see what their tier includes";

const gate = ({ access, success }: Route, { contract }: Scope, kind: CallerKind): Claim => ({
  group: "access",
  title: nameOf(kind),
  why: `the route takes keys: ${access.auth}, from tier ${access.tier}; called ${nameOf(kind)}`,
  as: kind,
  ...(success.status === 307 ? { needs: "archives" as const } : {}),
  check: async (it) => {
    const { route, world } = it;
    const owed = sampleGate(route.path, world.nowMs());
    for (const door of doorsOf(route, world)) {
      const outcome = outcomeAt(contract, route, transportOf(door), kind, world.catalog.keyless.tier);
      const expected = outcome !== "success" ? outcome : (owed?.(tierOf(kind, world.catalog.keyless.tier)) ?? it.plain);
      const caller = await it.trial.callerOf(kind);
      const exchange = await sendThrough(it, door, { caller, expected, priority: PRIORITY.gate });
      const isList = door === "REST" && route.path === "/v1/prices" && kind !== "bad key";
      if (isList && exchange?.status === route.success.status)
        it.faults(listedFaults(world.catalog, caller, exchange), exchange, SEES);
    }
  },
});

/** The input of a title: what it asks for depends on the day, and who may on the tiers. */
const gatedInput = ({ route, world }: Attempt, title: string): GatedInput => {
  const found = gatedInputs(route.path, world.catalog, world.nowMs()).find((each) => each.title === title);
  if (!found) throw new NotChecked(`${title} is not gated by these tiers`);
  return found;
};

const gatedClaim = (route: Route, kind: CallerKind, title: string): Claim => ({
  group: "access",
  title: `${title}, ${nameOf(kind)}`,
  why: `the tier table defines access to ${title} for ${tierOf(kind)}`,
  as: kind,
  check: async (it) => {
    const { input, expected, mayLack } = gatedInput(it, title);
    const { contract, catalog } = it.world;
    for (const door of doorsOf(route, it.world).filter((each) => takes(it, each, input))) {
      const outcome = outcomeAt(contract, route, transportOf(door), kind, catalog.keyless.tier);
      const wanted = outcome === "success" ? expected(tierOf(kind, catalog.keyless.tier)) : outcome;
      const request = { caller: await it.trial.callerOf(kind), input, priority: PRIORITY.gatedInput };
      const exchange = mayLack && wanted === "success" && !it.world.isLab ? await it.ask(request) : null;
      if (exchange?.status === 404) throw new NotChecked("the service has no price that old");
      if (exchange) it.expect(exchange, wanted);
      else await sendThrough(it, door, { ...request, expected: wanted });
    }
  },
});

const groups = (kind: CallerKind): Claim => ({
  group: "access",
  title: `include=all, ${nameOf(kind)}`,
  why: "unknown and closed groups are left out, not refused",
  as: kind,
  check: async (it) => {
    const caller = await it.trial.callerOf(kind);
    const input = { ...(await it.trial.sample(caller)), include: "all" };
    const exchange = await it.ask({ caller, input, priority: PRIORITY.gatedInput });
    if (it.expect(exchange, "success")) it.faults(groupFaults(caller, exchange), exchange, SEES);
  },
});

/** Who may call a route, with which inputs, and what they see. */
export const accessClaims: Family = (route, scope) => {
  const kinds = scope.kinds.filter((kind) => route.access.auth !== "none" || scope.isLab || tierOf(kind) !== kind);
  return kinds.flatMap((kind) => {
    const passes = kind !== "bad key" && accessOf(route, kind, scope.catalog.keyless.tier) === "success";
    const titles = gatedInputs(route.path, scope.catalog, scope.nowMs()).map(({ title }) => title);
    return [
      gate(route, scope, kind),
      ...(passes || scope.isLab ? titles.map((title) => gatedClaim(route, kind, title)) : []),
      ...(passes && route.path === "/v1/spot/{symbol}" ? [groups(kind)] : []),
    ];
  });
};

/** What a caller sees of an answer, apart from what names the request. */
const seen = ({ status, headers, json, text }: Exchange): string => {
  const { request_id: _, ...body } = Array.isArray(json) ? { json } : json === undefined ? { text } : fieldsOf(json);
  const kept = ["cache-control", "content-type", "deprecation", "link"].map((name) => headers.get(name));
  return JSON.stringify({ status, body, kept });
};

const asTier: Claim = {
  group: "access",
  title: "without a key, as a tier",
  why: "a caller without a key is answered what a key of the tier it has is, or asked for a key",
  check: async (it) => {
    const { catalog, lab, nowMs } = it.world;
    const { tier } = catalog.keyless;
    const nobody = await it.trial.callerOf("no key");
    const expected = accessOf(it.route, "no key", tier);
    if (expected !== "success") return void it.expect(await it.ask({ caller: nobody }), expected);
    const holder = await lab?.mint(tier);
    if (!holder) throw new NotChecked("no key can be made for it");
    const sample = await it.trial.sample(nobody);
    const whole = "include" in it.route.input.shape ? [{ ...sample, include: "all" }] : [];
    const gated = gatedInputs(it.route.path, catalog, nowMs()).map(({ input }) => input);
    for (const input of [sample, ...whole, ...gated]) {
      const [one, other] = [await it.ask({ caller: nobody, input }), await it.ask({ caller: holder, input })];
      if (seen(one) !== seen(other)) it.fault(`a key of ${tier} is answered ${other.text.slice(0, 200)}`, one);
    }
  },
};

/** What depends on the tier of callers without a key: whom a route admits, and that they are answered as that tier's keys are. */
export const keylessClaims: Family = (route, scope) => [...accessClaims(route, scope), asTier];
