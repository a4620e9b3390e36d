/** Spans of requests and of the engine calls they make. OpenTelemetry's libraries are loaded only when traces are asked for. */
import type { CallWrapper } from "@assay/live";
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

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

export interface Tracing {
  /** @param path as the contract writes it */
  route(method: string, path: string): TraceRequest;
  /** Runs a call to an engine in a span of the request it belongs to. @param system `postgresql`, `pglite` or `redis` */
  engine(system: string): CallWrapper;
  /** Ids of the current span, for the log. */
  logFields(): Record<string, string>;
}

const isServerFault = (status: number): boolean => status >= 500;

const failed = (span: Span, error: unknown): void => {
  const type = error instanceof Error ? error.name : "unknown";
  span.setAttribute("error.type", type);
  // The message of an error may hold what callers sent.
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Runs work, and ends its span with it. */
const within = <T>(span: Span, work: () => T | Promise<T>, note: (value: T) => void): T | Promise<T> => {
  const done = (value: T): T => {
    note(value);
    span.end();
    return value;
  };
  const broken = (error: unknown): never => {
    failed(span, error);
    span.end();
    throw error;
  };
  try {
    const value = work();
    return value instanceof Promise ? value.then(done, broken) : done(value);
  } catch (error) {
    return broken(error);
  }
};

export const openTracing = (tracer: Tracer): Tracing => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());

  const route = (method: string, path: string): TraceRequest => {
    const known = { "http.request.method": method, "http.route": path };
    return ({ requestId, traceparent }, work) => {
      const parent = traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
      const attributes = { ...known, "http.request.header.x-request-id": [requestId] };
      const span = tracer.startSpan(`${method} ${path}`, { kind: SpanKind.SERVER, attributes }, parent);
      return context.with(trace.setSpan(parent, span), () =>
        within(span, work, ({ status }) => {
          span.setAttribute("http.response.status_code", status);
          if (!isServerFault(status)) return;
          span.setAttribute("error.type", String(status));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }),
      );
    };
  };

  const engine =
    (system: string): CallWrapper =>
    async (work) => {
      // Calls that belong to no request, such as of the writer's every second, are in the metrics only.
      if (!trace.getActiveSpan()) return work();
      const span = tracer.startSpan(system, { kind: SpanKind.CLIENT, attributes: { "db.system.name": system } });
      return within(span, work, () => undefined);
    };

  return {
    route,
    engine,
    logFields: () => {
      const current = trace.getActiveSpan()?.spanContext();
      return current ? { trace_id: current.traceId, span_id: current.spanId } : {};
    },
  };
};
