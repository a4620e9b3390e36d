/** The streams as other apps compose them. */
export { streamOptions } from "./stream-options.ts";
export { openStreams, type Streams, type StreamsOptions } from "./streams.ts";
