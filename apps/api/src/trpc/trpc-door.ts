/** tRPC over HTTP at /trpc: the same pipeline through another transport. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { bodyText, type EncodedBody, EncodedList, type Refused } from "@assay/contract";
import { keyOf, requestIdOf } from "@assay/process";
import { type Outcome, refusalOutcome, unstoredHeaders } from "@assay/services";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { Context } from "hono";
import { readJsonInput } from "../http/decode.ts";
import { type MountedRoutes, routeOf } from "../http/routes.ts";
import type { Env } from "../http/send.ts";
import { type CountLight, type LightCount, windowsOf } from "../http/windows.ts";
import { createAppRouter, refusalText, type TrpcContext } from "./router.ts";
import { isCallable, isJson, outOfBounds, requestFault } from "./trpc-request.ts";

/** What the tRPC handler depends on. */
export interface TrpcDoorOptions {
  readonly routes: MountedRoutes;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly countLight: CountLight;
  readonly onFault: (error: unknown, requestId: string) => void;
}

/** Puts the answers of routes into a response as the bytes they are: tRPC writes a name in place of each. */
class PlacedAnswers {
  /** Nobody else knows it, so nothing a caller sends is taken for a name. */
  readonly #mark = randomUUID();
  readonly #answers: EncodedBody[] = [];

  /** The name of an answer, to be written in its place. */
  place(body: EncodedBody): string {
    this.#answers.push(body);
    return `${this.#mark}.${this.#answers.length - 1}`;
  }

  /** The response, with an answer in place of each name. */
  async fill(response: Response): Promise<Response> {
    if (this.#answers.length === 0 || response.body === null) return response;
    // What a pattern captures is every second part: the index of an answer.
    const parts = (await response.text()).split(new RegExp(`"${this.#mark}\\.(\\d+)"`));
    const pieces = parts.flatMap((part, index): readonly Uint8Array[] => {
      const body = index % 2 === 0 ? part : (this.#answers[Number(part)] ?? "null");
      if (typeof body === "string") return [Buffer.from(body)];
      return body instanceof EncodedList ? body.pieces : [body];
    });
    const { status, headers } = response;
    const bytes = Buffer.concat(pieces);
    for (const body of this.#answers) if (body instanceof EncodedList) body.onDone?.();
    return new Response(bytes, { status, headers });
  }
}

const refuse = (incoming: IncomingMessage, refusal: Refused, windows: Record<string, string> = {}): Response => {
  const { error, status, headers } = refusalOutcome(refusal, requestIdOf(incoming), windows);
  return new Response(refusalText(error), { status, headers });
};

/** A stream of lines is not read to its end here: its answers are values. */
const isStreamed = ({ headers }: IncomingMessage): boolean =>
  /application\/jsonl/i.test(`${headers["trpc-accept"]} ${headers.accept}`);

/** The names of a request that match no route. */
const straysOf = ({ calls }: TRPCRequestInfo, incoming: IncomingMessage): number =>
  calls.filter(({ procedure }) => !isCallable(procedure?._def.type, incoming)).length;

/**
 * How the calls of a request reach their routes.
 * @param onAnswer receives each answer, in order
 */
const callerOf = (
  { routes, addressOf }: Pick<TrpcDoorOptions, "routes" | "addressOf">,
  incoming: IncomingMessage,
  onAnswer: (outcome: Outcome) => void,
): TrpcContext["call"] => {
  const idempotencyKey = incoming.headers["idempotency-key"];
  const caller = {
    requestId: requestIdOf(incoming),
    ip: addressOf(incoming),
    key: keyOf(incoming),
    idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    traceparent: incoming.headers["traceparent"] as string | undefined, // Node joins repeated ones
  };
  const fault = requestFault(incoming);
  return async (resource, action, readInput) => {
    const { route, invoke } = routeOf(routes, resource, action);
    const outcome = await invoke({
      ...caller,
      parametersIn: "input",
      readInput: async (fail) => {
        if (fault) fail("validation_error", { issues: [fault] });
        return readJsonInput(route, await readInput(), "input", fail);
      },
    });
    onAnswer(outcome);
    return outcome;
  };
};

export const trpcDoor = (options: TrpcDoorOptions) => {
  const { addressOf, countLight, onFault } = options;
  const router = createAppRouter();

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const bounds = outOfBounds(incoming);
    if (bounds) return refuse(incoming, bounds);
    const requestId = requestIdOf(incoming);
    // A batch reports the windows of its last call: it was counted last.
    const windows: Record<string, string> = {};
    const call = callerOf(options, incoming, (outcome) => Object.assign(windows, windowsOf(outcome)));
    const placed = new PlacedAnswers();
    const answerOf: TrpcContext["answerOf"] = (body) => (isStreamed(incoming) ? JSON.parse(bodyText(body)) : placed.place(body));
    // What reaches no route: no route's limits count it.
    let isRead = false;
    let strays: LightCount = { refusal: null, windows: {} };
    // tRPC also accepts other bodies, each with its own format. As JSON the call is treated like any other, and refused for its
    // body.
    if (!isJson(incoming)) context.req.raw.headers.set("content-type", "application/json");
    const written = await fetchRequestHandler({
      endpoint: "/trpc",
      req: context.req.raw,
      router,
      allowMethodOverride: true,
      createContext: async ({ info }) => {
        isRead = true;
        strays = await countLight(addressOf(incoming), straysOf(info, incoming));
        // Without a context no call of the batch is made.
        if (strays.refusal) throw new Error("the limit of requests without a route is exceeded");
        return { call, answerOf };
      },
      responseMeta: () => ({ headers: { ...windows, ...unstoredHeaders(requestId) } }),
      onError: ({ error }) => {
        if (error.code === "INTERNAL_SERVER_ERROR" && !strays.refusal) onFault(error.cause ?? error, requestId);
      },
    });
    // tRPC refused it, or answered it (HEAD), before any of its calls.
    if (!isRead) strays = await countLight(addressOf(incoming), 1);
    if (strays.refusal) {
      await written.body?.cancel();
      return refuse(incoming, strays.refusal, strays.windows);
    }
    const response = await placed.fill(written);
    // HEAD is answered without `responseMeta`.
    response.headers.set("X-Request-Id", requestId);
    return response;
  };
};
