/** The bodies of a route's success: JSON or the route's own kind, and every format it has, each with examples. */
import { EXAMPLE_RECEIPT, formatEntry, formatsOf, formatWriter, type Route } from "@assay/contract";
import type { MediaType } from "./types.ts";

/** An example answer written in each format, by media type: several formats may share one. */
const formatContents = (route: Route): Record<string, MediaType> => {
  const contents: Record<string, MediaType> = {};
  const [example] = Object.values(route.examples ?? {});
  for (const format of formatsOf(route)) {
    const { contentType, summary } = formatEntry(format);
    const [media = contentType] = contentType.split(";");
    const content = contents[media] ?? { schema: { type: "string" }, examples: {} };
    const value = format === "jws" ? EXAMPLE_RECEIPT : example && formatWriter(route, format)(example.value);
    const shown = value === undefined ? {} : { [format]: { summary, value } };
    contents[media] = { ...content, examples: { ...content.examples, ...shown } };
  }
  return contents;
};

/**
 * The content of a success response.
 * @param schema the schema of the answer
 */
export const successContents = (route: Route, schema: unknown): Record<string, MediaType> => ({
  [route.success.mediaType ?? "application/json"]: { schema, examples: { ...route.examples } },
  ...formatContents(route),
});
