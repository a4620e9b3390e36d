/** Everything that runs in a separate process, by name; how it is started, and the messages between the two processes. */

/** A running part. */
export interface Part {
  /** Sent to the parent when it is ready. */
  readonly ready: unknown;
  /** Executes an order; a part without it only serves. */
  readonly run?: (order: never) => unknown;
  readonly close?: () => Promise<void>;
}

/** Starts a part with its settings. */
export type StartPart = (settings: never) => Part | Promise<Part>;

/** What the parent sends. */
export type ToPart = { readonly settings: unknown } | { readonly order: unknown };

/** What the part sends back. */
export type FromPart = { readonly ready: unknown } | { readonly answer: unknown } | { readonly fault: string };

const parts = {
  load: async () => (await import("./measure/load-part.ts")).start,
  "assay-api": async () => (await import("./ours/api-part.ts")).start,
  "sql-json-bars": async () => (await import("./references/bars-servers.ts")).sqlJsonBars,
  "drizzle-bars": async () => (await import("./references/bars-servers.ts")).drizzleBars,
  "bare-http": async () => (await import("./references/http-servers.ts")).bareHttp,
  "assay-streams": async () => (await import("./ours/stream-part.ts")).start,
  "stream-clients": async () => (await import("./measure/stream-clients-part.ts")).start,
  "bun-publish": async () => (await import("./references/bun-publish.ts")).start,
  "peer-http": async () => (await import("./references/http-servers.ts")).peerHttp,
  "ws-send-loop": async () => (await import("./references/stream-loops.ts")).wsSendLoop,
  "sse-write-loop": async () => (await import("./references/stream-loops.ts")).sseWriteLoop,
  "hono-stream-sse": async () => (await import("./references/stream-loops.ts")).honoStreamSse,
} satisfies Record<string, () => Promise<StartPart>>;

/** The name of a part. */
export type PartName = keyof typeof parts;

/** How each part is loaded. */
export const PARTS: Readonly<Record<string, () => Promise<StartPart>>> = parts;
