/** Writes mocks.ts: what mock handlers know about the routes. */
import type { MethodModel, ParameterModel, SdkModel } from "./model.ts";
import { camelCase, methodsOf, propertyName, queryName, resourcesOf } from "./names.ts";
import { bracketed, docComment, fileText, importOf, LINE_WIDTH } from "./text.ts";
import { wireTypeText } from "./write-operations.ts";

const codesOf = ({ ownCodes, sharedCodes }: MethodModel): string[] => [...new Set([...ownCodes, ...sharedCodes])];

const entryLines = (method: MethodModel): string[] => {
  const codes = codesOf(method).map((code) => JSON.stringify(code));
  const before = `  readonly "${method.name}":`;
  if (codes.length === 0) return [`${before} never;`];
  const line = `${before} ${codes.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return [line];
  return [before, ...codes.map((code, index) => `    | ${code}${index === codes.length - 1 ? ";" : ""}`)];
};

const codesLines = ({ methods }: SdkModel): string[] => [
  ...docComment(["Error codes by method: those of the route itself, then those that follow from keys, limits and parameters."]),
  "interface CodesOf {",
  ...methods.flatMap(entryLines),
  "}",
];

/** A primitive value as source code; text with double quotes is in single ones. */
const primitive = (value: unknown): string => {
  const text = JSON.stringify(value);
  return typeof value === "string" && /^[^'\\\n]*"[^'\\\n]*$/.test(value) ? `'${value}'` : text;
};

/** A JSON value as formatted source code. */
export const valueLines = (value: unknown, before: string, after: string, indent: string): string[] => {
  if (typeof value !== "object" || value === null) {
    const text = primitive(value);
    const line = `${indent}${before}${text}${after}`;
    const breaks = line.length > LINE_WIDTH && before.endsWith(": ");
    return breaks ? [`${indent}${before.trimEnd()}`, `${indent}  ${text}${after}`] : [line];
  }
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item: unknown) => ["", item] as const)
    : Object.entries(value).map(([name, item]) => [`${propertyName(name)}: `, item] as const);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return [`${indent}${before}${open}${close}${after}`];
  const isFlat = entries.every(([, item]) => typeof item !== "object" || item === null);
  const [first] = entries;
  if (isList && entries.length === 1 && first !== undefined) {
    const [line = "", ...rest] = valueLines(first[1], `${before}[`, `]${after}`, indent);
    if (rest.length === 0) return [line];
  }
  if (isFlat) {
    const [line, ...rest] = bracketed(
      before,
      isList ? ["[", "]"] : ["{", "}"],
      entries.map(([name, item]) => `${name}${primitive(item)}`),
      after,
      indent,
    );
    if (line !== undefined && rest.length === 0) return [line];
  }
  return [
    `${indent}${before}${open}`,
    ...entries.flatMap(([name, item]) => valueLines(item, name, ",", `${indent}  `)),
    `${indent}${close}${after}`,
  ];
};

const jsonKind = (parameter: ParameterModel): "text" | "number" | "boolean" =>
  parameter.type.kind === "number" || parameter.type.kind === "boolean" ? parameter.type.kind : "text";

const parameterText = (parameter: ParameterModel): string => {
  const absent = parameter.whenAbsent === undefined ? "" : `, whenAbsent: ${JSON.stringify(parameter.whenAbsent)}`;
  return `${propertyName(parameter.wireName)}: { in: "${parameter.in}", kind: "${jsonKind(parameter)}"${absent} }`;
};

const routeLines = (method: MethodModel): string[] => {
  const parameters = method.parameters.map(parameterText);
  return [
    "  {",
    `    resource: "${method.resource}",`,
    `    action: "${method.action}",`,
    `    method: "${method.method}",`,
    `    path: "${method.path}",`,
    `    status: ${method.status},`,
    `    cacheControl: ${JSON.stringify(method.cacheControl)},`,
    ...(method.hasReceipt ? ["    hasReceipt: true,"] : []),
    ...(parameters.length === 0
      ? ["    parameters: {},"]
      : ["    parameters: {", ...parameters.map((parameter) => `      ${parameter},`), "    },"]),
    ...(method.result === null ? ["    example: undefined,"] : valueLines(method.example, "example: ", ",", "    ")),
    "  },",
  ];
};

const mockLines = (method: MethodModel): string[] => {
  const params = method.parameters.length === 0 ? "NoParams" : `Wire.${queryName(method)}`;
  return [
    ...docComment([`\`${method.method} ${method.path}\``], "    "),
    `    readonly ${propertyName(camelCase(method.action))}?: Mock<${params}, ${wireTypeText(method.result)}, CodesOf["${method.name}"]>;`,
  ];
};

export const mocksFile = (model: SdkModel): string =>
  fileText(
    "The routes for mock handlers: their types, an example of each response, and every error.",
    [
      ...importOf(["Mock", "MockError", "MockRoute", "NoParams"], "../msw/mock-route.ts"),
      'import type * as Wire from "./wire.ts";',
    ],
    [
      codesLines(model),
      [
        ...docComment(["Mocks by route; a route without one returns an example."]),
        "export interface Mocks {",
        ...resourcesOf(model).flatMap((resource) => [
          `  readonly ${propertyName(camelCase(resource))}?: {`,
          ...methodsOf(resource, model).flatMap(mockLines),
          "  };",
        ]),
        "}",
      ],
      [
        ...docComment(["Every route."]),
        "export const mockRoutes: readonly MockRoute[] = [",
        ...model.methods.flatMap((method) => routeLines(method)),
        "];",
      ],
      [
        ...docComment(["Every error code: its status and its default message."]),
        "export const mockErrors: Readonly<Record<keyof Wire.ErrorBodies, MockError>> = {",
        ...model.errors.map(
          ({ code, status, message }) => `  ${code}: { status: ${status}, message: ${JSON.stringify(message)} },`,
        ),
        "};",
      ],
    ],
  );
