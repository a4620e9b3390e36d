/** Doc comments of resources and methods: access, answers, errors. */
import type { ErrorModel, MethodModel, ParameterModel, SdkModel } from "./model.ts";
import { camelCase, errorClassName, named, pascalCase, positional, resourceClass } from "./names.ts";
import { sentence } from "./text.ts";
import { receiptRequest, resultTypes } from "./write-operations.ts";

/** Tier names as on the price list: Realtime Pro. */
const tierLabel = (tier: string): string =>
  tier
    .split("_")
    .map((word) => pascalCase(word))
    .join(" ");

const accessSentence = ({ auth, tier, isMetered }: MethodModel): string => {
  if (auth === "none") return "No key needed.";
  const key = auth === "required" ? "Needs a key" : "The key is optional";
  const from = tier === "free" ? "" : ` of tier ${tierLabel(tier)} or higher`;
  return `${key}${from}. ${isMetered ? "Counts against the monthly quota" : "Does not count against the monthly quota"}.`;
};

const throwsLines = (method: MethodModel, errors: readonly ErrorModel[], translate: (text: string) => string): string[] => {
  const conditionOf = (code: string): string => errors.find((error) => error.code === code)?.condition ?? "";
  const shared = method.sharedCodes.map(errorClassName);
  return [
    ...method.ownCodes.map((code) => `@throws {${errorClassName(code)}} ${translate(conditionOf(code))}`),
    ...(shared.length === 0 ? [] : [`@throws {ApiError} Errors about keys, limits and parameters: ${shared.join(", ")}.`]),
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

const linkTo = (method: string): string => {
  const [resource = "", action = ""] = method.split(".");
  return `${resourceClass(resource)}.${action}`;
};

export const parameterParagraphs = (method: MethodModel, translate: (description: string) => string): string[] => [
  ...positional(method).map(
    (parameter) => `@param ${camelCase(parameter.wireName)} ${translate(parameter.description)}${exampleText(parameter)}`,
  ),
  ...(named(method).length > 0 ? ["@param params parameters of the request"] : []),
  "@param options settings of this call",
];

/**
 * The paragraphs of a method's comment.
 * @param translate rewrites descriptions with the SDK's names
 */
export const methodParagraphs = (method: MethodModel, model: SdkModel, translate: (description: string) => string): string[] => {
  const successor = method.successor === undefined ? "" : ` Use {@link ${linkTo(method.successor)}}.`;
  return [
    sentence(method.summary),
    "",
    translate(method.description),
    "",
    `\`${method.method} ${method.path}\`. ${accessSentence(method)}`,
    ...parameterParagraphs(method, translate),
    `@returns ${translate(resultSentence(method, model))}`,
    ...throwsLines(method, model.errors, translate),
    ...(method.isDeprecated ? [`@deprecated${successor}`] : []),
  ];
};

/** What a resource is for, from the summaries of its methods. */
export const resourceSentence = (methods: readonly MethodModel[]): string =>
  sentence(
    methods
      .map(({ summary }, index) => (index === 0 ? summary : `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`))
      .join("; "),
  );

/** The paragraphs of the comment of the method that returns a receipt. */
export const receiptParagraphs = (method: MethodModel, parameters: readonly string[]): string[] => {
  const answer = `{@link ${resourceClass(method.resource)}.${camelCase(method.action)}}`;
  return [
    `The response of ${answer} as a receipt: signed by the service, for an invoice or a dispute.`,
    "",
    "Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts` verifies it offline, and so does any JOSE library.",
    "",
    `\`${receiptRequest(method)}\`. Access, delay, limits and quota are those of ${answer}.`,
    ...parameters,
    "@returns the receipt: a compact JWS (RFC 7515), signed with EdDSA",
    `@throws {ApiError} What ${answer} throws.`,
    "@throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.",
  ];
};
