/** Reference: a page of bars as rows through drizzle, encoded by JSON.stringify. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { schema } from "@assay/db";
import { and, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { SERIES } from "../fixtures/bars-database.ts";

/** What it reads. */
export interface BarsReferenceSettings {
  readonly databaseUrl: string;
  readonly limit: number;
}

/** Reads a page as rows. */
export const drizzlePage = (client: postgres.Sql, limit: number) => {
  const { bars } = schema;
  return drizzle(client)
    .select()
    .from(bars)
    .where(and(eq(bars.symbol, SERIES.symbol), eq(bars.interval, SERIES.interval)))
    .orderBy(desc(bars.barStartMs))
    .limit(limit);
};

/** Starts it. */
export const start = async ({ databaseUrl, limit }: BarsReferenceSettings) => {
  const client = postgres(databaseUrl, { max: 10, onnotice: () => undefined });
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => {
    drizzlePage(client, limit).then((bars) => {
      const body = Buffer.from(JSON.stringify({ ...SERIES, bars, next_cursor: null }));
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(body);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { ready: { port: (server.address() as AddressInfo).port }, close: () => client.end() }; // it listens on a port
};
