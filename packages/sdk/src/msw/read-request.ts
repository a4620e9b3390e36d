/** Reads the parameters and the key of a mocked request. */
import type { MockParameter, MockRoute } from "./mock-route.ts";

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
  const body = route.method === "POST" ? await bodyOf(request) : {};
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
