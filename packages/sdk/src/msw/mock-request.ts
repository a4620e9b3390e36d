/** What a mock reads of a request, and the refusal it may answer with. */
import { mockErrors } from "../generated/mocks.ts";
import type { Code, MockParameter, MockRoute } from "./mock-route.ts";

const typed = (text: string, kind: MockParameter["kind"]): unknown => {
  if (kind === "number") return Number(text);
  return kind === "boolean" ? text === "true" : text;
};

const bodyOf = async (request: Request): Promise<Readonly<Record<string, unknown>>> => {
  const text = await request.clone().text();
  return text === "" ? {} : JSON.parse(text);
};

/**
 * Reads the parameters of a request, with defaults. Nothing is validated: mocks stand for a service that accepted the request.
 * @param path the path parameters found by msw
 * @returns values by wire name
 */
export const readRequest = async (
  route: MockRoute,
  request: Request,
  path: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> => {
  const { searchParams } = new URL(request.url);
  const body = route.method === "POST" || route.method === "PATCH" ? await bodyOf(request) : {};
  const params: Record<string, unknown> = {};
  for (const [name, { in: place, kind, whenAbsent }] of Object.entries(route.parameters)) {
    const given = place === "body" ? body[name] : place === "path" ? path[name] : searchParams.get(name);
    const value = typeof given === "string" && place !== "body" ? typed(given, kind) : (given ?? whenAbsent);
    if (value !== undefined) params[name] = value;
  }
  return params;
};

/** The key a request carries; null for none. */
export const keyOf = ({ headers }: Request): string | null =>
  headers.get("authorization")?.replace(/^bearer +/i, "") ?? headers.get("x-api-key");

/** What `fail` throws. */
export class Refusal extends Error {
  readonly code: Code;
  readonly detail: Readonly<Record<string, unknown>>;

  /**
   * @param code one of the route's codes
   * @param detail fields of the body, and a message to replace the default one
   */
  constructor(code: Code, detail: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

/** Headers the service adds to a refusal, depending on its body. */
const headersOf = ({ code, detail }: Refusal): Record<string, string> => {
  const seconds = detail.retry_after_seconds;
  const { status } = mockErrors[code];
  return {
    ...(typeof seconds === "number" ? { "retry-after": String(seconds) } : status === 503 ? { "retry-after": "1" } : {}),
    ...(code === "quota_exceeded" ? { "x-should-retry": "false" } : {}),
  };
};

/** The answer of a refusal. */
export const refusalResponse = (
  refusal: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const { status, message } = mockErrors[refusal.code];
  const body = { error: refusal.code, message, request_id: requestId, ...refusal.detail };
  return Response.json(body, {
    status,
    headers: { "x-request-id": requestId, "cache-control": "no-store", ...headersOf(refusal), ...headers },
  });
};
