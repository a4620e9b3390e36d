/** The floor of an answer: bare node:http that sends the very same status, headers and body. */
import { get } from "node:http";
import type { BareSettings } from "../references/http-servers.ts";
import { type Child, startPart } from "./child.ts";
import type { Target } from "./compare.ts";

/** A whole answer. */
interface RawAnswer {
  readonly status: number;
  /** As written by the server, names in their original case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes one request. */
const rawAnswer = (url: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer); // a response without an encoding yields buffers
      const raw = response.rawHeaders;
      const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(pairs),
        body: Buffer.concat(chunks).toString("utf8"),
      });
    }).once("error", reject);
  });

/** Headers that node:http adds by itself. */
const AUTOMATIC = new Set(["Date", "Connection", "Keep-Alive"]);

/** The server under test. */
export interface Original {
  readonly url: string;
  readonly path: string;
  readonly key: string;
}

/** Asks for an answer once, for other servers to repeat. */
export const answerToRepeat = async ({ url, path, key }: Original): Promise<BareSettings> => {
  const answer = await rawAnswer(`${url}${path}`, { Authorization: `Bearer ${key}` });
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !AUTOMATIC.has(name)));
  return { headers, body: answer.body };
};

/** Starts a bare server that gives an answer to every request, which is the same as well. */
export const startSameBytes = async (original: Original): Promise<Target & { readonly child: Child<unknown, never, never> }> => {
  const settings = await answerToRepeat(original);
  const child = await startPart<{ port: number }>("bare-http", settings);
  return { child, port: child.ready.port, request: requestOf(original.path, original.key) };
};

/** A raw request, with a key or without one. */
export const requestOf = (path: string, key: string | null): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key === null ? "" : `Authorization: Bearer ${key}\r\n`}\r\n`;
