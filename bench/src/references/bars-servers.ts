/** References: servers that read a page of bars from the database for every request. */
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

/** Rows through drizzle, encoded by JSON.stringify. */
export const drizzleBars = async ({ databaseUrl, limit }: BarsReferenceSettings) => {
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

const QUERY = `select json_build_object('symbol', $1::text, 'interval', $2::text, 'bars', coalesce(json_agg(page), '[]'))::text as body
  from (select to_char(bar_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as bar_start,
      open::text, high::text, low::text, close::text, volume::text, is_closed
    from bars where symbol = $1 and interval = $2 order by bars.bar_start desc limit $3) as page`;

/** JSON that the database builds, passed on as text. */
export const sqlJsonBars = async ({ databaseUrl, limit }: BarsReferenceSettings) => {
  const client = postgres(databaseUrl, { max: 10, onnotice: () => undefined });
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => {
    client.unsafe<{ body: string }[]>(QUERY, [SERIES.symbol, SERIES.interval, limit], { prepare: true }).then(([row]) => {
      const body = Buffer.from(row?.body ?? "");
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(body);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { ready: { port: (server.address() as AddressInfo).port }, close: () => client.end() }; // it listens on a port
};
