/** A request as a line to paste into a shell, with the key left to the environment. */
import type { Sent } from "./exchange.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What stands for a caller's key: a variable the reader sets. */
const variableOf = (tier: string): string => `ASSAY_${tier.toUpperCase()}_KEY`;

/** Headers of the run's own, which change nothing of the answer. */
const OWN = new Set(["x-request-id", "authorization", "x-api-key"]);

/** The curl line of a request. */
export const curlOf = ({ method, url, headers, body, caller }: Sent): string => {
  const parts = ["curl -sS -i"];
  if (method === "HEAD") parts.push("--head");
  else if (method !== "GET") parts.push(`-X ${method}`);
  parts.push("--path-as-is", quoted(url));
  if (caller.kind === "key") parts.push(`-H "Authorization: Bearer $${variableOf(caller.tier)}"`);
  // A key that is no good is nobody's secret.
  const shown = caller.kind === "bad key" ? { ...headers, ...caller.headers } : headers;
  for (const [name, value] of Object.entries(shown)) {
    if (!OWN.has(name) || name in (caller.kind === "bad key" ? caller.headers : {}))
      parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(" ");
};
