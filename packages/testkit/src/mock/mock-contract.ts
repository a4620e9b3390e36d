/** msw handlers for every route of a contract, typed by it, so that a mock cannot drift from the service. */
import {
  type Contract,
  ERRORS,
  type ErrorCode,
  type ErrorDetail,
  errorCodesOf,
  type InputOf,
  type OutputOf,
  type Route,
} from "@assay/contract";
import { type HttpHandler, HttpResponse, http } from "msw";
import { faultsOf } from "../wire/strict-schema.ts";
import { decodeRequest } from "./decode-request.ts";

/** A refusal to answer with. */
export class MockRefusal {
  readonly code: ErrorCode;
  readonly detail: Record<string, unknown>;
  readonly headers: Record<string, string>;
  constructor(code: ErrorCode, detail: Record<string, unknown>, headers: Record<string, string>) {
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

/**
 * Refuses a mocked request.
 * @param detail the fields the code's body adds
 * @param headers beside those every answer has, for example Retry-After
 */
export const mockRefusal = <C extends ErrorCode>(
  code: C,
  detail: ErrorDetail<C>,
  headers: Record<string, string> = {},
): MockRefusal => new MockRefusal(code, detail as Record<string, unknown>, headers); // fields by name

/** What a mock is told of a request. */
export interface MockCall<R> {
  /** The parameters as the verb would get them. */
  readonly input: InputOf<R>;
  readonly request: Request;
  /** The key sent, in either header; null for none. */
  readonly key: string | null;
}

/** What a mock answers: the route's output or a refusal, or a function that makes either. */
export type MockAnswer<R> =
  | OutputOf<R>
  | MockRefusal
  | ((call: MockCall<R>) => OutputOf<R> | MockRefusal | Promise<OutputOf<R> | MockRefusal>);

/** A maker of handlers for every route. */
export type MockContract<C extends Contract> = {
  readonly [G in keyof C]: { readonly [K in keyof C[G]]: (answer: MockAnswer<C[G][K]>) => HttpHandler };
};

type AnyAnswer = (call: { input: unknown; request: Request; key: string | null }) => unknown;

const keyOf = (headers: Headers): string | null =>
  headers.get("authorization")?.replace(/^bearer +/i, "") ?? headers.get("x-api-key");

const refuse = (route: Route, refusal: MockRefusal, headers: Record<string, string>): Response => {
  const { code, detail } = refusal;
  if (!errorCodesOf(route).includes(code)) throw new Error(`${route.method} ${route.path} never answers ${code}`);
  const { status, message } = ERRORS[code];
  const body = { error: code, message, request_id: headers["X-Request-Id"], ...detail };
  return HttpResponse.json(body, { status, headers: { ...headers, "Cache-Control": "no-store", ...refusal.headers } });
};

const answer = (route: Route, output: unknown, headers: Record<string, string>): Response => {
  if (output instanceof MockRefusal) return refuse(route, output, headers);
  const faults = faultsOf(route.output, output);
  if (faults.length > 0) throw new Error(`not an answer of ${route.method} ${route.path}: ${faults.join("; ")}`);
  const { status, cacheControl = "no-store" } = route.success;
  const all = { ...headers, "Cache-Control": cacheControl };
  // The contract's outputs are plain data.
  return output === undefined
    ? new HttpResponse(null, { status, headers: all })
    : HttpResponse.json(output as Record<string, unknown>, { status, headers: all });
};

const handlerOf = (route: Route, baseUrl: string, given: unknown): HttpHandler => {
  const method = ({ GET: http.get, POST: http.post, DELETE: http.delete } as const)[route.method];
  const url = `${baseUrl}${route.path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  return method(url, async ({ request, params }) => {
    const headers = { "X-Request-Id": request.headers.get("x-request-id") ?? "mock-request" };
    const call = { input: await decodeRequest(route, request, params), request, key: keyOf(request.headers) };
    const output = typeof given === "function" ? await (given as AnyAnswer)(call) : given; // a MockAnswer by its type
    return answer(route, output, headers);
  });
};

/**
 * Makes mocks for a contract: `mocks.spot.get(row)` is a handler for `setupServer`.
 * @param contract the routes
 * @param baseUrl where the client under test looks for the service
 * @throws by its handlers, when an answer does not match the route's schema or a code is not one of the route's
 */
export const mockContract = <C extends Contract>(contract: C, baseUrl: string): MockContract<C> =>
  // Each entry is made from the very route its type names.
  Object.fromEntries(
    Object.entries(contract).map(([resource, routes]) => [
      resource,
      Object.fromEntries(
        Object.entries(routes).map(([action, route]) => [action, (given: unknown) => handlerOf(route, baseUrl, given)]),
      ),
    ]),
  ) as MockContract<C>;
