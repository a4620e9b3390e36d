/** Writes resources/<name>.ts: a class per resource, with its methods' parameters. */
import { methodParagraphs, parameterParagraphs, receiptParagraphs, resourceSentence } from "./describe-method.ts";
import type { MethodModel, ParameterModel, SdkModel } from "./model.ts";
import { camelCase, methodsOf, named, paramsName, positional, resourceClass } from "./names.ts";
import { docComment, fileText, importOf, LINE_WIDTH } from "./text.ts";
import { needs, type ObjectWriting, propertyLines, writingOf } from "./type-text.ts";
import {
  operationName,
  pagePromiseText,
  RECEIPT,
  RECEIPT_PROMISE,
  receiptOperation,
  resultTypes,
  resultTypeText,
  wireTypeText,
  withReceipts,
} from "./write-operations.ts";

const leadsToFile = (method: MethodModel): boolean => method.status === 307;

/** Imports the method needs from the hand-written part. */
const SAVE_IMPORT = 'import { type SavedDownload, type SaveOptions, saveDownload } from "../../core/download.ts";';

const saveLines = (method: MethodModel): string[] => {
  const link = camelCase(method.action);
  const linkDoc = `{@link ${resourceClass(method.resource)}.${link}}`;
  return [
    "",
    ...docComment(
      [
        "Saves the file behind such a link. It is streamed and its checksum is verified; the target is replaced only when the file is complete.",
        "",
        `The key is not sent with the download. An interrupted transfer resumes where it stopped. Calls ${linkDoc} once. Needs a runtime with files: Node.js, Deno or Bun.`,
        "@param params parameters of the link",
        "@param path where to save the file; an existing file is replaced once the download is complete",
        "@param options settings of the call for the link, and `onProgress`",
        "@returns path, bytes, checksum and row count",
        "@throws {DownloadError} The download failed; no partial file is left.",
        "@throws {ConnectionError} The storage cannot be reached.",
        `@throws {ApiError} What ${linkDoc} throws.`,
      ],
      "  ",
    ),
    `  save(params: ${paramsName(method)}, path: string, options: SaveOptions = {}): Promise<SavedDownload> {`,
    `    return saveDownload(this.#client, this.${link}(params, options), path, options);`,
    "  }",
  ];
};

const CLOSED_LINES = [
  ...docComment(["Leaves out rows that are not final yet. Default `false`."], "  "),
  "  readonly closedOnly?: boolean | undefined;",
];

/** A list's `limit` is per page; iterators fetch beyond it. */
const asListed = (parameter: ParameterModel, { paging }: MethodModel): ParameterModel =>
  paging && parameter.wireName === "limit" ? { ...parameter, description: "The maximum number of rows per page" } : parameter;

const paramsLines = (method: MethodModel, writing: ObjectWriting): string[] => [
  ...docComment([`Parameters of \`assay.${method.name}\`.`]),
  `export interface ${paramsName(method)} {`,
  ...named(method).flatMap((parameter) => propertyLines(asListed(parameter, method), writing)),
  ...(method.paging?.closed === undefined ? [] : CLOSED_LINES),
  "}",
];

const signature = (name: string, before: readonly string[], promise: string): string[] => {
  const line = `  ${name}(${before.join(", ")}): ${promise} {`;
  if (line.length <= LINE_WIDTH) return [line];
  return [`  ${name}(`, ...before.map((parameter) => `    ${parameter},`), `  ): ${promise} {`];
};

const promiseText = ({ result, paging }: MethodModel): string =>
  paging ? pagePromiseText(result, paging.row) : `ApiPromise<${resultTypeText(result)}, ${wireTypeText(result)}>`;

const LIST_IMPORTS = [
  ...importOf(["listPages"], "../../core/pages/list-pages.ts", false),
  ...importOf(["PagePromise"], "../../core/pages/page-promise.ts"),
];

/** What is written of a method besides its parameters. */
interface MethodText {
  readonly name: string;
  readonly paragraphs: readonly string[];
  readonly promise: string;
  /** The call, up to what is sent. */
  readonly call: string;
}

const methodLines = (method: MethodModel, { name, paragraphs, promise, call }: MethodText, writing: ObjectWriting): string[] => {
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
  return [
    "",
    ...docComment(paragraphs, "  "),
    ...signature(name, parameters, promise),
    `    return ${call}, ${sent}, options);`,
    "  }",
  ];
};

const answerText = (method: MethodModel, model: SdkModel, { translate }: ObjectWriting): MethodText => ({
  name: camelCase(method.action),
  paragraphs: methodParagraphs(method, model, translate),
  promise: promiseText(method),
  call: `${method.paging ? "listPages(this.#client, " : "this.#client.call("}${operationName(method)}`,
});

const receiptText = (method: MethodModel, { translate }: ObjectWriting): MethodText => ({
  name: RECEIPT,
  paragraphs: receiptParagraphs(method, parameterParagraphs(method, translate)),
  promise: RECEIPT_PROMISE,
  call: `this.#client.call(${receiptOperation(method)}`,
});

export const resourceFile = (resource: string, model: SdkModel): string => {
  const methods = methodsOf(resource, model);
  const writing = writingOf("given", model);
  const {
    values,
    decimals,
    types: inputs,
  } = needs(
    methods.flatMap(({ parameters }) => parameters),
    writing,
  );
  const receipts = withReceipts(methods);
  const promises = methods.map(({ paging }) => (paging ? "PagePromise" : "ApiPromise"));
  const types = methods.flatMap(({ result, paging }) => [...resultTypes(result), ...(paging ? resultTypes(paging.row) : [])]);
  const name = resourceClass(resource);
  const usesWire = methods.some(({ result }) => result !== null);
  return fileText(
    `\`assay.${resource}\`: ${resourceSentence(methods)}`,
    [
      ...(promises.includes("ApiPromise") ? importOf(["ApiPromise"], "../../core/api-promise.ts") : []),
      ...importOf(["Client"], "../../core/client.ts"),
      ...(methods.some(leadsToFile) ? [SAVE_IMPORT] : []),
      ...importOf(["RequestOptions"], "../../core/options.ts"),
      ...(promises.includes("PagePromise") ? LIST_IMPORTS : []),
      ...importOf(decimals, "../../core/published-decimal.ts"),
      ...importOf(inputs, "../inputs.ts"),
      ...importOf([...methods.map(operationName), ...receipts.map(receiptOperation)], "../operations.ts", false),
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
        ...docComment(["Created by the client."], "  "),
        "  constructor(client: Client) {",
        "    this.#client = client;",
        "  }",
        ...methods.flatMap((method) => methodLines(method, answerText(method, model, writing), writing)),
        ...receipts.flatMap((method) => methodLines(method, receiptText(method, writing), writing)),
        ...methods.filter(leadsToFile).flatMap(saveLines),
        "}",
      ],
    ],
  );
};
