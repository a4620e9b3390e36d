/** mocks.ts: what mock handlers know of the routes. */
import { exampleOf } from "./example.ts";
import type { MethodModel, ParameterModel, SdkModel } from "./model.ts";
import { camelCase, propertyName } from "./names.ts";
import { bracketed, docComment, fileText, importOf } from "./text.ts";
import { resourcesOf } from "./write-assay.ts";
import { wireTypeText } from "./write-operations.ts";
import { queryName } from "./write-wire.ts";

/** A JSON value as code, as the formatter would leave it. */
export const valueLines = (value: unknown, before: string, after: string, indent: string): string[] => {
  if (typeof value !== "object" || value === null) return [`${indent}${before}${JSON.stringify(value)}${after}`];
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
      entries.map(([name, item]) => `${name}${JSON.stringify(item)}`),
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

/** Examples of a method's answers, by name; none for methods nobody wrote any for. */
export type Examples = (resource: string, action: string) => Readonly<Record<string, { readonly value: unknown }>>;

/** A walk over mocked pages has to end: the last page of the examples is taken. */
const isLast = (value: unknown): boolean =>
  !(typeof value === "object" && value !== null && "next_cursor" in value && value.next_cursor);

const answerOf = (method: MethodModel, { declarations }: SdkModel, examples: Examples): unknown => {
  if (method.result === null) return undefined;
  const written = Object.values(examples(method.resource, method.action)).find(({ value }) => isLast(value));
  return written ? written.value : exampleOf(method.result, declarations);
};

const routeLines = (method: MethodModel, model: SdkModel, examples: Examples): string[] => {
  const parameters = method.parameters.map(parameterText);
  return [
    "  {",
    `    resource: "${method.resource}",`,
    `    action: "${method.action}",`,
    `    method: "${method.method}",`,
    `    path: "${method.path}",`,
    `    status: ${method.status},`,
    `    cacheControl: ${JSON.stringify(method.cacheControl)},`,
    ...(parameters.length === 0
      ? ["    parameters: {},"]
      : ["    parameters: {", ...parameters.map((parameter) => `      ${parameter},`), "    },"]),
    ...(method.result === null
      ? ["    example: undefined,"]
      : valueLines(answerOf(method, model, examples), "example: ", ",", "    ")),
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

/** The file. */
export const mocksFile = (model: SdkModel, examples: Examples): string =>
  fileText(
    "What mock handlers know of the routes: their types, an example of each answer, and every error.",
    [
      ...importOf(["Mock", "MockError", "MockRoute", "NoParams"], "../msw/mock-route.ts"),
      ...importOf(["CodesOf"], "./codes.ts"),
      'import type * as Wire from "./wire.ts";',
    ],
    [
      [
        ...docComment(["A mock for any route; those left out answer an example."]),
        "export interface Mocks {",
        ...resourcesOf(model).flatMap((resource) => [
          `  readonly ${propertyName(camelCase(resource))}?: {`,
          ...model.methods.filter((method) => method.resource === resource).flatMap(mockLines),
          "  };",
        ]),
        "}",
      ],
      [
        ...docComment(["Every route."]),
        "export const mockRoutes: readonly MockRoute[] = [",
        ...model.methods.flatMap((method) => routeLines(method, model, examples)),
        "];",
      ],
      [
        ...docComment(["Every error code: its status, and its message where a mock gives none."]),
        "export const mockErrors: Readonly<Record<keyof Wire.ErrorBodies, MockError>> = {",
        ...model.errors.map(
          ({ code, status, message }) => `  ${code}: { status: ${status}, message: ${JSON.stringify(message)} },`,
        ),
        "};",
      ],
    ],
  );
