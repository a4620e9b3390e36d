/** Every document by its path, each made when somebody first asks for it and kept encoded. */
import { asyncApiDocument } from "@assay/codegen";
import { openApiDocument } from "../openapi/document.ts";
import { type Assets, openAssets } from "./assets.ts";
import { EncodedDocument } from "./encoded-document.ts";
import { readGuides } from "./guides.ts";
import { frame, type Page } from "./layout.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { referencePage } from "./reference-page.ts";
import type { Site } from "./site.ts";
import { errorDocuments, guideDocuments, type TextDocument } from "./text-documents.ts";

/** A document as it stands while the service's prices are simulated, or are not. */
export type Load = (isSimulated: boolean) => Promise<EncodedDocument>;

const ASK_AGAIN = "no-cache";
const AN_HOUR = "public, max-age=3600";

/** Makes each of the two forms once. */
const kept = (make: (isSimulated: boolean) => EncodedDocument | Promise<EncodedDocument>): Load => {
  const forms = new Map<boolean, Promise<EncodedDocument>>();
  return (isSimulated) => {
    const known = forms.get(isSimulated);
    if (known) return known;
    const form = Promise.resolve(isSimulated).then(make);
    forms.set(isSimulated, form);
    // What could not be read now may be there the next time.
    form.catch(() => forms.delete(isSimulated));
    return form;
  };
};

/** One form, whatever the prices are. */
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

const jsonLoader = (make: () => object): Load =>
  keptOnce(() => new EncodedDocument("application/json", AN_HOUR, JSON.stringify(make())));

/**
 * Finds out what there is; nothing of it is made yet.
 * @param site the service
 * @param guidesFolder where the guides lie; by default in the repository
 */
export const openLibrary = (site: Site, guidesFolder?: string): ReadonlyMap<string, Load> => {
  const assets = openAssets();
  const found = readGuides(guidesFolder);
  const guides = found === null ? [] : guideDocuments(found, site);
  const errors = errorDocuments(site);
  const page = pageLoader(site, assets);
  const texts = [...guides, ...errors].flatMap((document: TextDocument): [string, Load][] => [
    [document.path, page(document.page)],
    [`${document.path}.md`, text("text/markdown", ASK_AGAIN, document.markdown)],
  ]);
  return new Map<string, Load>([
    ["/openapi.json", jsonLoader(() => openApiDocument(site.publicUrl))],
    ["/asyncapi.json", jsonLoader(() => asyncApiDocument(site.publicUrl))],
    ["/docs", page(() => referencePage(assets, site))],
    ["/llms.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsText(guides, errors, site, isSimulated))],
    ["/llms-full.txt", text("text/plain", ASK_AGAIN, (isSimulated) => llmsFullText(guides, errors, isSimulated))],
    ...texts,
    ...Object.values(assets).map(({ path, load }): [string, Load] => [path, keptOnce(load)]),
  ]);
};
