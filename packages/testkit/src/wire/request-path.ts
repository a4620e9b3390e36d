/** Builds the path and query of a request from a route and its parameters. */
import { pathParameters, type Route } from "@assay/contract";

/**
 * The address of a route with its parameters, without the host.
 * @param input parameters by name; undefined ones are left out, and a POST route's go in its body instead
 * @param extraQuery appended verbatim to the query string
 */
export const requestPath = (route: Route, input: Readonly<Record<string, unknown>> = {}, extraQuery = ""): string => {
  const inPath = new Set(pathParameters(route.path));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  if (route.method !== "POST") {
    for (const [name, value] of Object.entries(input)) {
      if (!inPath.has(name) && value !== undefined) query.append(name, String(value));
    }
  }
  const search = [query.toString(), extraQuery].filter((part) => part !== "").join("&");
  return search === "" ? path : `${path}?${search}`;
};
