/** Writes operations.ts: each method's request and response, as a table for the core. */
import type { MethodModel, ParameterModel, SdkModel, Type } from "./model.ts";
import { camelCase, constantName, pascalCase, propertyName } from "./names.ts";
import { bracketed, docComment, fileText, importOf } from "./text.ts";
import { receiptOperationLines, withReceipts } from "./write-receipt.ts";
import { namesIn, shapeOf } from "./write-shapes.ts";
import { typeWriter } from "./write-type.ts";

/** The constant of a method's operation: `barsList`. */
export const operationName = ({ resource, action }: MethodModel): string => `${resource}${pascalCase(action)}`;

const kindOf = (type: Type): string => {
  if (type.kind === "nullable") return kindOf(type.of);
  return ["decimal", "instant", "day", "words"].includes(type.kind) ? type.kind : "text";
};

const parameterText = (parameter: ParameterModel): string =>
  `${propertyName(camelCase(parameter.wireName))}: { in: "${parameter.in}", name: "${parameter.wireName}", kind: "${kindOf(parameter.type)}" }`;

const pagingLines = ({ paging }: MethodModel): string[] => {
  if (!paging) return [];
  const [[key, value] = ["", ""]] = Object.entries(paging.step);
  return bracketed(
    "paging: ",
    ["{", "}"],
    [
      `items: "${paging.items}"`,
      `at: "${paging.at}"`,
      `step: { ${key}: "${value}" }`,
      ...(paging.closed === undefined ? [] : [`closed: "${paging.closed}"`]),
    ],
    ",",
    "  ",
  );
};

/** The same type as in `decoded`, with declared names resolved to wire types. */
export const wireTypeText = (type: Type | null): string => {
  if (type === null) return "void";
  if (type.kind === "named") return `Wire.${type.name}`;
  if (type.kind === "list") return `readonly ${wireTypeText(type.of)}[]`;
  throw new Error(`an answer of kind ${type.kind} has no name`);
};

/** The response type as the SDK returns it. */
export const resultTypeText = (type: Type | null): string => (type === null ? "void" : typeWriter("decoded", [])(type).text);

/** The declared types a response refers to. */
export const resultTypes = (type: Type | null): readonly string[] => (type === null ? [] : typeWriter("decoded", [])(type).types);

/** The return type of a list method. */
export const pagePromiseText = (page: Type | null, row: Type): string =>
  `PagePromise<${[page, row].flatMap((type) => [resultTypeText(type), wireTypeText(type)]).join(", ")}>`;

const operationLines = (method: MethodModel): string[] => {
  const parameters = method.parameters.map(parameterText);
  const first = `export const ${operationName(method)}: Operation<${resultTypeText(method.result)}, ${wireTypeText(method.result)}> = {`;
  return [
    ...docComment([`${method.method} ${method.path}`]),
    first,
    `  name: "${method.name}",`,
    `  method: "${method.method}",`,
    `  path: "${method.path}",`,
    ...(parameters.length === 0
      ? ["  parameters: {},"]
      : ["  parameters: {", ...parameters.map((parameter) => `    ${parameter},`), "  },"]),
    `  result: ${method.result === null ? "null" : shapeOf(method.result)},`,
    ...pagingLines(method),
    ...(method.status === 307 ? ["  redirects: true,"] : []),
    ...(method.isDeprecated
      ? [`  deprecated: { successor: ${method.successor === undefined ? "undefined" : `"${method.successor}"`} },`]
      : []),
    "};",
  ];
};

/** The file. */
export const operationsFile = ({ methods }: SdkModel): string => {
  const receipts = withReceipts(methods);
  return fileText(
    "Each method's request and answer, as a table for the core.",
    [
      ...importOf(["Operation"], "../core/operation.ts"),
      ...(receipts.length > 0 ? importOf(["receiptOf"], "../core/receipt-of.ts", false) : []),
      ...importOf(
        methods.flatMap(({ result }) => (result ? namesIn(result).map(constantName) : [])),
        "./shapes.ts",
        false,
      ),
      ...importOf(
        methods.flatMap(({ result }) => resultTypes(result)),
        "./types.ts",
      ),
      'import type * as Wire from "./wire.ts";',
    ],
    [...methods.map(operationLines), ...receipts.map((method) => receiptOperationLines(method, operationName(method)))],
  );
};
