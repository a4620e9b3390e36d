/** Serves the documents: the OpenAPI document, the reference, guides, error pages, and texts for language models. */
import { refused, type TierCatalog } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live } from "@assay/live";
import type { Context, Hono } from "hono";
import { type Load, openLibrary } from "./documents/library.ts";
import { respond } from "./documents/respond.ts";
import { type Site, siteOf } from "./documents/site.ts";
import { openTexts, type Texts } from "./documents/text-documents.ts";
import { type Env, refuse } from "./http/mount.ts";

/** What the documents are built from. */
export interface DocumentsOptions {
  /** Base of absolute links; called when the first document is, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  readonly catalog: TierCatalog;
  readonly live: Pick<Live, "latest">;
  /** Whether the console is served at `/`, so that pages link to it. */
  readonly hasConsole?: boolean;
}

/** Returns whether any price is simulated; while that is unavailable, the last known answer. */
const simulationTold = ({ latest }: Pick<Live, "latest">): (() => Promise<boolean>) => {
  let known = false;
  return async () => {
    try {
      const text = await latest.get(FEEDS_DOCUMENT_KEY);
      // Our own writer wrote it in this shape.
      if (text !== null) known = (JSON.parse(text) as FeedsDocument).simulated;
    } catch {
      // The cache is unavailable; the status document reports it.
    }
    return known;
  };
};

/** Paths that may be documents. None of them shadows a route of the contract. */
const PATHS = ["/openapi.json", "/asyncapi.json", "/llms.txt", "/llms-full.txt", "/docs/*"];

/** What other doors show of the documents. */
export interface Documents {
  readonly site: () => Site;
  readonly texts: () => Texts;
  /** Whether any price is simulated. */
  readonly isSimulated: () => Promise<boolean>;
}

/** Opens the documents; nothing is read before it is asked for. */
export const openDocuments = ({ publicUrl, catalog, live, hasConsole = false }: DocumentsOptions): Documents => {
  let opened: { readonly site: Site; readonly texts: Texts } | undefined;
  const open = () => {
    if (!opened) {
      const site = siteOf(publicUrl(), catalog, hasConsole);
      opened = { site, texts: openTexts(site) };
    }
    return opened;
  };
  return { site: () => open().site, texts: () => open().texts, isSimulated: simulationTold(live) };
};

/** Mounts the documents. A path without one is answered like any unknown path. */
export const mountDocuments = (app: Hono<Env>, { site, texts, isSimulated }: Documents): void => {
  let library: ReadonlyMap<string, Load> | undefined;
  const opened = (): ReadonlyMap<string, Load> => {
    library ??= openLibrary(site(), texts());
    return library;
  };
  const answer = async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const load = opened().get(context.req.path);
    if (!load) return context.notFound();
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      return refuse(incoming, refused("method_not_allowed"), { Allow: "GET, HEAD" });
    }
    return respond(await load(await isSimulated()), incoming);
  };
  for (const path of PATHS) app.all(path, answer);
};
