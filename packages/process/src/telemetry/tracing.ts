/** Traces, as the rest of the process sees them. OpenTelemetry's libraries are behind it, and loaded only when asked for. */
import type { Around } from "@assay/live";

/** What a trace needs to know of a request. */
export interface TracedCall {
  readonly requestId: string;
  /** The W3C header of that name. */
  readonly traceparent?: string | undefined;
}

/** Runs the work of a request in a span. */
export type TraceRequest = <T extends { readonly status: number }>(
  call: TracedCall,
  work: () => T | Promise<T>,
) => T | Promise<T>;

/** The traces of a process. */
export interface Tracing {
  /** @param path as the contract writes it */
  route(method: string, path: string): TraceRequest;
  /** Runs a call to an engine in a span of the request it belongs to. @param system `postgresql`, `pglite` or `redis` */
  engine(system: string): Around;
  /** Ids of the current span, for the log. */
  logFields(): Record<string, string>;
}
