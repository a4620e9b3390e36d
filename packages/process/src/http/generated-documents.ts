/** The generated OpenAPI and AsyncAPI documents, with the address of the running service. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { DOCUMENTED_URL } from "@assay/contract";

const { resolve } = createRequire(import.meta.url);

const documentOf = (name: "openapi" | "asyncapi"): string => readFileSync(resolve(`@assay/contract/${name}.json`), "utf8");

/**
 * The OpenAPI document as JSON text.
 * @param publicUrl base of absolute links, without a trailing slash
 */
export const openApiText = (publicUrl: string): string =>
  JSON.stringify(JSON.parse(documentOf("openapi").replaceAll(DOCUMENTED_URL, publicUrl)));

interface Server {
  readonly host: string;
  readonly protocol: string;
}

/**
 * The AsyncAPI document as JSON text.
 * @param publicUrl base of absolute links: its host, path and scheme replace those of each server
 */
export const asyncApiText = (publicUrl: string): string => {
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
