/** Reference: a page of bars whose JSON the database builds, passed on as text. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import postgres from "postgres";
import { SERIES } from "../fixtures/bars-database.ts";
import type { BarsReferenceSettings } from "./drizzle-bars.ts";

const QUERY = `select json_build_object('symbol', $1::text, 'interval', $2::text, 'bars', coalesce(json_agg(page), '[]'))::text as body
  from (select to_char(bar_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as bar_start,
      open::text, high::text, low::text, close::text, volume::text, is_closed
    from bars where symbol = $1 and interval = $2 order by bars.bar_start desc limit $3) as page`;

/** Starts it. */
export const start = async ({ databaseUrl, limit }: BarsReferenceSettings) => {
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
