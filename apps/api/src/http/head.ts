/** The head of an answer as one text, as Node would write it, byte for byte. */
import { STATUS_CODES } from "node:http";

/** What Node refuses in a header's value, so that none can begin another header. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

const SECOND_MS = 1_000;
let second = Number.NaN;
let date = "";

/** The time as HTTP writes it, made once a second. */
const dateAt = (nowMs: number): string => {
  const now = Math.floor(nowMs / SECOND_MS);
  if (now !== second) {
    second = now;
    date = new Date(nowMs).toUTCString();
  }
  return date;
};

/** What a head says besides the headers of an answer. */
export interface HeadParts {
  readonly status: number;
  /** Names are trusted, values checked. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, in bytes. */
  readonly length: number;
  /** How long the connection is kept for another request. */
  readonly keptMs: number;
}

/**
 * Writes the head of an answer with a body that keeps its connection.
 * @throws TypeError when a header's value holds a character that HTTP does not allow
 */
export const headOf = ({ status, headers, length, keptMs }: HeadParts, nowMs: number): string => {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (FORBIDDEN.test(value)) throw new TypeError(`the header ${name} holds a character that HTTP does not allow`);
    head += `${name}: ${value}\r\n`;
  }
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keptMs / SECOND_MS)}\r\n`;
  return `${head}Date: ${dateAt(nowMs)}\r\n${kept}Content-Length: ${length}\r\n\r\n`;
};
