/**
 * The results of a run: one per check, and for each failure the request as a curl command, the response and what the contract
 * says.
 */
import type { Exchange, Sent } from "../wire/exchange.ts";

/** The families of checks, in the order of the table's columns. */
export const GROUPS = [
  "examples",
  "valid input",
  "invalid input",
  "access",
  "responses",
  "HTTP",
  "invariants",
  "document",
] as const;
export type Group = (typeof GROUPS)[number];

export type Status = "passed" | "failed" | "not checked";

/** One difference between the service and the contract. */
export interface Failure {
  readonly what: string;
  /** A curl command without the key; empty when nothing was sent. */
  readonly sent: string;
  readonly cameBack: string;
  readonly contractSays: string;
}

export interface Result {
  readonly route: string;
  readonly group: Group;
  readonly title: string;
  readonly status: Status;
  /** Why it was not checked. */
  readonly reason?: string;
  readonly failures: readonly Failure[];
  readonly durationMs: number;
}

export interface Report {
  readonly baseUrl: string;
  readonly contractVersion: string;
  readonly seed: number;
  readonly callers: readonly string[];
  /** Why the service counts as gone from some point of the run; absent when it answered to the end. */
  readonly wentAway?: string;
  /** The allowances that were spent before the run began. */
  readonly spent?: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
  readonly results: readonly Result[];
}

export const countOf = (results: readonly Result[], status: Status): number =>
  results.filter((result) => result.status === status).length;

export const countsOf = (results: readonly Result[]) => ({
  passed: countOf(results, "passed"),
  failed: countOf(results, "failed"),
  notChecked: countOf(results, "not checked"),
});

const SHOWN_CHARACTERS = 300;

const REPORTED_HEADERS = ["content-type", "location", "allow", "retry-after"];

const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;

/** An answer in one line: status, a few headers, the start of its body. */
const answerOf = ({ status, headers, text }: Exchange): string => {
  const reported = REPORTED_HEADERS.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  return [`${status}`, ...reported, shortened(text)].filter((part) => part !== "").join(" | ");
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The placeholder for a caller's key: a variable the reader sets. */
const variableOf = (tier: string): string => `ASSAY_${tier.toUpperCase()}_KEY`;

/** Headers added by the run that do not affect the answer. */
const OWN = new Set(["x-request-id", "authorization", "x-api-key"]);

/** The curl command of a request, with the key taken from the environment. */
export const curlOf = ({ method, url, headers, body, caller }: Sent): string => {
  const parts = ["curl -sS -i"];
  if (method === "HEAD") parts.push("--head");
  else if (method !== "GET") parts.push(`-X ${method}`);
  parts.push("--path-as-is", quoted(url));
  if (caller.kind === "key") parts.push(`-H "Authorization: Bearer $${variableOf(caller.tier)}"`);
  // An invalid key is not a secret.
  const shown = caller.kind === "bad key" ? { ...headers, ...caller.headers } : headers;
  for (const [name, value] of Object.entries(shown)) {
    if (!OWN.has(name) || name in (caller.kind === "bad key" ? caller.headers : {}))
      parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(" ");
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

/** Failures of one kind are listed this many times, then only counted. */
const LISTED_PER_CHECK = 16;

/** The failures listed, plus the number of the rest. */
export const bounded = (failures: readonly Failure[]): Failure[] => {
  const more = failures.length - LISTED_PER_CHECK;
  if (more <= 0) return [...failures];
  return [
    ...failures.slice(0, LISTED_PER_CHECK),
    { what: `and ${more} more of this kind`, sent: "", cameBack: "", contractSays: "" },
  ];
};
