/** The documents: each by its path, built when first asked for and kept encoded, and serving them. */
import type { TierCatalog } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live } from "@assay/live";
import { asyncApiText, isReading, openApiText } from "@assay/process";
import { EncodedDocument } from "@assay/services";
import type { Context, Hono } from "hono";
import { type Env, refuseMethod, respond } from "../http/send.ts";
import { type Assets, openAssets, openPictures } from "./assets.ts";
import { frame, type Page, type Site, siteOf } from "./layout.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { referencePage, SEARCH_INDEX } from "./pages.ts";
import { searchIndex } from "./search.ts";
import { openTexts, type TextDocument, type Texts } from "./texts.ts";

/** A document in two forms: for simulated prices, and for real ones. */
export type Load = (isSimulated: boolean) => Promise<EncodedDocument>;

const ASK_AGAIN = "no-cache";
const AN_HOUR = "public, max-age=3600";

/** Builds each of the two forms once. */
const kept = (make: (isSimulated: boolean) => EncodedDocument | Promise<EncodedDocument>): Load => {
  const forms = new Map<boolean, Promise<EncodedDocument>>();
  return (isSimulated) => {
    const known = forms.get(isSimulated);
    if (known) return known;
    const form = Promise.resolve(isSimulated).then(make);
    forms.set(isSimulated, form);
    // Not cached: what could not be read now may be available next time.
    form.catch(() => forms.delete(isSimulated));
    return form;
  };
};

/** A single form, independent of whether prices are simulated. */
const keptOnce = (make: () => EncodedDocument | Promise<EncodedDocument>): Load => {
  const load = kept(make);
  return () => load(false);
};

const text = (type: string, cacheControl: string, make: (isSimulated: boolean) => string | Promise<string>): Load =>
  kept(async (isSimulated) => new EncodedDocument(`${type}; charset=utf-8`, cacheControl, await make(isSimulated)));

const pageLoader =
  (site: Site, assets: Assets) =>
  (page: () => Page | Promise<Page>): Load =>
    text("text/html", ASK_AGAIN, async (isSimulated) =>
      frame(await page(), site, { icon: assets.icon.path, stylesheet: assets.stylesheet.path }, isSimulated),
    );

const json = (make: () => Promise<string>): Load =>
  keptOnce(async () => new EncodedDocument("application/json", AN_HOUR, await make()));

/**
 * Lists the documents; nothing is built yet.
 * @param site the service
 * @param texts its guides and error pages; by default the repository's
 */
export const openLibrary = (site: Site, { guides, errors } = openTexts(site)): ReadonlyMap<string, Load> => {
  const assets = openAssets();
  const page = pageLoader(site, assets);
  const searched = async (document: TextDocument): Promise<Page> => {
    const shown = await document.page();
    return { ...shown, scripts: { ...shown.scripts, late: [assets.search.path] } };
  };
  const texts = [...guides, ...errors].flatMap((document: TextDocument): [string, Load][] => [
    [document.path, page(() => searched(document))],
    [`${document.path}.md`, text("text/markdown", ASK_AGAIN, document.markdown)],
  ]);
  return new Map<string, Load>([
    ["/openapi.json", json(() => openApiText(site.publicUrl, site.catalog))],
    ["/asyncapi.json", json(() => asyncApiText(site.publicUrl))],
    ["/docs", page(() => referencePage(assets, site))],
    ["/llms.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsText(guides, errors, site, isSimulated))],
    ["/llms-full.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsFullText(guides, errors, site, isSimulated))],
    [SEARCH_INDEX, json(() => searchIndex([...guides.slice(1), ...errors.slice(1)], site.basePath))],
    ...texts,
    ...[...Object.values(assets), ...openPictures()].map(({ path, load }): [string, Load] => [path, keptOnce(load)]),
  ]);
};

export interface DocumentsOptions {
  /** Base of absolute links; called when the first document is, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  readonly catalog: TierCatalog;
  readonly live: Pick<Live, "latest">;
  /** Whether the console is served at `/`, so that pages link to it. */
  readonly hasConsole?: boolean;
}

/** Returns whether any price is simulated; while that is unavailable, the last known answer. */
const simulationKnown = ({ latest }: Pick<Live, "latest">): (() => Promise<boolean>) => {
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

export interface Documents {
  readonly site: () => Site;
  readonly texts: () => Texts;
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
  return { site: () => open().site, texts: () => open().texts, isSimulated: simulationKnown(live) };
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
    if (!isReading(incoming)) return refuseMethod(incoming);
    return respond(await load(await isSimulated()), incoming);
  };
  for (const path of PATHS) app.all(path, answer);
};
