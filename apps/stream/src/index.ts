/** The streams as other apps compose them. */
export { streamRole } from "./service.ts";
export { openStreams, type Streams, type StreamsOptions, streamOptions } from "./streams.ts";
