/** The tRPC router: a mapped type over the contract, and a procedure per route that calls the same pipeline. */
import {
  type AssayContract,
  type Contract,
  contract,
  ERRORS,
  type ErrorCode,
  FAULT_TEXT,
  type OutputOf,
  type RequestOf,
  type Route,
} from "@assay/contract";
import type { Outcome } from "@assay/services";
import { initTRPC, type TRPCBuiltRouter, TRPCError, type TRPCMutationProcedure, type TRPCQueryProcedure } from "@trpc/server";
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";

/** The context of a procedure: how to call a route for this request. */
export interface TrpcContext {
  readonly call: (resource: string, action: string, readInput: () => Promise<unknown>) => Promise<Outcome>;
  /** What a procedure answers for a JSON body. */
  readonly answerOf: (body: NonNullable<Outcome["body"]>) => unknown;
}

/** The error tRPC clients receive: tRPC's own shape, with the wire's body under `data.wire`. */
export interface WireErrorData {
  readonly code: TRPC_ERROR_CODE_KEY;
  readonly httpStatus: number;
  readonly path?: string;
  readonly stack?: string;
  /** The body REST would have sent; absent on unexpected errors. */
  readonly wire?: { readonly error: ErrorCode; readonly message: string; readonly request_id: string } & Record<string, unknown>;
}

interface ErrorShape {
  message: string;
  code: number;
  data: WireErrorData;
}

type ProcedureOf<R> = R extends { method: "GET" }
  ? TRPCQueryProcedure<{ input: RequestOf<R>; output: OutputOf<R>; meta: object }>
  : TRPCMutationProcedure<{ input: RequestOf<R>; output: OutputOf<R>; meta: object }>;

type Procedures<C> = { [G in keyof C]: { [K in keyof C[G]]: ProcedureOf<C[G][K]> } };

/** The router's type: `createTRPCClient<AppRouter>()` knows every route without a hand-written procedure. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: TrpcContext; meta: object; errorShape: ErrorShape; transformer: false },
  Procedures<AssayContract>
>;

const TRPC_CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

const codeOf = (code: ErrorCode): TRPC_ERROR_CODE_KEY => TRPC_CODES[ERRORS[code].status] ?? "INTERNAL_SERVER_ERROR";

/** A refusal thrown through tRPC. */
class WireRefusal extends TRPCError {
  readonly body: Record<string, unknown>;
  constructor({ code, body }: NonNullable<Outcome["error"]>) {
    super({ code: codeOf(code), message: ERRORS[code].message });
    this.body = body;
  }
}

/** The tRPC error of a refusal that precedes tRPC: clients read it as the answer to each call of a batch. */
export const refusalText = ({ code, body }: NonNullable<Outcome["error"]>): string => {
  const key = codeOf(code);
  const data = { code: key, httpStatus: ERRORS[code].status, wire: body };
  return JSON.stringify({ error: { message: body["message"], code: TRPC_ERROR_CODES_BY_KEY[key], data } });
};

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    // Least information: details of unexpected errors are not exposed.
    message: error.code === "INTERNAL_SERVER_ERROR" ? FAULT_TEXT : shape.message,
    data: { ...shape.data, ...(error instanceof WireRefusal ? { wire: error.body } : {}) },
  }),
});

const outputOf = (outcome: Outcome, answerOf: TrpcContext["answerOf"]): unknown => {
  if (outcome.error) throw new WireRefusal(outcome.error);
  if (outcome.status === 307) return { location: outcome.headers["Location"] };
  if (outcome.body === null) return undefined;
  return answerOf(outcome.body);
};

/** Why the built router has the mapped type: it is built from the object the type is derived from. */
type Built = unknown;

/** A procedure. It does not parse input: the pipeline does, after the checks that come first. */
const procedureOf = (resource: string, action: string, route: Route) => {
  const procedure = t.procedure.use(({ ctx, getRawInput, next }) =>
    next({ ctx: { callRoute: () => ctx.call(resource, action, getRawInput) } }),
  );
  const resolve = async ({ ctx }: { ctx: { callRoute: () => Promise<Outcome> } & Pick<TrpcContext, "answerOf"> }) =>
    outputOf(await ctx.callRoute(), ctx.answerOf);
  return route.method === "GET" ? procedure.query(resolve) : procedure.mutation(resolve);
};

const build = (tree: Contract): Built =>
  t.router(
    Object.fromEntries(
      Object.entries(tree).map(([resource, routes]) => [
        resource,
        t.router(
          Object.fromEntries(Object.entries(routes).map(([action, route]) => [action, procedureOf(resource, action, route)])),
        ),
      ]),
    ),
  );

export const createAppRouter = (): AppRouter => build(contract) as AppRouter; // see Built
