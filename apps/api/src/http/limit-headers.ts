/** The rate limit headers of an outcome, for doors that answer in a form of their own. */
export const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
  "X-Should-Retry",
] as const;
