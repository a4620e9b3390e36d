/** The streams as other apps compose them. */
export { openStreams, type Streams, type StreamsOptions } from "./streams.ts";
