/** A request as a curl command, with the key taken from the environment. */
import type { Sent } from "./exchange.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The placeholder for a caller's key: a variable the reader sets. */
const variableOf = (tier: string): string => `ASSAY_${tier.toUpperCase()}_KEY`;

/** Headers added by the run that do not affect the answer. */
const OWN = new Set(["x-request-id", "authorization", "x-api-key"]);

/** The curl command of a request. */
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
