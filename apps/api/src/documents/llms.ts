/** /llms.txt and /llms-full.txt: the entry points for language models, in the llmstxt.org format. */
import {
  accessNote,
  type Contract,
  contract,
  formatsOf,
  keylessText,
  needsKey,
  pages,
  type Route,
  requestSchema,
  SUMMARY,
  streams,
} from "@assay/contract";
import type { Site } from "./layout.ts";
import type { TextDocument } from "./texts.ts";

const ABOUT = `${SUMMARY}. Many routes work
without a key; paid tiers have live prices, more metals and more history.`;

const rules = ({ catalog }: Site): string => `What holds everywhere:

- Amounts are JSON strings; parse them as decimals, never as floats.
- Instants are ISO-8601 in UTC with a Z.
- Prices on Free are 15 minutes late. ${keylessText(catalog)} \`is_stale\` says when a price is past its freshness window.
- \`format\` (or \`Accept\`) chooses another form where a route has one: CSV, a bare figure, price directives for beancount and ledger.
- Send a key as \`Authorization: Bearer <API_KEY>\` or \`X-API-Key: <API_KEY>\`, from a server: there is no CORS.
- Every refusal is JSON with \`error\`, \`message\` and \`request_id\`. Retry 429 and 503 after \`Retry-After\`, unless \`X-Should-Retry\` is false.`;

const routesOf = (): Route[] => {
  const tree: Contract = { ...contract, streams, ...pages };
  return Object.values(tree).flatMap((actions) => Object.values(actions));
};

/** What agents find at /mcp. */
const TOOL_NAMES = routesOf().flatMap(({ tool }) => (tool ? [tool.name] : []));

const entry =
  (site: Site) =>
  (document: TextDocument): string =>
    `- [${document.title}](${site.publicUrl}${document.path}.md): ${document.lead}`;

const routeLines = (site: Site): string[] =>
  routesOf().map((route) => {
    const { method, path, summary, successor, input } = route;
    const formats = formatsOf(route);
    const word = successor ? `${summary}; use ${successor}` : summary;
    // Routes that need no parameters link to their own answer.
    const isPlain = method === "GET" && !needsKey(route, site.catalog.keyless.tier) && input.safeParse({}).success;
    const line = isPlain ? `- [${method} ${path}](${site.publicUrl}${path}): ${word}` : `- \`${method} ${path}\`: ${word}`;
    return formats.length === 0 ? line : `${line} (also \`format=${formats.join("|")}\`)`;
  });

const head = (site: Site, simulated: boolean): string[] => [
  "# Assay",
  "",
  `> ${ABOUT.replace(/\s+/g, " ")}`,
  "",
  ...(simulated ? ["**Every price of this service is simulated.** None of them is a market price.", ""] : []),
  rules(site),
];

export const llmsText = (
  guides: readonly TextDocument[],
  errors: readonly TextDocument[],
  site: Site,
  simulated: boolean,
): string => {
  const [guideList, ...pages] = guides;
  return [
    ...head(site, simulated),
    ...(guideList ? ["", "## Guides", "", ...pages.map(entry(site))] : []),
    "",
    "## Reference",
    "",
    `- [OpenAPI 3.1 document](${site.publicUrl}/openapi.json): every route, parameter, answer, header and error, with examples`,
    `- [AsyncAPI 3 document](${site.publicUrl}/asyncapi.json): every frame, channel and close code of the streams`,
    `- MCP at \`${site.publicUrl}/mcp\`: ${TOOL_NAMES.map((name) => `\`${name}\``).join(", ")}`,
    `- TradingView's data feed at \`${site.publicUrl}/udf\`: the bars of /v1/bars, for chart front ends`,
    ...errors.slice(0, 1).map(entry(site)),
    "",
    "## Routes",
    "",
    ...routeLines(site),
    "",
    "## Optional",
    "",
    `- [Everything in one file](${site.publicUrl}/llms-full.txt): the guides, the routes and the errors`,
    `- [Reference for people](${site.publicUrl}/docs): the same in a browser, where requests can be sent`,
    "",
  ].join("\n");
};

const parameterLine = (
  name: string,
  schema: { readonly description?: string | undefined; readonly isOptional: boolean },
): string => `- \`${name}\`${schema.isOptional ? "" : " (required)"}: ${schema.description ?? ""}`;

const routeSection = (route: Route, { catalog }: Site): string => {
  const parameters = Object.entries(requestSchema(route).shape as Route["input"]["shape"]).map(([name, field]) =>
    parameterLine(name, { description: field.meta()?.description, isOptional: field.safeParse(undefined).success }),
  );
  return [
    `### ${route.method} ${route.path}`,
    "",
    `${route.summary}. ${route.description}`,
    "",
    accessNote(route, catalog.keyless.tier),
    "",
    ...parameters,
  ]
    .join("\n")
    .trimEnd();
};

/** Demotes the headings of a text by one level, except inside code. */
const deeper = (markdown: string): string => {
  let inCode = false;
  return markdown
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) inCode = !inCode;
      return !inCode && line.startsWith("#") ? `#${line}` : line;
    })
    .join("\n")
    .trim();
};

export const llmsFullText = async (
  guides: readonly TextDocument[],
  errors: readonly TextDocument[],
  site: Site,
  simulated: boolean,
): Promise<string> => {
  const sectionsOf = async (documents: readonly TextDocument[]): Promise<string[]> =>
    (await Promise.all(documents.map(({ markdown }) => markdown()))).flatMap((text) => [deeper(text), ""]);
  return [
    ...head(site, simulated),
    "",
    ...(await sectionsOf(guides.slice(1))),
    "## Routes",
    "",
    ...routesOf().flatMap((route) => [routeSection(route, site), ""]),
    ...(await sectionsOf(errors.slice(0, 1))),
  ].join("\n");
};
