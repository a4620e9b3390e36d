/** An OpenTelemetry collector's door, as far as a test needs it: takes OTLP over HTTP in JSON and keeps what it was sent. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const anyValue = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.string(), z.number()]).optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string().optional() })) }).optional(),
});
const attributes = z.array(z.object({ key: z.string(), value: anyValue }));
const resource = z.object({ attributes });
const point = z.object({
  attributes,
  asDouble: z.number().optional(),
  count: z.union([z.string(), z.number()]).optional(),
  explicitBounds: z.array(z.number()).optional(),
  bucketCounts: z.array(z.union([z.string(), z.number()])).optional(),
});
const points = z.object({ dataPoints: z.array(point) });

/** The bodies of OTLP 1, as its JSON encoding has them. */
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource,
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});
const metrics = z.object({
  resourceMetrics: z.array(
    z.object({
      resource,
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              unit: z.string(),
              gauge: points.optional(),
              sum: points.optional(),
              histogram: points.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export const named = (of: z.infer<typeof attributes>): Record<string, string> =>
  Object.fromEntries(
    of.map(({ key, value }) => [
      key,
      String(value.stringValue ?? value.intValue ?? value.arrayValue?.values.map(({ stringValue }) => stringValue).join()),
    ]),
  );

type Span = z.infer<typeof traces>["resourceSpans"][number]["scopeSpans"][number]["spans"][number];
type OtlpMetric = z.infer<typeof metrics>["resourceMetrics"][number]["scopeMetrics"][number]["metrics"][number];

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly Span[];
  /** Of the newest export. */
  metrics(): readonly OtlpMetric[];
  readonly resources: readonly Record<string, string>[];
  close(): Promise<void>;
}

export const openOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: Span[] = [];
  const resources: Record<string, string>[] = [];
  let newest: readonly OtlpMetric[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk); // without an encoding it yields buffers
    const bytes = Buffer.concat(chunks);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    try {
      if (request.url === "/v1/traces") {
        for (const each of traces.parse(JSON.parse(text)).resourceSpans) {
          resources.push(named(each.resource.attributes));
          spans.push(...each.scopeSpans.flatMap((scope) => scope.spans));
        }
      } else if (request.url === "/v1/metrics") {
        const { resourceMetrics } = metrics.parse(JSON.parse(text));
        resources.push(...resourceMetrics.map((each) => named(each.resource.attributes)));
        newest = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics: () => newest,
    resources,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
