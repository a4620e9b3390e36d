/** Builds the path, query and body of a request from a route and its parameters. */
import { type ParameterLocation, parameterLocation, type Route } from "@assay/contract";

type Input = Readonly<Record<string, unknown>>;

const given = (route: Route, input: Input, at: ParameterLocation): [string, unknown][] =>
  Object.entries(input).filter(([name, value]) => value !== undefined && parameterLocation(route, name) === at);

/**
 * The address of a route with its parameters, without the host.
 * @param input parameters by name; undefined ones are left out, and so are those of the body
 * @param extraQuery appended verbatim to the query string
 */
export const requestPath = (route: Route, input: Input = {}, extraQuery = ""): string => {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  for (const [name, value] of given(route, input, "query")) query.append(name, String(value));
  const search = [query.toString(), extraQuery].filter((part) => part !== "").join("&");
  return search === "" ? path : `${path}?${search}`;
};

/** The JSON body of a request; null when none of its parameters are given there. */
export const requestBody = (route: Route, input: Input = {}): string | null => {
  const fields = given(route, input, "body");
  return fields.length === 0 ? null : JSON.stringify(Object.fromEntries(fields));
};
