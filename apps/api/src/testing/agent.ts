/** An agent on the official client, in either era of the protocol. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { freshAddress } from "./start-test-app.ts";

/** The eras of the protocol: with a handshake, and with requests that stand alone. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

export interface AgentOptions {
  readonly era?: Era;
  readonly key?: string | undefined;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address. */
  readonly query?: string;
}

/** Connects an agent; the caller closes it. */
export const connectAgent = async (
  url: string,
  { era = "2026-07-28", key, from = freshAddress(), headers = {}, query = "" }: AgentOptions = {},
): Promise<Client> => {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const sent = { "X-Forwarded-For": from, ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers: sent } }));
  return client;
};

export const refusalOf = ({ isError, content, structuredContent }: CallToolResult): Record<string, unknown> => {
  const [block] = content;
  if (isError !== true || structuredContent !== undefined || block?.type !== "text") throw new Error("the call was let through");
  return JSON.parse(block.text) as Record<string, unknown>;
};
