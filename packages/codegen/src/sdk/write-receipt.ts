/** Writes the method that asks for a route's answer as a receipt, where the route has them. */
import { resourceClass } from "./method-names.ts";
import type { MethodModel } from "./model.ts";
import { camelCase } from "./names.ts";
import { docComment } from "./text.ts";

/** The method's name. */
export const RECEIPT = "receipt";

/** Its return type. */
export const RECEIPT_PROMISE = "ApiPromise<string>";

/** The constant of its operation: `spotReceipt`. */
export const receiptOperation = ({ resource }: MethodModel): string => `${resource}Receipt`;

/** What it requests. */
export const receiptRequest = ({ method, path }: MethodModel): string => `${method} ${path}?format=jws`;

/**
 * Those of a resource's methods that have receipts.
 * @throws Error when there are several: their receipts would have one name
 */
export const withReceipts = (methods: readonly MethodModel[]): MethodModel[] => {
  const found = methods.filter(({ hasReceipt }) => hasReceipt);
  if (new Set(found.map(({ resource }) => resource)).size < found.length)
    throw new Error(`${found.map(({ name }) => name).join(" and ")} both have receipts`);
  return found;
};

/** Its operation. */
export const receiptOperationLines = (method: MethodModel, operation: string): string[] => [
  ...docComment([receiptRequest(method)]),
  `export const ${receiptOperation(method)} = receiptOf(${operation});`,
];

/** Its comment. */
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
