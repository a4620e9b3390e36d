/** Mock handlers for a whole service: mocks from the test, and examples for all other routes. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { type Mocks, mockRoutes } from "../generated/mocks.ts";
import type { ReceiptKeys } from "../receipts/index.ts";
import { keyOf, Refusal, readRequest, refusalResponse } from "./mock-request.ts";
import type { Code, MockRoute } from "./mock-route.ts";
import type { MockStream } from "./mock-stream.ts";

/** Receipts are signed with a key made for the mocks, which their `/.well-known/jwks.json` publishes. */
const ALGORITHM = { name: "Ed25519" };
const KID = "mock";

const generate = async () => {
  const made = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  if (!("publicKey" in made)) throw new Error("Ed25519 keys come in pairs");
  return made;
};

let pair: ReturnType<typeof generate> | undefined;

const keyPair = () => {
  pair ??= generate();
  return pair;
};

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const part = (value: unknown): string => encoded(new TextEncoder().encode(JSON.stringify(value)));

const mockKeys = async (): Promise<ReceiptKeys> => {
  const { x = "" } = await crypto.subtle.exportKey("jwk", (await keyPair()).publicKey);
  return { keys: [{ kty: "OKP", crv: "Ed25519", x, kid: KID }] };
};

interface ReceiptContext {
  readonly issuer: string;
  readonly requestId: string;
  readonly route: string;
}

const mockReceipt = async (body: unknown, { issuer, requestId, route }: ReceiptContext): Promise<string> => {
  const claims = { iss: issuer, iat: Math.floor(Date.now() / 1_000), request_id: requestId, route, body };
  const text = `${part({ alg: "EdDSA", kid: KID })}.${part(claims)}`;
  const signature = await crypto.subtle.sign(ALGORITHM, (await keyPair()).privateKey, new TextEncoder().encode(text));
  return `${text}.${encoded(new Uint8Array(signature))}`;
};

/** Mocks by resource and method, and the mocked base URL. */
export interface MockAssayOptions extends Mocks {
  /** The `baseUrl` of the client under test. */
  readonly baseUrl: string;
  /** Enables the server-sent events feed; pass its `WebSocket` to the client. Without it there are no streams. */
  readonly stream?: MockStream;
}

type AnyMock = (call: {
  params: unknown;
  key: string | null;
  request: Request;
  fail: (code: Code, detail?: Record<string, unknown>) => never;
}) => unknown;

const METHODS = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete } as const;

const requestIdOf = ({ headers }: Request): string => headers.get("x-request-id") ?? "mock-request";

const fail = (code: Code, detail?: Record<string, unknown>): never => {
  throw new Refusal(code, detail);
};

const answer = async (
  mock: unknown,
  route: MockRoute,
  request: Request,
  path: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  if (typeof mock !== "function") return mock ?? route.example;
  // The mock's own type says what it accepts; the tables ensure that it gets it.
  return (mock as AnyMock)({ params: await readRequest(route, request, path), key: keyOf(request), request, fail });
};

const urlOf = (base: string, path: string): string => `${base}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;

const asksForReceipt = ({ hasReceipt }: MockRoute, { url }: Request): boolean =>
  hasReceipt === true && new URL(url).searchParams.get("format") === "jws";

const handlerOf = (route: MockRoute, mock: unknown, base: string): HttpHandler =>
  METHODS[route.method](urlOf(base, route.path), async ({ request, params }) => {
    const requestId = requestIdOf(request);
    const headers = { "x-request-id": requestId, "cache-control": route.cacheControl };
    try {
      const body = await answer(mock, route, request, params);
      if (body === undefined) return new HttpResponse(null, { status: route.status, headers });
      if (route.status === 307) {
        const { location } = body as { readonly location: string }; // the output of every redirecting route
        return new HttpResponse(null, { status: 307, headers: { ...headers, location } });
      }
      if (asksForReceipt(route, request)) {
        const receipt = await mockReceipt(body, { issuer: base, requestId, route: `${route.method} ${route.path}` });
        return new HttpResponse(receipt, { headers: { ...headers, "content-type": "application/jose" } });
      }
      return Response.json(body, { status: route.status, headers });
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error, requestId);
      throw error;
    }
  });

const otherMethod = (path: string, url: string): HttpHandler => {
  const allowed = mockRoutes.filter((route) => route.path === path).map(({ method }) => method);
  return http.all(url, ({ request }) =>
    refusalResponse(new Refusal("method_not_allowed"), requestIdOf(request), { allow: allowed.join(", ") }),
  );
};

const byPlace = (mocks: Mocks, { resource, action }: MockRoute): unknown => {
  // The tables use the same parameter locations as the API.
  const resources = mocks as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  return resources[resource]?.[action];
};

/** Paths with fewer parameters first: `/v1/bars/latest` before `/v1/bars/{id}`. */
const fixedFirst = (left: MockRoute, right: MockRoute): number => left.path.split("{").length - right.path.split("{").length;

/**
 * Creates mock handlers for every route of the service, for `setupServer` or `setupWorker` of msw. Routes without a mock return
 * an example; receipts are signed with a key of the mocks; unknown paths return 404, as the service would.
 * @param options the mocked base URL, and mocks by resource and method
 * @returns handlers, in the order msw must try them
 * @example
 * ```ts
 * const server = setupServer(
 *   ...mockAssay({
 *     baseUrl: "https://assay.test",
 *     spot: { get: ({ params, fail }) => (params.symbol === "XAG" ? fail("plan_gated", { tier: "free", required_tier: "pro" }) : gold) },
 *   }),
 * );
 * ```
 */
export const mockAssay = ({ baseUrl, stream, ...mocks }: MockAssayOptions): HttpHandler[] => {
  const base = baseUrl.replace(/\/+$/, "");
  const routes = [...mockRoutes].sort(fixedFirst);
  const paths = [...new Set(routes.map(({ path }) => path))];
  return [
    ...(stream?.handlers(base) ?? []),
    ...routes.map((route) => handlerOf(route, byPlace(mocks, route), base)),
    ...paths.map((path) => otherMethod(path, urlOf(base, path))),
    http.get(`${base}/.well-known/jwks.json`, async () => HttpResponse.json(await mockKeys())),
    http.all(`${base}/*`, ({ request }) => refusalResponse(new Refusal("not_found"), requestIdOf(request))),
  ];
};
