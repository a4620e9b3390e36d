/**
 * What breaks callers of the last release: requests may only widen, responses only gain. Each rule compares what was with what is
 * and lists what broke, in words; `tools/release/rules.test.mjs` has a pair that breaks each rule and one that does not.
 */
import { catalogue } from "@assay/catalogue";

/** A rule about a list that every operation and channel has: what callers rely on must stay on it. */
const kept = (name, list) => ({
  name,
  at: "operation",
  breaks: (before, after) => (before[list] ?? []).filter((one) => !(after[list] ?? []).includes(one)),
});

/** The same of a list by status, `200 text/csv`; a status that is gone is another rule's. */
const keptByStatus = (name, list) => {
  const { at, breaks } = kept(name, list);
  const isLeft = (one, { statuses }) => statuses.includes(one.split(" ")[0]);
  return { name, at, breaks: (before, after) => breaks(before, after).filter((one) => isLeft(one, after)) };
};

/**
 * A rule and its mirror image. A request must still take everything it took, a response may still send only what it could.
 * @param excess what the first schema allows and the second does not, in words
 */
const mirrored = (request, response, excess, more = {}) => [
  { name: request, at: "request", breaks: (before, after, fits) => excess(before, after, fits, after), ...more },
  { name: response, at: "response", breaks: (before, after, fits) => excess(after, before, fits, after), ...more },
];

const typesOf = ({ type }) => (type === undefined ? null : [type].flat());
const excessTypes = (inner, outer) => {
  const [some, all] = [typesOf(inner), typesOf(outer)];
  if (all === null) return [];
  if (some === null) return ["any type"];
  return some.filter((type) => !all.includes(type) && !(type === "integer" && all.includes("number")));
};

/** All values a schema allows; null when others are possible. */
const allValues = (schema) => ("const" in schema ? [schema.const] : (schema.enum ?? schema["x-closed-enum"] ?? null));
const excessValues = (inner, outer) => {
  const [some, all] = [allValues(inner), allValues(outer)];
  if (all === null) return [];
  return some === null ? ["any value"] : some.filter((value) => !all.includes(value)).map(String);
};

const { metals, funds, currencies, units } = catalogue.rows;
const CATALOGUE_WORDS = new Set(
  [...metals, ...funds, ...currencies, ...units]
    .flatMap(({ code, name, aliases = [], futures }) => [code, name, ...aliases, futures?.product ?? code])
    .concat("spot", "futures")
    .map((word) => word.toUpperCase()),
);
/** A metal, a currency, a unit, or a name made of them: these may join any list (docs/reference/compatibility.md). */
const isOfCatalogue = (value) =>
  value
    .toUpperCase()
    .split(/[-/]/)
    .every((word) => CATALOGUE_WORDS.has(word));

/** Values a schema names as understood, others aside. */
const namedValues = (schema) => allValues(schema) ?? schema["x-extensible-enum"] ?? schema["x-words"] ?? null;
const lostNames = (before, after) => {
  const left = namedValues(after);
  return left === null || allValues(before) ? [] : (namedValues(before) ?? []).filter((value) => !left.includes(value));
};

const UPPER = ["maxLength", "maximum", "exclusiveMaximum", "maxItems"];
const LOWER = ["minLength", "minimum", "exclusiveMinimum", "minItems"];
/** What zod writes for every integer is no bound. */
const boundOf = (schema, keyword) => (Math.abs(schema[keyword]) === Number.MAX_SAFE_INTEGER ? undefined : schema[keyword]);
const excessBounds = (inner, outer) =>
  [...UPPER, ...LOWER].flatMap((keyword) => {
    const [within, limit] = [boundOf(inner, keyword), boundOf(outer, keyword)];
    if (limit === undefined) return [];
    const exceeds = within === undefined || (UPPER.includes(keyword) ? within > limit : within < limit);
    return exceeds ? [`${keyword} ${within ?? "none"} beside ${limit}`] : [];
  });

