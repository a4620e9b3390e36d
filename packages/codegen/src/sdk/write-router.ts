/** Writes router.ts: the type of the service's tRPC router. */
import type { MethodModel, SdkModel } from "./model.ts";
import { methodsOf, propertyName, queryName, resourcesOf } from "./names.ts";
import { docComment, fileText, importOf, LINE_WIDTH } from "./text.ts";
import { wireTypeText } from "./write-operations.ts";

const ALIASES = [
  ...docComment(["A route that reads."]),
  "type Query<Input, Output> = TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;",
  "",
  ...docComment(["A route that takes a body, or changes something."]),
  "type Mutation<Input, Output> = TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>;",
];

const WIRE_ERROR = [
  ...docComment(["A refusal as REST would return it; `error` discriminates between the members."]),
  "export type WireError = Wire.ErrorBodies[keyof Wire.ErrorBodies];",
];

const ERROR_SHAPE = [
  ...docComment(["What a tRPC client reads of a failed call."]),
  "export interface ErrorShape {",
  "  readonly code: number;",
  "  readonly message: string;",
  "  readonly data: {",
  ...docComment(["tRPC's own word for the status."], "    "),
  "    readonly code: string;",
  "    readonly httpStatus: number;",
  "    readonly path?: string;",
  ...docComment(["Absent on unexpected errors."], "    "),
  "    readonly wire?: WireError;",
  "  };",
  "}",
];

/** The argument is optional where no parameter is required. */
const inputText = (method: MethodModel): string => {
  if (method.parameters.length === 0) return "Record<string, never> | void";
  const query = `Wire.${queryName(method)}`;
  return method.parameters.every(({ isOptional }) => isOptional) ? `${query} | void` : query;
};

/** What a redirect and a response without a body become over tRPC. */
const outputText = (method: MethodModel): string => (method.result === null ? "undefined" : wireTypeText(method.result));

const procedureLines = (method: MethodModel): string[] => {
  const kind = method.method === "GET" ? "Query" : "Mutation";
  const [input, output] = [inputText(method), outputText(method)];
  const line = `    readonly ${propertyName(method.action)}: ${kind}<${input}, ${output}>;`;
  const declaration =
    line.length <= LINE_WIDTH
      ? [line]
      : [`    readonly ${propertyName(method.action)}: ${kind}<`, `      ${input},`, `      ${output}`, "    >;"];
  return [...docComment([method.summary], "    "), ...declaration];
};

export const routerFile = (model: SdkModel): string =>
  fileText(
    "The type of the service's tRPC router, free of the service's own packages.",
    [
      ...importOf(["TRPCBuiltRouter", "TRPCMutationProcedure", "TRPCQueryProcedure"], "@trpc/server"),
      'import type * as Wire from "./wire.ts";',
    ],
    [
      ALIASES,
      WIRE_ERROR,
      ERROR_SHAPE,
      [
        ...docComment(["Every route, by resource and action."]),
        "export interface Procedures {",
        ...resourcesOf(model).flatMap((resource) => [
          `  readonly ${propertyName(resource)}: {`,
          ...methodsOf(resource, model).flatMap(procedureLines),
          "  };",
        ]),
        "}",
      ],
      [
        ...docComment(["The router, for `createTRPCClient<AppRouter>()`."]),
        "export type AppRouter = TRPCBuiltRouter<",
        "  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },",
        "  { [Resource in keyof Procedures]: Procedures[Resource] }",
        ">;",
      ],
    ],
  );
