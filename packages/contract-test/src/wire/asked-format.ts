/** The format a request asked for. */
import { FORMAT_PARAMETER, type Format, formatsOf, type Route } from "@assay/contract";
import type { Exchange } from "./exchange.ts";

/** A format of the route, named once; undefined for JSON and for what is refused. */
export const askedFormat = (route: Route, { sent }: Pick<Exchange, "sent">): Format | undefined => {
  const named = new URL(sent.url).searchParams.getAll(FORMAT_PARAMETER);
  return named.length === 1 ? formatsOf(route).find((format) => format === named[0]) : undefined;
};