/** Patterns cannot be compared but for being the same. */
const otherForm = (inner, outer) =>
  ["pattern", "format"]
    .filter((keyword) => outer[keyword] !== undefined && inner[keyword] !== outer[keyword])
    .map((keyword) => `${keyword} ${inner[keyword] ?? "none"} beside ${outer[keyword]}`);

const propertiesOf = (schema) => Object.keys(schema.properties ?? {});
const unassured = (inner, outer, _fits, after) =>
  (outer.required ?? []).filter((name) => !(inner.required ?? []).includes(name) && name in (after.properties ?? {}));

/** The schemas a schema is any one of, each of its type; usually itself alone. */
const alternativesOf = ({ anyOf, ...schema }) =>
  anyOf?.map((one) => ("type" in schema ? { type: schema.type, ...one } : one)) ?? [schema];
const inWords = (schema) => [schema.const, schema.format, schema.type].find((word) => word !== undefined) ?? "any";
const excessAlternatives = (inner, outer, fits) => {
  if (!inner.anyOf && !outer.anyOf) return [];
  return alternativesOf(inner)
    .filter((one) => !alternativesOf(outer).some((other) => fits(one, other)))
    .map((one) => String(inWords(one)));
};

/** Limits of a stream that callers notice when they grow; the others when they shrink. */
const GROWING = new Set(["frames_window_seconds", "heartbeat_seconds", "ping_seconds"]);

/** The rule for operations and channels that are gone. */
export const REMOVED = "removed";

/** The rules; of schemas with alternatives, only those marked `ofUnions` apply to the whole. */
export const RULES = [
  kept("operation renamed", "ids"),
  kept("way to authenticate removed", "callers"),
  kept("tier refused", "tiers"),
  kept("newly metered", "unmetered"),
  kept("status removed", "statuses"),
  kept("error code removed", "errors"),
  keptByStatus("content type removed", "contents"),
  keptByStatus("response header removed", "headers"),
  kept("request kind removed", "takes"),
  kept("frame removed", "frames"),
  kept("close code removed", "closes"),
  kept("stream name removed", "names"),
  {
    name: "stream limit tightened",
    at: "operation",
    breaks: ({ limits: before = {} }, { limits: after = {} }) =>
      Object.keys(before)
        .filter((name) => !(GROWING.has(name) ? after[name] <= before[name] : after[name] >= before[name]))
        .map((name) => `${name} ${before[name]} to ${after[name] ?? "none"}`),
  },
  ...["request", "response"].map((at) => ({
    name: `${at} field removed`,
    at,
    breaks: (before, after) => propertiesOf(before).filter((name) => !propertiesOf(after).includes(name)),
  })),
  ...mirrored("request field required", "response field may be missing", unassured),
  ...mirrored("request type narrowed", "response type changed", excessTypes),
  { name: "request value removed", at: "request", breaks: excessValues },
  {
    name: "closed response enum grew",
    at: "response",
    breaks: (before, after) => excessValues(after, before).filter((value) => !isOfCatalogue(value)),
  },
  ...mirrored("request bound narrowed", "response bound widened", excessBounds),
  ...mirrored("request form changed", "response form changed", otherForm),
  ...mirrored("request alternative removed", "response alternative added", excessAlternatives, { ofUnions: true }),
  { name: "known request value removed", at: "request", breaks: lostNames },
  {
    name: "request default changed",
    at: "request",
    ofUnions: true,
    breaks: (before, after) =>
      before.default === undefined || JSON.stringify(before.default) === JSON.stringify(after.default)
        ? []
        : [`${JSON.stringify(before.default)} to ${JSON.stringify(after.default) ?? "none"}`],
  },
  {
    name: "request closed to other fields",
    at: "request",
    breaks: (before, after) =>
      before.additionalProperties !== false && after.additionalProperties === false ? ["other fields"] : [],
  },
];
