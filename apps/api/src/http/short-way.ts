/**
 * The short way of a plain GET: from the socket to the pipeline and back, without the objects of the fetch standard between, which
 * cost as much as all the checks. Whatever is not plain goes the whole way, through Hono.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pathParameters } from "@assay/contract";
import type { Invoke, Outcome } from "@assay/services";
import { callOf } from "./call.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import type { MountedRoute } from "./mount.ts";

/** Nothing to decode, and nothing that a URL would resolve. */
const PLAIN_PATH = /^\/v1\/[A-Za-z0-9/_-]+$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[0-9]{1,5})?$/;

/** A route as the short way calls it. */
interface Lane {
  readonly invoke: Invoke;
  readonly decode: Decoder;
  /** The name of the path's last segment, when that is a parameter. */
  readonly parameter: string | null;
}

/** Answers a request; false when it is not one for the short way, and nothing was done. */
export type ShortWay = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/** Lanes by path; those that end in a parameter by what stands before it, its slash included. */
const lanesOf = (routes: Record<string, Record<string, MountedRoute>>): ReadonlyMap<string, Lane> => {
  const lanes = new Map<string, Lane>();
  for (const { route, invoke } of Object.values(routes).flatMap((actions) => Object.values(actions))) {
    const [parameter = null, ...others] = pathParameters(route.path);
    const end = parameter === null ? route.path.length : route.path.indexOf("{");
    const isLast = parameter === null || route.path.endsWith(`/{${parameter}}`);
    if (route.method !== "GET" || others.length > 0 || !isLast) continue;
    lanes.set(route.path.slice(0, end), { invoke, decode: decoderOf(route), parameter });
  }
  return lanes;
};

const write = (outgoing: ServerResponse, { status, headers, body }: Outcome): void => {
  if (body !== null) headers["Content-Length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length);
  outgoing.writeHead(status, headers);
  outgoing.end(body);
};

/**
 * Opens the short way.
 * @param faultOf what is answered to a fault nobody foresaw
 */
export const shortWay = (
  routes: Record<string, Record<string, MountedRoute>>,
  addressOf: (incoming: IncomingMessage) => string,
  faultOf: (error: unknown, incoming: IncomingMessage) => Outcome,
): ShortWay => {
  const lanes = lanesOf(routes);
  return (incoming, outgoing) => {
    const { method, url = "", headers } = incoming;
    const start = url.indexOf("?");
    const path = start === -1 ? url : url.slice(0, start);
    if (method !== "GET" || !PLAIN_PATH.test(path) || !PLAIN_HOST.test(headers.host ?? "")) return false;
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false;
    const cut = path.lastIndexOf("/") + 1;
    const lane = lanes.get(path) ?? lanes.get(path.slice(0, cut));
    if (!lane) return false;
    const { invoke, decode, parameter } = lane;
    if (parameter !== null && cut === path.length) return false;
    const query = start === -1 ? "" : url.slice(start + 1);
    const readInput = (): unknown => decode({ path: parameter === null ? {} : { [parameter]: path.slice(cut) }, query });
    try {
      const outcome = invoke(callOf(incoming, addressOf, readInput));
      if (!(outcome instanceof Promise)) write(outgoing, outcome);
      else
        outcome
          .catch((error: unknown) => faultOf(error, incoming))
          .then((it) => write(outgoing, it))
          .catch(() => outgoing.destroy());
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else write(outgoing, faultOf(error, incoming));
    }
    return true;
  };
};
