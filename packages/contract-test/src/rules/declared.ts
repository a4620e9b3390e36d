/** Status and code: the route's success, or one of the codes it declares under that code's own status. */
import { ERRORS, type ErrorCode, errorCodesOf } from "@assay/contract";
import { codeOf } from "../wire/exchange.ts";
import { isOwnMethod, isSuccess, type Rule, type Subject } from "./rule.ts";

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const faultOf = (subject: Subject): string | null => {
  const { route, exchange } = subject;
  const { status } = exchange;
  if (isSuccess(subject) || (status === 304 && "if-none-match" in exchange.sent.headers)) return null;
  const declared = isOwnMethod(subject) ? errorCodesOf(route) : (["method_not_allowed"] satisfies ErrorCode[]);
  if (exchange.sent.method === "HEAD") {
    return declared.some((code) => ERRORS[code].status === status) ? null : `status ${status} is not declared`;
  }
  const code = codeOf(exchange);
  if (code === undefined) return `status ${status} without an error code`;
  if (!isKnown(code)) return `the code ${code} does not exist`;
  if (ERRORS[code].status !== status) return `${code} has status ${status} instead of ${ERRORS[code].status}`;
  return (declared as readonly string[]).includes(code) ? null : `the route does not declare ${code}`; // compared as text
};

/** The rule. */
export const declared: Rule = {
  title: "status and code",
  says: "a response is the route's success or one of its declared codes, with the status of that code",
  judge: (subject) => {
    const fault = faultOf(subject);
    return fault === null ? [] : [fault];
  },
};

/** An unexpected error is plain text without details. */
export const plainFault: Rule = {
  title: "500 in plain text",
  says: "an unexpected error is status 500 with the plain text Internal Server Error",
  judge: ({ exchange, route }) => {
    if (exchange.status !== 500) return null;
    const code = codeOf(exchange);
    if (code !== undefined && (errorCodesOf(route) as readonly string[]).includes(code)) return []; // compared as text
    const kind = exchange.headers.get("content-type") ?? "none";
    const faults = kind.startsWith("text/plain") ? [] : [`a 500 has the content type ${kind}`];
    return exchange.text.trim() === "Internal Server Error" ? faults : [...faults, "a 500 says more than Internal Server Error"];
  },
};
