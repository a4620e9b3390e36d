/** From a mocked request to a route's input: enough for requests a client of ours writes. */
import { pathParameters, type Route } from "@assay/contract";
import { z } from "zod";

const jsonTypeOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).type;

const typed = (text: string, type: unknown): unknown => {
  if (type === "integer" || type === "number") return Number(text);
  if (type === "boolean") return text === "true";
  return text;
};

const bodyOf = async (request: Request): Promise<Record<string, unknown>> => {
  const text = await request.clone().text();
  return text === "" ? {} : JSON.parse(text);
};

/**
 * Reads a request the way the service would.
 * @param path parameters of the path, as the interceptor found them
 * @throws ZodError when the client sends what the service would refuse
 */
export const decodeRequest = async (
  route: Route,
  request: Request,
  path: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => {
  const { searchParams } = new URL(request.url);
  const body = route.method === "POST" ? await bodyOf(request) : {};
  const inPath = new Set(pathParameters(route.path));
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(route.input.shape)) {
    const text = inPath.has(name) ? path[name] : searchParams.get(name);
    if (typeof text === "string")
      values[name] = typed(text, jsonTypeOf(schema as z.ZodType)); // a shape holds schemas
    else if (Object.hasOwn(body, name)) values[name] = body[name];
  }
  return route.input.parse(values);
};
