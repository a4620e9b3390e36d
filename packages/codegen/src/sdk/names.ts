/** Converts wire names to SDK names. */

/**
 * The SDK's name of a wire field.
 * @param wireName for example `price_gram_24k`
 * @returns for example `priceGram24k`
 */
export const camelCase = (wireName: string): string =>
  wireName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * A type's name from words in snake case or camel case.
 * @param name for example `plan_gated` or `mintKey`
 * @returns for example `PlanGated` or `MintKey`
 */
export const pascalCase = (name: string): string => {
  const camel = camelCase(name);
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
};

/**
 * The constant's name for a type.
 * @param typeName for example `SpotRow`
 * @returns for example `spotRow`
 */
export const constantName = (typeName: string): string => `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}`;

/**
 * The name of a value list from the name of its values' type.
 * @param typeName for example `Currency`
 * @returns for example `CURRENCIES`
 */
export const listName = (typeName: string): string => {
  const upper = typeName.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return upper.endsWith("Y") ? `${upper.slice(0, -1)}IES` : `${upper}S`;
};

/**
 * The file name for a camel-case name.
 * @param name for example `publicHistory`
 * @returns for example `public-history`
 */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The class name for an error code.
 * @param code for example `plan_gated`
 * @returns for example `PlanGatedError`; `storage_error` becomes `StorageError`, without repeating "Error"
 */
export const errorClassName = (code: string): string => `${pascalCase(code.replace(/_error$/, ""))}Error`;

/** The base class of a status's codes. */
export const statusClassName = (status: number): string => `Http${status}Error`;

/** A property name in code, quoted where necessary. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
