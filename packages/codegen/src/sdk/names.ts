/** Names: from those of the wire to those of the SDK. */

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
 * A constant's name from a type's.
 * @param typeName for example `SpotRow`
 * @returns for example `spotRow`
 */
export const constantName = (typeName: string): string => `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}`;

/**
 * The name of a list from the type's of its values.
 * @param typeName for example `Currency`
 * @returns for example `CURRENCIES`
 */
export const listName = (typeName: string): string => {
  const upper = typeName.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return upper.endsWith("Y") ? `${upper.slice(0, -1)}IES` : `${upper}S`;
};

/**
 * A file's name from a camel-case one.
 * @param name for example `publicHistory`
 * @returns for example `public-history`
 */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The class of a wire code.
 * @param code for example `plan_gated`
 * @returns for example `PlanGatedError`; `storage_error` is `StorageError`, not an error twice
 */
export const errorClassName = (code: string): string => `${pascalCase(code.replace(/_error$/, ""))}Error`;

/** The class above all codes of a status. */
export const statusClassName = (status: number): string => `Http${status}Error`;

/** A property name as it stands in code: quoted where it has to be. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
