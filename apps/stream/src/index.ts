/** The streams as other apps compose them. */
export { runStream } from "./run.ts";
export { streamOptions } from "./stream-options.ts";
export { openStreams, type Streams, type StreamsOptions } from "./streams.ts";
