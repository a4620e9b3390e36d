/** api.md: every resource and method with its route and types. */
import { resourceSentence } from "./describe-method.ts";
import type { MethodModel, SdkModel } from "./model.ts";
import {
  camelCase,
  errorClassName,
  listName,
  methodsOf,
  named,
  paramsName,
  positional,
  resourcePath,
  resourcesOf,
  statusClassName,
} from "./names.ts";
import {
  inputTypes,
  pagePromiseText,
  RECEIPT,
  receiptRequest,
  resultTypes,
  resultTypeText,
  withReceipts,
} from "./write-operations.ts";

const FOLDER = "src/generated";

/** Parameters the SDK adds to the route's. */
const walking = ({ paging }: MethodModel): string[] => (paging?.closed === undefined ? [] : ["closedOnly"]);

const callOf = (method: MethodModel, name = method.name): string => {
  const first = positional(method).map(({ wireName }) => camelCase(wireName));
  const names = [...named(method).map(({ wireName }) => camelCase(wireName)), ...walking(method)];
  return `assay.${name}(${[...first, ...(names.length === 0 ? [] : [`{ ${names.join(", ")} }`])].join(", ")})`;
};

const answerOf = ({ result, paging }: MethodModel): string => {
  const text = paging ? pagePromiseText(result, paging.row) : resultTypeText(result);
  return `\`${text}\``;
};

const methodLine = (method: MethodModel): string =>
  [
    `- \`${method.method} ${method.path}\`: \`${callOf(method)}\` → ${answerOf(method)}`,
    method.isDeprecated ? `  Deprecated${method.successor === undefined ? "" : `; use \`assay.${method.successor}\``}.` : "",
  ]
    .filter((line) => line !== "")
    .join("\n");

const receiptLine = (method: MethodModel): string =>
  `- \`${receiptRequest(method)}\`: \`${callOf(method, `${method.resource}.${RECEIPT}`)}\` → \`string\`, a [receipt](../../docs/guides/receipts.md)`;

const resourceLines = (resource: string, model: SdkModel): string[] => {
  const own = methodsOf(resource, model);
  const types = [
    ...new Set(own.flatMap(({ result, paging }) => [...resultTypes(result), ...(paging ? resultTypes(paging.row) : [])])),
  ];
  const inputs = [...new Set(own.flatMap(({ parameters }) => parameters.flatMap(({ type }) => inputTypes(type))))];
  const params = own.filter((method) => named(method).length > 0).map(paramsName);
  const link = (name: string, file: string): string => `[\`${name}\`](${FOLDER}/${file})`;
  return [
    `## assay.${resource}`,
    "",
    resourceSentence(own),
    "",
    ...own.map(methodLine),
    ...withReceipts(own).map(receiptLine),
    "",
    `Types: ${[...types.map((name) => link(name, "types.ts")), ...inputs.map((name) => link(name, "inputs.ts")), ...params.map((name) => link(name, resourcePath(resource)))].join(", ")}`,
    "",
  ];
};

const valueLines = ({ values }: SdkModel): string[] => [
  "## Values",
  "",
  "Lists at run time, and the type of their members. Defined in [`values.ts`](src/generated/values.ts); those of streams in [`stream.ts`](src/generated/stream.ts).",
  "",
  "| list | type | meaning |",
  "|---|---|---|",
  ...values.map(({ name, description }) => `| \`${listName(name)}\` | \`${name}\` | ${description} |`),
  "",
];

const errorLines = ({ errors }: SdkModel): string[] => {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((left, right) => left - right);
  return [
    "## Errors",
    "",
    "`AssayError` is the base class of all errors, `ApiError` of those the service returns, and `Http5xxError` of those with a status of 500 or above. Defined in [`errors.ts`](src/generated/errors.ts).",
    "",
    "| status | class | code | when |",
    "|---|---|---|---|",
    ...statuses.flatMap((status) => [
      `| ${status} | \`${statusClassName(status)}\` | | any response with this status |`,
      ...errors
        .filter((error) => error.status === status)
        .map(({ code, condition }) => `| ${status} | \`${errorClassName(code)}\` | \`${code}\` | ${condition} |`),
    ]),
    "",
  ];
};

export const apiPage = (model: SdkModel): string =>
  [
    "<!-- Made by `npm run gen` from packages/contract. -->",
    "# The API of `@assay/sdk`",
    "",
    `Version ${model.version} of the interface. Every method takes \`options\` as its last argument: \`signal\`, \`timeoutMs\`, \`maxRetries\`, \`headers\`, \`idempotencyKey\`, \`maxAgeMs\`.`,
    "Every method returns a promise; `.withResponse()` adds the response headers, `.raw()` returns the data as on the wire, and `.asResponse()` returns the response with an unread body.",
    "`assay.withOptions(options)` returns another client that differs only in those options.",
    "",
    ...resourcesOf(model).flatMap((resource) => resourceLines(resource, model)),
    ...valueLines(model),
    ...errorLines(model),
  ].join("\n");
