/** The Assay client: resources and types made from the contract, on a small core. */
export { ApiPromise, type WithResponse } from "./core/api-promise.ts";
export { Client } from "./core/client.ts";
export {
  ApiError,
  type ApiErrorDetails,
  AssayError,
  ConnectionError,
  DownloadError,
  type ErrorClass,
  type ErrorRegistry,
  Http5xxError,
  RequestAbortedError,
  RequestTimeoutError,
  UnreadableAnswerError,
} from "./core/errors.ts";
export type { Logger, LogLevel } from "./core/logger.ts";
export type { CacheOptions, ClientOptions, HeaderOptions, RequestOptions, WebSocketClass } from "./core/options.ts";
export { PagePromise } from "./core/page-promise.ts";
export { Decimal, PublishedDecimal } from "./core/published-decimal.ts";
export type { RateLimit, RateLimitWindow } from "./core/rate-limit.ts";
export { VERSION } from "./core/version.ts";
export * from "./generated/index.ts";
export type { DownloadProgress, SavedDownload, SaveOptions } from "./lib/save-download.ts";
