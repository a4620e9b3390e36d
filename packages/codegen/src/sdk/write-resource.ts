/** resources/<name>.ts: one resource as a class, with the parameters of its methods. */
import type { ErrorModel, MethodModel, ParameterModel, SdkModel } from "./model.ts";
import { camelCase, errorClassName, kebabCase, pascalCase } from "./names.ts";
import { translator } from "./prose.ts";
import { docComment, fileText, importOf, LINE_WIDTH, sentence } from "./text.ts";
import { needs, type ObjectWriting, propertyLines } from "./write-objects.ts";
import { operationName, resultTypes, resultTypeText, wireTypeText } from "./write-operations.ts";
import { typeWriter } from "./write-type.ts";

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

/** The tiers' names as prices are quoted: Realtime Pro. */
export const tierLabel = (tier: string): string =>
  tier
    .split("_")
    .map((word) => pascalCase(word))
    .join(" ");

const accessSentence = ({ auth, tier, isMetered }: MethodModel): string => {
  if (auth === "none") return "No key needed.";
  const key = auth === "required" ? "Needs a key" : "Takes a key, but needs none";
  const from = tier === "free" ? "" : ` of tier ${tierLabel(tier)} or higher`;
  return `${key}${from}. ${isMetered ? "Counts against the monthly quota" : "Does not count against the monthly quota"}.`;
};

const ORDER_LINES = [
  ...docComment(["`desc`, newest first, or `asc`, oldest first. Default `desc`."], "  "),
  '  readonly order?: "asc" | "desc" | undefined;',
];

const CLOSED_LINES = [
  ...docComment(["Leaves out rows that are not final yet. Default `false`."], "  "),
  "  readonly closedOnly?: boolean | undefined;",
];

/** A list's limit is that of one page, which its iterators pass by. */
const asListed = (parameter: ParameterModel, { paging }: MethodModel): ParameterModel =>
  paging && parameter.wireName === "limit" ? { ...parameter, description: "At most this many rows a page" } : parameter;

const paramsLines = (method: MethodModel, writing: ObjectWriting): string[] => [
  ...docComment([`What \`assay.${method.name}\` can be asked.`]),
  `export interface ${paramsName(method)} {`,
  ...named(method).flatMap((parameter) => propertyLines(asListed(parameter, method), writing)),
  ...(method.paging ? ORDER_LINES : []),
  ...(method.paging?.closed === undefined ? [] : CLOSED_LINES),
  "}",
];

const throwsLines = (method: MethodModel, errors: readonly ErrorModel[], translate: (text: string) => string): string[] => {
  const conditionOf = (code: string): string => errors.find((error) => error.code === code)?.condition ?? "";
  const shared = method.sharedCodes.map(errorClassName);
  return [
    ...method.ownCodes.map((code) => `@throws {${errorClassName(code)}} ${translate(conditionOf(code))}`),
    ...(shared.length === 0
      ? []
      : [`@throws {ApiError} Whatever follows from keys, limits and parameters: ${shared.join(", ")}.`]),
  ];
};

const resultSentence = (method: MethodModel, { declarations }: SdkModel): string => {
  const { result } = method;
  if (result === null) return "nothing";
  if (method.paging) return "one page when awaited; the rows of all pages when iterated";
  const described = sentence(
    resultTypes(result)
      .map((name) => declarations.get(name)?.description)
      .join(""),
  );
  return result.kind === "list" ? `a list. ${described}` : described;
};

const exampleText = ({ example }: ParameterModel): string =>
  example === undefined ? "" : `, for example \`${String(example)}\``;

const signature = (method: MethodModel, before: readonly string[]): string[] => {
  const result = resultTypeText(method.result);
  const wire = wireTypeText(method.result);
  const promise = method.paging
    ? `PagePromise<${result}, ${wire}, ${resultTypeText(method.paging.row)}, ${wireTypeText(method.paging.row)}>`
    : `ApiPromise<${result}, ${wire}>`;
  const line = `  ${camelCase(method.action)}(${before.join(", ")}): ${promise} {`;
  if (line.length <= LINE_WIDTH) return [line];
  return [`  ${camelCase(method.action)}(`, ...before.map((parameter) => `    ${parameter},`), `  ): ${promise} {`];
};

