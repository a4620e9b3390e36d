/** What resources and methods are called, and which of their parameters stand where. */
import type { MethodModel, ParameterModel } from "./model.ts";
import { kebabCase, pascalCase } from "./names.ts";

/** The class of a resource. */
export const resourceClass = (resource: string): string => `${pascalCase(resource)}Resource`;

/** The file of a resource, from the generated folder. */
export const resourcePath = (resource: string): string => `resources/${kebabCase(resource)}.ts`;

/** The type of a method's parameters. */
export const paramsName = ({ resource, action }: MethodModel): string => `${pascalCase(resource)}${pascalCase(action)}Params`;

/** Parameters that stand in front, as they are in the path. */
export const positional = ({ parameters }: MethodModel): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === "path");

/** Parameters by name. */
export const named = ({ parameters }: MethodModel): ParameterModel[] => parameters.filter((parameter) => parameter.in !== "path");
