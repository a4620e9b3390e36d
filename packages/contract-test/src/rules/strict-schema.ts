/** Makes schemas strict, so that an answer with an undeclared key fails. */
import { z } from "zod";

type Definition = {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
};

/** The parts of a schema's definition this walk reads; zod keeps them under `def`. */
const definitionOf = (schema: z.ZodType): Definition => schema.def as Definition;

/**
 * Makes every object of a schema refuse keys it does not declare.
 * @param schema an output of the contract: plain data, no transforms
 * @returns a new schema; the given one is unchanged
 */
export const strictly = (schema: z.ZodType): z.ZodType => {
  const { type, shape, element, innerType, options, keyType, valueType } = definitionOf(schema);
  if (type === "object" && shape) {
    return z.strictObject(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strictly(field)])));
  }
  if (type === "array" && element) return z.array(strictly(element));
  if (type === "nullable" && innerType) return strictly(innerType).nullable();
  if (type === "optional" && innerType) return strictly(innerType).optional();
  if (type === "union" && options) return z.union(options.map(strictly));
  if (type === "record" && keyType && valueType) return z.record(keyType as z.ZodType<string>, strictly(valueType)); // JSON keys
  return schema;
};

/** Building a schema costs far more than using it; each is made strict once. */
const made = new WeakMap<z.ZodType, z.ZodType>();

const strictOf = (schema: z.ZodType): z.ZodType => {
  const known = made.get(schema);
  if (known) return known;
  const strict = strictly(schema);
  made.set(schema, strict);
  return strict;
};

/**
 * Checks data against a schema made strict.
 * @returns every error in words; empty when the data is valid
 */
export const faultsOf = (schema: z.ZodType, data: unknown): string[] => {
  const parsed = strictOf(schema).safeParse(data);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".") || "(whole)"}: ${issue.message}`);
};
