/** Stream servers and their clients, each in a separate process. */
import { type Child, startPart } from "../measure/child.ts";
import type { ClientsOrder, ClientsReport, ClientsSettings } from "../measure/stream-clients-part.ts";
import type { PartName } from "../parts.ts";
import type { BroadcastOrder, BroadcastReport, StreamServerReady } from "./broadcaster.ts";

/** A transport. */
export type Kind = ClientsSettings["kind"];

/** A stream server. */
export interface StreamServer extends Child<StreamServerReady, BroadcastOrder, BroadcastReport> {
  readonly part: PartName;
}

/** Clients of one server. */
export type Clients = Child<null, ClientsOrder | "report", ClientsReport | null>;

const SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"];

const asking = (kind: Kind, { part, ready: { port, key } }: StreamServer, count: number): ClientsSettings => {
  const bare = { port, kind, path: "/", count, headers: [], hello: [], welcome: null };
  if (part !== "assay-streams") return bare;
  if (kind === "sse") {
    return {
      ...bare,
      path: "/v1/prices/stream?symbol=XAU-USD-SPOT",
      headers: [`Authorization: Bearer ${key}`],
      welcome: "retry:",
    };
  }
  const hello = [
    JSON.stringify({ action: "auth", api_key: key }),
    JSON.stringify({ action: "subscribe", symbols: SYMBOLS, channels: [] }),
  ];
  return { ...bare, path: "/v1/stream", hello, welcome: '"type":"subscribed"' };
};

/**
 * Starts a server; on Node it can run a garbage collection on demand.
 * @param program another runtime
 * @param flags of Node
 */
export const startServer = async (part: PartName, program?: string, flags: readonly string[] = []): Promise<StreamServer> => {
  const host = program === undefined ? { nodeOptions: ["--expose-gc", ...flags] } : { program };
  const child: Child<StreamServerReady, BroadcastOrder, BroadcastReport> = await startPart(part, null, host);
  return { ...child, part };
};

/** Connects clients; resolves when all are open. */
export const connectClients = (server: StreamServer, kind: Kind, count: number): Promise<Clients> =>
  startPart("stream-clients", asking(kind, server, count));
