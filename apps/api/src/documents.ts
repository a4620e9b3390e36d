/** The documents over HTTP: the OpenAPI document, the reference, guides, error pages, and what language models read. */
import { Refusal, type TierCatalog } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live } from "@assay/live";
import type { Context, Hono } from "hono";
import { type Load, openLibrary } from "./documents/library.ts";
import { respond } from "./documents/respond.ts";
import { siteOf } from "./documents/site.ts";
import { type Env, refuse } from "./http/mount.ts";

/** What the documents are made from. */
export interface DocumentsOptions {
  /** Base of absolute links; asked when the first document is, as the port may be known only once it listens. */
  readonly publicUrl: () => string;
  readonly catalog: TierCatalog;
  readonly live: Pick<Live, "latest">;
}

/** Asks whether any price is simulated; while nobody can tell, what was known last. */
const simulationTold = ({ latest }: Pick<Live, "latest">): (() => Promise<boolean>) => {
  let known = false;
  return async () => {
    try {
      const text = await latest.get(FEEDS_DOCUMENT_KEY);
      // Written by our own writer in this very form.
      if (text !== null) known = (JSON.parse(text) as FeedsDocument).simulated;
    } catch {
      // The cache is away; the status document tells of it.
    }
    return known;
  };
};

/** Paths that may hold documents. None of them is in front of a route of the contract. */
const PATHS = ["/openapi.json", "/asyncapi.json", "/llms.txt", "/llms-full.txt", "/docs/*"];

/** Mounts the documents. A path that holds none is answered as unknown paths are. */
export const mountDocuments = (app: Hono<Env>, { publicUrl, catalog, live }: DocumentsOptions): void => {
  const isSimulated = simulationTold(live);
  let library: ReadonlyMap<string, Load> | undefined;
  const opened = (): ReadonlyMap<string, Load> => {
    library ??= openLibrary(siteOf(publicUrl(), catalog));
    return library;
  };
  const answer = async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const load = opened().get(context.req.path);
    if (!load) return context.notFound();
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      return refuse(incoming, new Refusal("method_not_allowed"), { Allow: "GET, HEAD" });
    }
    return respond(await load(await isSimulated()), incoming);
  };
  for (const path of PATHS) app.all(path, answer);
};
