/** Everything that runs in a separate process, by name. */
import type { StartPart } from "./measure/part.ts";

const parts = {
  load: async () => (await import("./measure/load-part.ts")).start,
  "assay-api": async () => (await import("./ours/api-part.ts")).start,
  "spot-caller": async () => (await import("./ours/spot-caller-part.ts")).start,
  "sql-json-bars": async () => (await import("./references/sql-json-bars.ts")).start,
  "drizzle-bars": async () => (await import("./references/drizzle-bars.ts")).start,
  "bare-http": async () => (await import("./references/bare-http.ts")).start,
  "assay-streams": async () => (await import("./ours/stream-part.ts")).start,
  "stream-clients": async () => (await import("./measure/stream-clients-part.ts")).start,
  "bun-publish": async () => (await import("./references/bun-publish.ts")).start,
  "peer-http": async () => (await import("./references/peer-http.ts")).start,
  "ws-send-loop": async () => (await import("./references/ws-send-loop.ts")).start,
  "sse-write-loop": async () => (await import("./references/sse-write-loop.ts")).start,
  "hono-stream-sse": async () => (await import("./references/hono-stream-sse.ts")).start,
} satisfies Record<string, () => Promise<StartPart>>;

/** The name of a part. */
export type PartName = keyof typeof parts;

/** How each part is loaded. */
export const PARTS: Readonly<Record<string, () => Promise<StartPart>>> = parts;