const methodLines = (method: MethodModel, model: SdkModel, writing: ObjectWriting): string[] => {
  const { translate } = writing;
  const first = positional(method);
  const names = first.map(({ wireName }) => camelCase(wireName));
  const hasParams = named(method).length > 0;
  const isOptional = named(method).every((parameter) => parameter.isOptional);
  const parameters = [
    ...first.map((parameter) => `${camelCase(parameter.wireName)}: ${writing.write(parameter.type).text}`),
    ...(hasParams ? [`params: ${paramsName(method)}${isOptional ? " = {}" : ""}`] : []),
    "options: RequestOptions = {}",
  ];
  const given = names.length === 0 ? "params" : `{ ${names.join(", ")}, ...params }`;
  const sent = hasParams ? given : names.length === 0 ? "{}" : `{ ${names.join(", ")} }`;
  const successor = method.successor === undefined ? "" : ` Use {@link ${linkTo(method.successor)}}.`;
  const comment = [
    sentence(method.summary),
    "",
    translate(method.description),
    "",
    `\`${method.method} ${method.path}\`. ${accessSentence(method)}`,
    ...first.map(
      (parameter) => `@param ${camelCase(parameter.wireName)} ${translate(parameter.description)}${exampleText(parameter)}`,
    ),
    ...(hasParams ? ["@param params what is asked for"] : []),
    "@param options settings of this call",
    `@returns ${translate(resultSentence(method, model))}`,
    ...throwsLines(method, model.errors, translate),
    ...(method.isDeprecated ? [`@deprecated${successor}`] : []),
  ];
  return [
    ...docComment(comment, "  "),
    ...signature(method, parameters),
    `    return this.#client.${method.paging ? "page" : "call"}(${operationName(method)}, ${sent}, options);`,
    "  }",
  ];
};

const linkTo = (method: string): string => {
  const [resource = "", action = ""] = method.split(".");
  return `${resourceClass(resource)}.${action}`;
};

/** What a resource is for, from the summaries of its methods. */
export const resourceSentence = (methods: readonly MethodModel[]): string =>
  sentence(
    methods
      .map(({ summary }, index) => (index === 0 ? summary : `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`))
      .join("; "),
  );

/** The file. */
export const resourceFile = (resource: string, model: SdkModel): string => {
  const methods = model.methods.filter((method) => method.resource === resource);
  const writing: ObjectWriting = { form: "given", write: typeWriter("given", model.values), translate: translator(model) };
  const { values, decimals } = needs(
    methods.flatMap(({ parameters }) => parameters),
    writing,
  );
  const promises = methods.map(({ paging }) => (paging ? "PagePromise" : "ApiPromise"));
  const types = methods.flatMap(({ result, paging }) => [...resultTypes(result), ...(paging ? resultTypes(paging.row) : [])]);
  const name = resourceClass(resource);
  const usesWire = methods.some(({ result }) => result !== null);
  return fileText(
    `\`assay.${resource}\`: ${resourceSentence(methods)}`,
    [
      ...(promises.includes("ApiPromise") ? importOf(["ApiPromise"], "../../core/api-promise.ts") : []),
      ...importOf(["Client"], "../../core/client.ts"),
      ...importOf(["RequestOptions"], "../../core/options.ts"),
      ...(promises.includes("PagePromise") ? importOf(["PagePromise"], "../../core/page-promise.ts") : []),
      ...importOf(decimals, "../../core/published-decimal.ts"),
      ...importOf(methods.map(operationName), "../operations.ts", false),
      ...importOf(types, "../types.ts"),
      ...importOf(values, "../values.ts"),
      ...(usesWire ? ['import type * as Wire from "../wire.ts";'] : []),
    ],
    [
      ...methods.filter((method) => named(method).length > 0).map((method) => paramsLines(method, writing)),
      [
        ...docComment([resourceSentence(methods)]),
        `export class ${name} {`,
        "  readonly #client: Client;",
        "",
        ...docComment(["Made by the client."], "  "),
        "  constructor(client: Client) {",
        "    this.#client = client;",
        "  }",
        ...methods.flatMap((method) => ["", ...methodLines(method, model, writing)]),
        "}",
      ],
    ],
  );
};
