/** The Assay client with streams: all of `@assay/sdk`, plus `assay.stream`. */
// biome-ignore-all assist/source/organizeImports: index.ts, which brings decimal.js, comes first, for the reason given there
export * from "../index.ts";
export {
  PHYSICAL_CHANNELS,
  type PhysicalChannel,
  SSE_SYMBOLS,
  type SseSymbol,
  STREAM_SYMBOLS,
  StreamAuthTimeoutError,
  StreamBadFrameError,
  type StreamQuote,
  type StreamSymbol,
  StreamTooManyConnectionsError,
  StreamTooManyFramesError,
} from "../generated/stream.ts";
export type { StreamResource } from "./assay.ts";
export { Assay } from "./assay.ts";
export { type RejectedName, type StreamCloseDetails, StreamClosedError, StreamLostError, StreamRejectedError } from "./errors.ts";
export type {
  ClosedEvent,
  ConnectingEvent,
  GapEvent,
  HeartbeatEvent,
  OpenEvent,
  PhysicalEvent,
  ReconnectingEvent,
  StatusEvent,
  StreamEvent,
  StreamName,
  TickEvent,
} from "./events.ts";
export type { ResumePoint, SseOptions, SubscribeOptions, WebSocketOptions } from "./options.ts";
export type { Subscription } from "./subscription.ts";
