/** A failure in words, from an exchange. */
import { curlOf } from "../wire/curl.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Failure } from "./outcome.ts";

const SHOWN_CHARACTERS = 300;

/** Headers worth telling of. */
const TOLD = ["content-type", "location", "allow", "retry-after"];

const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;

/** An answer in a line: status, a few headers, the beginning of its body. */
export const answerOf = ({ status, headers, text }: Exchange): string => {
  const told = TOLD.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  return [`${status}`, ...told, shortened(text)].filter((part) => part !== "").join(" | ");
};

/**
 * Puts a failure together.
 * @param contractSays what was expected, and why
 * @param exchange the request that showed it; left out where none did
 */
export const failureOf = (what: string, contractSays: string, exchange?: Exchange): Failure => ({
  what,
  contractSays,
  sent: exchange ? curlOf(exchange.sent) : "",
  cameBack: exchange ? answerOf(exchange) : "",
});
