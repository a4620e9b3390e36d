/** For a code, a call that gets it from any service: what its page shows, and a test sends. */
import { type ErrorCode, MAX_LIVE_KEYS } from "@assay/contract";

/** A call as curl makes it. */
export interface Call {
  readonly method?: "POST" | "DELETE";
  readonly path: string;
  /** The key it is made with: none, a good one, or one that never was. */
  readonly key?: "good" | "bad";
  /** The size of a body of blanks. */
  readonly bodyBytes?: number;
  /** How often it is made within a minute. */
  readonly times?: number;
}

const CALLS: Partial<Record<ErrorCode, Call>> = {
  invalid_symbol: { path: "/v1/spot/GOLDUSD" },
  bad_request: { path: "/v1/convert?from=XAU&to=EUR&amount=0" },
  unsupported_currency: { path: "/v1/convert?from=XAU&to=ABC" },
  unsupported_unit: { path: "/v1/convert?from=XAU&to=EUR&unit=stone" },
  range_too_deep: { path: "/v1/bars?symbol=XAU/USD&from=1996-01-01&to=1996-12-31" },
  unknown_pair: { path: "/v1/ratios/latest?pair=gold-iron", key: "good" },
  invalid_api_key: { path: "/v1/spot/gold", key: "bad" },
  unauthenticated: { path: "/v1/account/usage" },
  plan_gated: { path: "/v1/spot/silver" },
  not_found: { path: "/v1/nowhere" },
  key_not_found: { method: "DELETE", path: "/v1/account/keys/no-such-key", key: "good" },
  key_limit_reached: { method: "POST", path: "/v1/account/keys", key: "good", times: MAX_LIVE_KEYS },
  method_not_allowed: { method: "POST", path: "/v1/spot/gold" },
  payload_too_large: { method: "POST", path: "/v1/account/keys", key: "good", bodyBytes: 70_000 },
  validation_error: { path: "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=10001" },
  rate_limit_exceeded: { path: "/v1/spot/gold", times: 11 },
};

/** A call that gets a code; undefined where it takes an outage, or more than a minute. */
export const callProvoking = (code: ErrorCode): Call | undefined => CALLS[code];

const KEYS = { good: ' -H "Authorization: Bearer $KEY"', bad: ' -H "Authorization: Bearer no-such-key"' } as const;

/** The call as a shell takes it. */
export const curlOf = ({ method, path, key, bodyBytes, times }: Call, baseUrl: string): string => {
  const sender = bodyBytes === undefined ? "" : `head -c ${bodyBytes} /dev/zero | `;
  const body = bodyBytes === undefined ? "" : " --data-binary @-";
  const verb = method === undefined || bodyBytes !== undefined ? "" : ` -X ${method}`;
  const curl = `${sender}curl -i${verb}${key ? KEYS[key] : ""}${body} "${baseUrl}${path}"`;
  return times === undefined ? curl : `for call in $(seq ${times}); do ${curl}; done`;
};
