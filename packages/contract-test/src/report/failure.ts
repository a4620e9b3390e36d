/** Describes a failure, from an exchange. */
import { curlOf } from "../wire/curl.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Failure } from "./outcome.ts";

const SHOWN_CHARACTERS = 300;

/** Headers worth reporting. */
const TOLD = ["content-type", "location", "allow", "retry-after"];

const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;

/** An answer in one line: status, a few headers, the start of its body. */
export const answerOf = ({ status, headers, text }: Exchange): string => {
  const told = TOLD.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  return [`${status}`, ...told, shortened(text)].filter((part) => part !== "").join(" | ");
};

/**
 * Builds a failure.
 * @param contractSays what was expected, and why
 * @param exchange the request that showed it; omitted when there was none
 */
export const failureOf = (what: string, contractSays: string, exchange?: Exchange): Failure => ({
  what,
  contractSays,
  sent: exchange ? curlOf(exchange.sent) : "",
  cameBack: exchange ? answerOf(exchange) : "",
});
