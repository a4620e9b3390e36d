/** Identifies the client: address, request id and key. */
import { randomFillSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { SuppliedKey } from "@assay/contract";
import ipaddr from "ipaddr.js";
import proxyaddr from "proxy-addr";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Some proxies append the port to the address. */
const PORT = /^(?:([0-9.]+)|\[([0-9a-f:.]+)\]):[0-9]+$/i;
const BEARER = /^bearer +(\S+) *$/i;
const BASIC = /^basic +(\S+) *$/i;
/** A scheme with credentials, other than Bearer. */
const OTHER_SCHEME = /^(?!bearer )[\w!#$%&'*+.^`|~-]+ +\S/i;

/** A generated id has 20 characters, which encode 120 random bits. */
const ID_LENGTH = 20;
const pool = Buffer.alloc((ID_LENGTH * 3 * 256) / 4);
let ids = "";
let drawn = 0;

/** A new request id, drawn in batches. */
const newRequestId = (): string => {
  if (drawn === ids.length) {
    ids = randomFillSync(pool).toString("base64url");
    drawn = 0;
  }
  drawn += ID_LENGTH;
  return ids.slice(drawn - ID_LENGTH, drawn);
};

/** Where a request keeps its id. A map beside the requests would cost more than drawing the id. */
const ID = Symbol("request id");

/** The request's id: the client's when well-formed, else one generated on the first call and kept for the request. */
export const requestIdOf = (incoming: IncomingMessage & { [ID]?: string }): string => {
  const known = incoming[ID];
  if (known !== undefined) return known;
  const given = incoming.headers["x-request-id"];
  const id = typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId();
  incoming[ID] = id;
  return id;
};

/**
 * How often a request has a header, as sent. Node joins some repeated headers and silently drops others.
 * @param name in lower case
 */
const timesSent = ({ rawHeaders }: IncomingMessage, name: string): number => {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
};

/** Whether a request names exactly one host: two are ambiguous. HTTP/1.0 needs none, and plain liveness probes send none. */
export const namesOneHost = (incoming: IncomingMessage): boolean => {
  const hosts = timesSent(incoming, "host");
  return hosts === 1 || (hosts === 0 && incoming.httpVersion === "1.0");
};

const NONE = { kind: "none" } as const;
const CONFLICT = { kind: "conflict" } as const;
const MISPLACED = { kind: "misplaced" } as const;

/** A text that can only be meant as a key of ours, whole or not. */
const KEY_TEXT = /assay_live_[0-9A-Za-z]/;

/** Whether the credentials of another scheme contain a key of ours; those of Basic are encoded. */
const holdsKey = (authorization: string): boolean => {
  if (KEY_TEXT.test(authorization)) return true;
  const encoded = BASIC.exec(authorization)?.[1];
  return encoded !== undefined && KEY_TEXT.test(Buffer.from(encoded, "base64").toString("latin1"));
};

/**
 * The key a request carries, in `Authorization: Bearer` or `X-API-Key`. Another scheme is meant for someone else, such as a proxy in
 * front, unless it carries a key of ours: without the refusal its sender would get delayed prices. What names no scheme is an invalid
 * key, as its sender meant it as one.
 */
export const keyOf = (incoming: IncomingMessage): SuppliedKey => {
  const { authorization, "api-key": misnamed } = incoming.headers;
  const alias = incoming.headers["x-api-key"];
  const aliasKey = typeof alias === "string" ? alias : null;
  if (authorization !== undefined && timesSent(incoming, "authorization") > 1) return CONFLICT;
  if (authorization === undefined || OTHER_SCHEME.test(authorization)) {
    if (authorization !== undefined && holdsKey(authorization)) return MISPLACED;
    if (aliasKey !== null) return { kind: "key", key: aliasKey };
    return misnamed !== undefined && KEY_TEXT.test(String(misnamed)) ? MISPLACED : NONE;
  }
  const bearer = BEARER.exec(authorization)?.[1] ?? "";
  return aliasKey === null || aliasKey === bearer ? { kind: "key", key: bearer } : CONFLICT;
};

/** The same for doors that ignore unknown names of the query: a key among them is misplaced too. */
export const keyOfOpenQuery = (incoming: IncomingMessage): SuppliedKey => {
  const key = keyOf(incoming);
  if (key.kind !== "none") return key;
  const [, query = ""] = (incoming.url ?? "").split("?", 2);
  return [...new URLSearchParams(query).values()].some((value) => KEY_TEXT.test(value)) ? MISPLACED : key;
};

const withoutPort = (written: string): string => PORT.exec(written)?.slice(1).find(Boolean) ?? written;

/** The part of an address that limits are counted by: IPv4 whole, IPv6 by its /64. */
export const limitAddress = (written: string): string => {
  const address = withoutPort(written);
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4); // not IPv4, so IPv6
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
};

/**
 * Creates the function that reads client addresses.
 * @param trusted addresses or CIDRs of proxies whose X-Forwarded-For is trusted; when empty the socket's address is used
 */
export const clientAddress = (trusted: readonly string[]): ((incoming: IncomingMessage) => string) => {
  const bySocket = new WeakMap<Socket, string>();
  const ofSocket = (incoming: IncomingMessage): string => {
    const known = bySocket.get(incoming.socket);
    if (known !== undefined) return known;
    const address = limitAddress(incoming.socket.remoteAddress ?? "");
    bySocket.set(incoming.socket, address);
    return address;
  };
  if (trusted.length === 0) return ofSocket;
  const isTrusted = proxyaddr.compile([...trusted]);
  const trust = (written: string, hop: number): boolean => isTrusted(withoutPort(written), hop);
  return (incoming) =>
    incoming.headers["x-forwarded-for"] === undefined ? ofSocket(incoming) : limitAddress(proxyaddr(incoming, trust));
};

export const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
