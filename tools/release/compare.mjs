/** Compares what was released with what is: walks both, and applies the rules wherever both have something. */
import { normal } from "./resolve.mjs";
import { REMOVED, RULES } from "./rules.mjs";

const rulesAt = (at) => RULES.filter((rule) => rule.at === at);
const SCHEMA_RULES = { request: rulesAt("request"), response: rulesAt("response") };

const below = (path, name) => (path === "" ? name : `${path}.${name}`);
const isSchema = (value) => typeof value === "object" && value !== null;

/** Pairs of schemas directly inside two schemas, with their paths. */
const pairsIn = (before, after, path) => [
  ...Object.entries(before.properties ?? {})
    .filter(([name]) => after.properties?.[name] !== undefined)
    .map(([name, schema]) => [schema, after.properties[name], below(path, name)]),
  ...["items", "additionalProperties", "propertyNames"]
    .filter((keyword) => isSchema(before[keyword]) && isSchema(after[keyword]))
    .map((keyword) => [before[keyword], after[keyword], keyword === "items" ? `${path}[]` : below(path, "*")]),
];

/** What breaks between two schemas. */
const schemaFaults = (direction, was, is, path) => {
  const [before, after] = [normal(was), normal(is)];
  // Of alternatives, each is compared as a whole.
  const isPlain = !before.anyOf && !after.anyOf;
  const fits = (inner, outer) => {
    const [old, current] = direction === "request" ? [inner, outer] : [outer, inner];
    return schemaFaults(direction, old, current, path).length === 0;
  };
  const rules = SCHEMA_RULES[direction].filter(({ ofUnions }) => isPlain || ofUnions);
  return [
    ...rules.flatMap(({ name, breaks }) => breaks(before, after, fits).map((detail) => ({ path, rule: name, detail }))),
    ...(isPlain ? pairsIn(before, after, path).flatMap(([old, current, at]) => schemaFaults(direction, old, current, at)) : []),
  ];
};

const operationFaults = (before, after) => [
  ...rulesAt("operation").flatMap(({ name, breaks }) =>
    breaks(before, after).map((detail) => ({ path: "", rule: name, detail })),
  ),
  ...[
    ["request", before.requests, after.requests],
    ["response", before.answers, after.answers],
  ].flatMap(([direction, were, are]) =>
    Object.keys(were)
      .filter((name) => are[name] !== undefined)
      .flatMap((name) => schemaFaults(direction, were[name], are[name], name)),
  ),
];

const said = (where, { path, rule, detail }) => `${[where, path].filter(Boolean).join(", ")}: ${rule}: ${detail}`;

/**
 * Compares two surfaces.
 * @param before operations or channels by name, of the release
 * @param after the current ones
 * @returns a line for each break: where, field, rule and what broke it
 */
export const breaksOf = (before, after) =>
  [...before].flatMap(([where, operation]) => {
    const current = after.get(where);
    return current ? operationFaults(operation, current).map((fault) => said(where, fault)) : [`${where}: ${REMOVED}`];
  });
