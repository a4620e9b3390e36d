/** For each code, a request that triggers it on any running service: shown on its page and sent by a test. */
import type { ErrorCode } from "@assay/contract";

/** A request, as curl would send it. */
export interface Call {
  readonly method?: "POST" | "DELETE";
  readonly path: string;
  /** The key it is sent with: none, a valid one, or one that never existed. */
  readonly key?: "good" | "bad";
  /** Size of a body of spaces. */
  readonly bodyBytes?: number;
  /** How many times it is sent within a minute. */
  readonly times?: number;
}

const CALLS: Partial<Record<ErrorCode, Call>> = {
  invalid_symbol: { path: "/v1/spot/GOLDUSD" },
  bad_request: { path: "/v1/convert?from=XAU&to=EUR&amount=0" },
  unsupported_currency: { path: "/v1/convert?from=XAU&to=ABC" },
  unsupported_unit: { path: "/v1/convert?from=XAU&to=EUR&unit=stone" },
  range_too_deep: { path: "/v1/bars?symbol=XAU/USD&from=1996-01-01&to=1996-12-31" },
  unknown_past: { path: "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&known_at=1996-01-01" },
  unknown_pair: { path: "/v1/ratios/latest?pair=gold-iron", key: "good" },
  invalid_api_key: { path: "/v1/spot/gold", key: "bad" },
  unauthenticated: { path: "/v1/account/usage" },
  plan_gated: { path: "/v1/spot/silver" },
  not_found: { path: "/v1/nowhere" },
  key_not_found: { method: "DELETE", path: "/v1/account/keys/no-such-key", key: "good" },
  key_in_grace: { method: "POST", path: "/v1/account/keys", key: "good", times: 2 },
  method_not_allowed: { method: "POST", path: "/v1/spot/gold" },
  payload_too_large: { method: "POST", path: "/v1/account/keys", key: "good", bodyBytes: 70_000 },
  validation_error: { path: "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=10001" },
  rate_limit_exceeded: { path: "/v1/spot/gold", times: 11 },
};

/** A request that triggers the code; undefined where that takes an outage, more than a minute or more than one key. */
export const callProvoking = (code: ErrorCode): Call | undefined => CALLS[code];

const KEYS = { good: ' -H "Authorization: Bearer $KEY"', bad: ' -H "Authorization: Bearer no-such-key"' } as const;

/** The request as a shell command. */
export const curlOf = ({ method, path, key, bodyBytes, times }: Call, baseUrl: string): string => {
  const sender = bodyBytes === undefined ? "" : `head -c ${bodyBytes} /dev/zero | `;
  const body = bodyBytes === undefined ? "" : " --data-binary @-";
  const verb = method === undefined || bodyBytes !== undefined ? "" : ` -X ${method}`;
  const curl = `${sender}curl -i${verb}${key ? KEYS[key] : ""}${body} "${baseUrl}${path}"`;
  return times === undefined ? curl : `for call in $(seq ${times}); do ${curl}; done`;
};
