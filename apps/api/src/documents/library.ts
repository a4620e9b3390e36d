/** Every document by its path, each built on first request and cached encoded. */
import { asyncApiText, openApiText } from "@assay/process";
import { type Assets, openAssets, openPictures } from "./assets.ts";
import { EncodedDocument } from "./encoded-document.ts";
import { frame, type Page } from "./layout.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { referencePage } from "./reference-page.ts";
import type { Site } from "./site.ts";
import { openTexts, type TextDocument } from "./text-documents.ts";

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

const text = (type: string, cacheControl: string, make: (isSimulated: boolean) => string): Load =>
  kept((isSimulated) => new EncodedDocument(`${type}; charset=utf-8`, cacheControl, make(isSimulated)));

const pageLoader =
  (site: Site, assets: Assets) =>
  (page: () => Page): Load =>
    text("text/html", ASK_AGAIN, (isSimulated) =>
      frame(page(), site, { icon: assets.icon.path, stylesheet: assets.stylesheet.path }, isSimulated),
    );

const json = (make: () => string): Load => keptOnce(() => new EncodedDocument("application/json", AN_HOUR, make()));

/**
 * Lists the documents; nothing is built yet.
 * @param site the service
 * @param texts its guides and error pages; by default the repository's
 */
export const openLibrary = (site: Site, { guides, errors } = openTexts(site)): ReadonlyMap<string, Load> => {
  const assets = openAssets();
  const page = pageLoader(site, assets);
  const texts = [...guides, ...errors].flatMap((document: TextDocument): [string, Load][] => [
    [document.path, page(document.page)],
    [`${document.path}.md`, text("text/markdown", ASK_AGAIN, document.markdown)],
  ]);
  return new Map<string, Load>([
    ["/openapi.json", json(() => openApiText(site.publicUrl))],
    ["/asyncapi.json", json(() => asyncApiText(site.publicUrl))],
    ["/docs", page(() => referencePage(assets, site))],
    ["/llms.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsText(guides, errors, site, isSimulated))],
    ["/llms-full.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsFullText(guides, errors, isSimulated))],
    ...texts,
    ...[...Object.values(assets), ...openPictures()].map(({ path, load }): [string, Load] => [path, keptOnce(load)]),
  ]);
};
