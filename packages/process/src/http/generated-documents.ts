/**
 * The generated documents, with the address of the running service. They are read from the repository; with an operator's catalogue, or
 * other access without a key, which they would not describe, the generator makes them when they are first asked for.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isOperatorsCatalogue } from "@assay/catalogue";
import { DEFAULT_CATALOG, DOCUMENTED_URL, keylessText, type TierCatalog } from "@assay/contract";

const { resolve } = createRequire(import.meta.url);

/** It takes time and memory to load, which a service with the built-in catalogue saves. */
const generator = () => import("@assay/codegen");

const documentOf = (name: "openapi" | "asyncapi"): string => readFileSync(resolve(`@assay/contract/${name}.json`), "utf8");

/**
 * The OpenAPI document as JSON text.
 * @param publicUrl base of absolute links, without a trailing slash
 * @param catalog the tiers of the service
 */
export const openApiText = async (publicUrl: string, catalog: TierCatalog): Promise<string> =>
  JSON.stringify(
    isOperatorsCatalogue || keylessText(catalog) !== keylessText(DEFAULT_CATALOG)
      ? (await generator()).openApiDocument(publicUrl, catalog)
      : JSON.parse(documentOf("openapi").replaceAll(DOCUMENTED_URL, publicUrl)),
  );

interface Server {
  readonly host: string;
  readonly protocol: string;
}

/**
 * The AsyncAPI document as JSON text.
 * @param publicUrl base of absolute links: its host, path and scheme replace those of each server
 */
export const asyncApiText = async (publicUrl: string): Promise<string> => {
  if (isOperatorsCatalogue) return JSON.stringify((await generator()).asyncApiDocument(publicUrl));
  const { protocol: scheme, host, pathname } = new URL(publicUrl);
  const isSecure = scheme === "https:";
  const base = pathname === "/" ? {} : { pathname };
  // We generate it in this shape, for an address without TLS.
  const document = JSON.parse(documentOf("asyncapi")) as { servers: Record<string, Server> };
  const servers = Object.entries(document.servers).map(([name, { host: _, protocol, ...rest }]) => [
    name,
    { host, ...base, protocol: isSecure ? `${protocol}s` : protocol, ...rest },
  ]);
  return JSON.stringify({ ...document, servers: Object.fromEntries(servers) });
};

/**
 * An error page as Markdown.
 * @param file its path in the repository
 * @param kept its text there
 */
export const errorPageText = async (file: string, kept: string): Promise<string> =>
  isOperatorsCatalogue ? ((await generator()).errorPages().get(file) ?? kept) : kept;
