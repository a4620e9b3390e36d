/** Names of the SDK: of fields, types and errors; of resources, their methods and parameters. */
import type { MethodModel, ParameterModel, SdkModel } from "./model.ts";

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
  if (upper.endsWith("Y")) return `${upper.slice(0, -1)}IES`;
  return upper.endsWith("S") ? `${upper}ES` : `${upper}S`;
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

export const resourceClass = (resource: string): string => `${pascalCase(resource)}Resource`;

/** The file of a resource, relative to the generated folder. */
export const resourcePath = (resource: string): string => `resources/${kebabCase(resource)}.ts`;

export const paramsName = ({ resource, action }: MethodModel): string => `${pascalCase(resource)}${pascalCase(action)}Params`;

/** Positional parameters: those in the path. */
export const positional = ({ parameters }: MethodModel): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === "path");

export const named = ({ parameters }: MethodModel): ParameterModel[] => parameters.filter((parameter) => parameter.in !== "path");

/** The type name of a method's parameters on the wire. */
export const queryName = ({ resource, action }: MethodModel): string => `${pascalCase(resource)}${pascalCase(action)}Query`;

export const bodyName = (code: string): string => errorClassName(code).replace(/Error$/, "Body");

/** Resource names, in contract order. */
export const resourcesOf = ({ methods }: SdkModel): string[] => [...new Set(methods.map(({ resource }) => resource))];

/** The methods of a resource. */
export const methodsOf = (resource: string, { methods }: SdkModel): MethodModel[] =>
  methods.filter((method) => method.resource === resource);
