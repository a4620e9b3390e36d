/** JSON Schema in the one form that rules compare: no references, and every alternative under `anyOf`, complete. */

const isObject = (value) => typeof value === "object" && value !== null;

/** What a document's reference points at. */
const at = (document, pointer) =>
  pointer
    .slice("#/".length)
    .split("/")
    .reduce((node, key) => node[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);

/**
 * Follows references; the contract has no recursive schemas.
 * @returns a function that copies a part of the document without references
 */
export const resolver = (document) => {
  const known = new Map();
  const pointedAt = (pointer) => {
    if (!known.has(pointer)) known.set(pointer, resolve(at(document, pointer)));
    return known.get(pointer);
  };
  const resolve = (node) => {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isObject(node)) return node;
    if (typeof node.$ref === "string") return pointedAt(node.$ref);
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  };
  return resolve;
};

const merge = (left, right) => ({
  ...left,
  ...right,
  ...(left.properties && right.properties ? { properties: { ...left.properties, ...right.properties } } : {}),
  ...(left.required && right.required ? { required: [...left.required, ...right.required] } : {}),
});

/**
 * A resolved schema in this form; what it contains is not looked at.
 * @returns the schema, where a null among alternatives is a type like others
 */
export const normal = (schema) => {
  const { allOf = [], anyOf, oneOf, ...own } = schema === true ? {} : schema;
  const whole = allOf.map(normal).reduce(merge, own);
  const alternatives = (anyOf ?? oneOf ?? whole.anyOf)?.map(normal);
  if (!alternatives) return whole;
  const rest = alternatives.filter(({ type }) => type !== "null");
  const isNullable = rest.length < alternatives.length;
  const complete = rest.map((one) => merge(whole, one));
  const [only] = complete;
  if (complete.length !== 1) {
    return { ...whole, anyOf: isNullable ? [...complete, { type: "null" }] : complete };
  }
  return isNullable && only.type !== undefined ? { ...only, type: [...[only.type].flat(), "null"] } : only;
};
