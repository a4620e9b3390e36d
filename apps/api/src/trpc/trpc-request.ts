/** What a tRPC request may look like: its size, its names, its query and its media type. */
import type { IncomingMessage } from "node:http";
import {
  type Contract,
  contract,
  MAX_BODY_BYTES,
  maxBodyBytes,
  type Refused,
  type Route,
  refused,
  type ValidationIssue,
} from "@assay/contract";
import { bodyFault, tooLarge } from "../http/body.ts";

const EVERY_ROUTE: Contract = contract;

/** Most procedure calls in one batched request; each is counted and limited on its own. */
const MAX_BATCH = 10;

/** How much of an unknown name a refusal repeats. */
const MAX_NAME = 64;

/** Whether a path names more procedures than a batch may hold: checked before it is decoded, split or looked up. */
const namesTooMany = (url: string): boolean => {
  const end = url.indexOf("?");
  let names = 1;
  for (const _ of (end === -1 ? url : url.slice(0, end)).matchAll(/,|%2c/gi)) {
    names += 1;
    if (names > MAX_BATCH) return true;
  }
  return false;
};

/** The largest body of a request: that of its route when it calls one alone. */
const maxBytesOf = (url: string): number => {
  const [path = ""] = url.split("?", 1);
  const [resource = "", action = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
  const routes: Readonly<Record<string, Route>> = Object.hasOwn(EVERY_ROUTE, resource) ? (EVERY_ROUTE[resource] ?? {}) : {};
  const route = Object.hasOwn(routes, action) ? routes[action] : undefined;
  return route ? maxBodyBytes(route) : MAX_BODY_BYTES;
};

/** Why a request is refused as a whole, before any of it is read; undefined when it is not. */
export const outOfBounds = (incoming: IncomingMessage): Refused | undefined => {
  const { headers, url = "" } = incoming;
  // A body of unannounced length is not read: no tRPC client sends one.
  const maxBytes = maxBytesOf(url);
  if (headers["transfer-encoding"] !== undefined) return refused("payload_too_large", tooLarge(maxBytes));
  const fault = bodyFault(incoming, maxBytes);
  if (fault) return fault;
  if (namesTooMany(url)) return refused("bad_request", { message: `A batch may contain at most ${MAX_BATCH} calls.` });
  return undefined;
};

export const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");

/** Whether a request's method can call a procedure: POST calls queries too, because their input may be too long for a URL. */
export const isCallable = (type: string | undefined, { method }: IncomingMessage): boolean =>
  method === "GET" ? type === "query" : method === "POST" && type !== undefined;

/**
 * What is wrong with the query: its first unknown or repeated name. It holds `batch`, and by GET `input`; anything else was meant for a
 * call, which would be made without it.
 */
const queryFault = ({ url = "", method }: IncomingMessage): ValidationIssue | undefined => {
  const start = url.indexOf("?");
  if (start === -1) return undefined;
  const known = new Set(method === "GET" ? ["batch", "input"] : ["batch"]);
  const seen = new Set<string>();
  for (const given of new URLSearchParams(url.slice(start + 1)).keys()) {
    const path = ["query", given.slice(0, MAX_NAME)];
    if (given.startsWith("_")) continue;
    if (!known.has(given)) {
      const place = method === "GET" ? "as JSON in input" : "as JSON in the body";
      const message = `${path[1]} is not a parameter of /trpc: what a call is given is sent ${place}`;
      return { path, code: "unrecognized_parameter", message };
    }
    if (seen.has(given)) return { path, code: "repeated", message: "must be given once" };
    seen.add(given);
  }
  return undefined;
};

/** What is wrong with a request whatever its calls are given; undefined when nothing is. */
export const requestFault = (incoming: IncomingMessage): ValidationIssue | undefined =>
  incoming.method === "GET" || isJson(incoming)
    ? queryFault(incoming)
    : { path: ["body"], code: "invalid_media_type", message: "must be application/json" };
