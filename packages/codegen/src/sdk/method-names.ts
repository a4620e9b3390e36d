/** Names of resources and methods, and the position of their parameters. */
import type { MethodModel, ParameterModel } from "./model.ts";
import { kebabCase, pascalCase } from "./names.ts";

/** The class name of a resource. */
export const resourceClass = (resource: string): string => `${pascalCase(resource)}Resource`;

/** The file of a resource, relative to the generated folder. */
export const resourcePath = (resource: string): string => `resources/${kebabCase(resource)}.ts`;

/** The type name of a method's parameters. */
export const paramsName = ({ resource, action }: MethodModel): string => `${pascalCase(resource)}${pascalCase(action)}Params`;

/** Positional parameters: those in the path. */
export const positional = ({ parameters }: MethodModel): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === "path");

/** Named parameters. */
export const named = ({ parameters }: MethodModel): ParameterModel[] => parameters.filter((parameter) => parameter.in !== "path");
