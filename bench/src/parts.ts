/** Everything that runs in a process of its own, by name. */
import type { StartPart } from "./measure/part.ts";

const parts = {
  load: async () => (await import("./measure/load-part.ts")).start,
  "assay-api": async () => (await import("./ours/api-part.ts")).start,
  "spot-caller": async () => (await import("./ours/spot-caller-part.ts")).start,
  "sql-json-bars": async () => (await import("./references/sql-json-bars.ts")).start,
  "drizzle-bars": async () => (await import("./references/drizzle-bars.ts")).start,
  "bare-http": async () => (await import("./references/bare-http.ts")).start,
} satisfies Record<string, () => Promise<StartPart>>;

/** The name of a part. */
export type PartName = keyof typeof parts;

/** How each part is loaded. */
export const PARTS: Readonly<Record<string, () => Promise<StartPart>>> = parts;
