/** Local stand-ins for public upstreams: a port for each, answers controlled by the test, every request recorded; and a market that moves. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HOUR_MS } from "@assay/contract";

/** An upstream's answer; null for a connection that is held open without an answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answering = (path: string) => Reply | null | Promise<Reply | null>;

export interface Upstream {
  readonly url: string;
  /** The time of each request, on the monotonic clock, and its path. */
  readonly requests: readonly { readonly atMs: number; readonly path: string }[];
  answer(answering: Answering): void;
  close(): Promise<void>;
}

const send = (response: ServerResponse, { status = 200, headers = {}, body }: Reply): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
};

/** Opens an upstream on its own port: feeds keep one connection per host, and one must not delay another. */
export const openUpstream = async (answering: Answering): Promise<Upstream> => {
  let current = answering;
  const requests: { atMs: number; path: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    requests.push({ atMs: performance.now(), path });
    const reply = await current(path);
    if (reply) send(response, reply);
  };
  const server: Server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      current = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Prices, currencies and venues. */
export const LIVE_FEEDS = [
  "gold-api",
  "swissquote",
  "coinbase-fx",
  "ecb",
  "wgc",
  "kraken",
  "okx",
  "coinbase",
  "bybit",
  "kalshi",
  "polymarket",
] as const;
export type LiveFeed = (typeof LIVE_FEEDS)[number];

export interface LiveUpstreams<Feed extends string> {
  readonly upstreams: Readonly<Record<Feed, Upstream>>;
  /** Settings of a process that reads these feeds and no others. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const variableOf = (feed: string): string => `FEED_${feed.toUpperCase().replaceAll("-", "_")}_URL`;

export const openLiveUpstreams = async <Feed extends string>(
  answers: Readonly<Record<Feed, Answering>>,
): Promise<LiveUpstreams<Feed>> => {
  const feeds = Object.keys(answers) as Feed[]; // the keys of the literal the caller passes
  const opened = await Promise.all(feeds.map(async (feed) => [feed, await openUpstream(answers[feed])] as const));
  return {
    upstreams: Object.fromEntries(opened) as Record<Feed, Upstream>, // one for each feed
    settings: { FEEDS: feeds.join(","), ...Object.fromEntries(opened.map(([feed, { url }]) => [variableOf(feed), url])) },
    close: async () => {
      await Promise.all(opened.map(([, upstream]) => upstream.close()));
    },
  };
};

/** Half a percent over an hour and a little every few seconds, as one factor. */
export const levelAt = (nowMs: number): number =>
  1 + 0.005 * Math.sin((nowMs / HOUR_MS) * 2 * Math.PI) + 0.000_2 * Math.sin(nowMs / 4_000);

/** Multiplies every figure that matches, with as many decimals as it has. */
export const scaled = (text: string, figures: RegExp, by: number): string =>
  text.replace(figures, (figure) => (Number(figure) * by).toFixed(figure.split(".")[1]?.length ?? 0));

const PRICE = /(?<="(?:price|bid|ask|bidPx|askPx)":"?)[0-9.]+/g;
/** What gold's figures are multiplied by to make another metal's. */
const SHARE: Readonly<Record<string, number>> = { XAU: 1, XAG: 0.012, HG: 0.001_3, XPT: 0.35, XPD: 0.3 };

/** Answers with gold's payload for whichever metal is asked for. */
export const moving =
  (payload: () => string): Answering =>
  (path) => {
    const metal = /XAU|XAG|HG|XPT|XPD/.exec(path)?.[0] ?? "XAU";
    const text = scaled(payload(), PRICE, (SHARE[metal] ?? 1) * levelAt(Date.now()));
    return { body: text.replace('"symbol":"XAU"', `"symbol":"${metal}"`) };
  };
