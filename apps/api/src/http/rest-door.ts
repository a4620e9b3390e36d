/** REST: every route of the contract at its path, decoded, called and sent. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnswerFormat, type Format, maxBodyBytes, type Route, refused, takesBody } from "@assay/contract";
import { keyOf, requestIdOf } from "@assay/process";
import { after, faultOutcome, type Outcome, refusalOutcome } from "@assay/services";
import type { Hono } from "hono";
import { acceptReader } from "./accept.ts";
import { bodyFault, plainFormat, postedReader } from "./body.ts";
import { type Decoder, decoderOf, formatIn, keepingInputs } from "./decode.ts";
import type { MountedRoute, MountedRoutes } from "./routes.ts";
import { type Env, refuse, send } from "./send.ts";
import { type Target, targetsOf } from "./targets.ts";

/** Answers a request for one route. Synchronous when no engine had to be awaited. */
type Answer = (incoming: IncomingMessage, target: Target<Place>) => Outcome | Promise<Outcome>;

/** The routes of one path by method, and its Allow header. */
interface Place {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly allow: string;
}

/** What the door needs besides the routes. */
export interface MountOptions {
  readonly addressOf: (incoming: IncomingMessage) => string;
  /** Base of links to further pages. */
  readonly publicUrl: () => string;
  /** Receives unexpected errors, which are answered with a plain 500. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** The address of another page: the same request, every parameter kept, with its cursor. */
const pageLink = ({ path }: Route, target: Target<Place>, cursor: string): string => {
  const asked = new URLSearchParams(target.query);
  asked.set("cursor", cursor);
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(target.path[name] ?? ""))}?${asked}`;
};

/** Says on an answer that another Accept header may get another one. */
const varying = (outcome: Outcome): Outcome => {
  const { Vary: others } = outcome.headers;
  if (!outcome.error) outcome.headers["Vary"] = others === undefined ? "Accept" : `Accept, ${others}`;
  return outcome;
};

const answerOf = ({ route, invoke }: MountedRoute, { addressOf, publicUrl }: MountOptions): Answer => {
  // Made with the first request: the schemas of all routes take a thirtieth of a start.
  let decoder: Decoder | undefined;
  const decode: Decoder = (raw, fail) => {
    decoder ??= keepingInputs(decoderOf(route));
    return decoder(raw, fail);
  };
  const readPosted = takesBody(route) ? postedReader(route) : undefined;
  const readAccept = acceptReader(route);
  const accepted = (incoming: IncomingMessage) => readAccept?.(incoming.headers.accept) ?? plainFormat(route, incoming);
  const maxBytes = maxBodyBytes(route);
  return (incoming, target) => {
    const { headers } = incoming;
    const fault = bodyFault(incoming, maxBytes);
    if (fault) return refusalOutcome(fault, requestIdOf(incoming));
    const idempotencyKey = headers["idempotency-key"];
    let chosen: AnswerFormat | undefined;
    let format: { readonly of: Format | undefined } | undefined;
    const outcome = invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      ifNoneMatch: headers["if-none-match"],
      acceptEncoding: headers["accept-encoding"],
      traceparent: headers["traceparent"] as string | undefined, // Node joins repeated ones
      readInput: (fail) =>
        after(readPosted ? readPosted(incoming, target, fail) : decode(target, fail), (input) => {
          chosen = formatIn(input);
          return input;
        }),
      format: () => {
        // Asked for by the verb and for the answer.
        format ??= { of: chosen === undefined ? accepted(incoming) : chosen === "json" ? undefined : chosen };
        return format.of;
      },
      pageLink: (cursor) => `${publicUrl()}${pageLink(route, target, cursor)}`,
    });
    if (readAccept === null) return outcome;
    const noted = (it: Outcome): Outcome => (chosen === undefined ? varying(it) : it);
    return outcome instanceof Promise ? outcome.then(noted) : noted(outcome);
  };
};

const placeOf = (mounted: readonly MountedRoute[], options: MountOptions): Place => {
  const answers = new Map<string, Answer>();
  for (const each of mounted) {
    const answer = answerOf(each, options);
    answers.set(each.route.method, answer);
    if (each.route.method === "GET") answers.set("HEAD", answer);
  }
  return { answers, allow: [...answers.keys()].sort().join(", ") };
};

/**
 * Answers a request for a path of the contract, on Node's own objects: as a fetch request and response it would cost as much
 * again as the whole pipeline.
 * @param readPath reads the path from the URL, decoded except for what separates its parts; null leaves it unanswered
 * @returns false, and nothing is answered, when the contract has no such path
 */
export type RouteDoor = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  readPath: (url: string) => string | null,
) => boolean;

/** Creates the door to every route, and answers paths unknown to the application. */
export const mount = (app: Hono<Env>, routes: MountedRoutes, options: MountOptions): RouteDoor => {
  const { onFault = () => {} } = options;
  app.notFound(({ env }) => refuse(env.incoming, refused("not_found")));
  const byPath = new Map<string, MountedRoute[]>();
  for (const mounted of Object.values(routes).flatMap((actions) => Object.values(actions))) {
    byPath.set(mounted.route.path, [...(byPath.get(mounted.route.path) ?? []), mounted]);
  }
  const find = targetsOf(new Map([...byPath].map(([path, mounted]) => [path, placeOf(mounted, options)])));

  const failed = (error: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const requestId = requestIdOf(incoming);
    onFault(error, requestId);
    send(incoming, outgoing, faultOutcome(requestId));
  };
  return (incoming, outgoing, readPath) => {
    const target = find(incoming.url ?? "", readPath);
    if (!target) return false;
    const { answers, allow } = target.place;
    const answer = answers.get(incoming.method ?? "");
    try {
      const outcome = answer
        ? answer(incoming, target)
        : refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: allow });
      // No promise when none is needed: a synchronous answer is sent synchronously.
      if (outcome instanceof Promise) {
        outcome.then((it) => send(incoming, outgoing, it)).catch((error: unknown) => failed(error, incoming, outgoing));
      } else send(incoming, outgoing, outcome);
    } catch (error) {
      failed(error, incoming, outgoing);
    }
    return true;
  };
};
