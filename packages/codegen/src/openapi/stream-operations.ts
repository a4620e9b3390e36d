/** The streaming routes, which are not in the contract: same errors as other routes, answers as server-sent events. */
import { accessNote, operationId, type Route, streams, type TierName } from "@assay/contract";
import { errorResponses } from "./errors.ts";
import { successHeaders } from "./headers.ts";
import { parametersOf, queryOf } from "./parameters.ts";
import type { Json, Operation } from "./types.ts";

/** The first lines of a stream, as sent. */
const EXAMPLE = `retry: 3000

id: XAU-USD-SPOT:1841
data: {"type":"tick","symbol":"XAU-USD-SPOT","price":"4003.20","conf":"0.20","computed_at":"2026-11-20T14:03:27Z","seq":1841,"snapshot":true}

id: XAU-USD-SPOT:1842
data: {"type":"tick","symbol":"XAU-USD-SPOT","price":"4003.25","conf":"0.20","computed_at":"2026-11-20T14:03:28Z","seq":1842}

: heartbeat

event: heartbeat
data: {"type":"heartbeat","ts":"2026-11-20T14:03:42Z","seq":{"XAU-USD-SPOT":1842},"market":"open"}

`;

const operationOf = (route: Route, publicUrl: string, keyless: TierName): Operation & { summary: string; tags: string[] } => ({
  tags: [route.tag],
  summary: route.summary,
  description: `${route.description}\n\nThe events are described by the [AsyncAPI document](${publicUrl}/asyncapi.json).\n\n${accessNote(route, keyless)}`,
  parameters: parametersOf(route, queryOf(route), false),
  responses: {
    "200": {
      description: "A stream of events, until one side ends it",
      headers: {
        ...successHeaders(route, false),
        "X-Accel-Buffering": { description: "Asks proxies not to hold events back", schema: { type: "string" }, example: "no" },
      },
      content: { "text/event-stream": { schema: { type: "string" }, example: EXAMPLE } },
    },
    ...errorResponses(route, publicUrl),
  },
  "x-tier": route.access.tier,
  "x-metered": route.access.metered,
});

/**
 * The streaming routes' part of the document, by path and method.
 * @param publicUrl base of the links to other documents
 * @param keyless the tier of callers without a key
 * @param security the security requirement of a route
 */
export const streamPaths = (
  publicUrl: string,
  keyless: TierName,
  security: (route: Route, keyless: TierName) => Json[],
): Record<string, Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(streams).map(([name, route]) => {
      const id = operationId("streams", name);
      const operation = { operationId: id, ...operationOf(route, publicUrl, keyless), security: security(route, keyless) };
      return [route.path, { get: operation }];
    }),
  );
