/** The static files of the pages: our own, and the files needed of the reference library. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EncodedDocument } from "@assay/services";
import swaggerUiFolder from "swagger-ui-dist/absolute-path.js";

/** The path changes with the content, so caches never need to revalidate. */
const FOREVER = "public, max-age=31536000, immutable";

const OWN_FOLDER = fileURLToPath(new URL("../../assets/", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  webp: "image/webp",
};

const typeOf = (name: string): string => TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

export interface Asset {
  readonly path: string;
  readonly load: () => Promise<EncodedDocument>;
}

/** Our own file: small, read at the start, with a content hash in its path. */
const ownAsset = (name: string): Asset => {
  const content = readFileSync(join(OWN_FOLDER, name));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const document = new EncodedDocument(typeOf(name), FOREVER, content);
  return { path: `/docs/assets/${hash}/${name}`, load: () => Promise.resolve(document) };
};

/** A file of the library: large, read on first request, with the library's version in its path. */
const libraryAsset = (name: string, version: string): Asset => ({
  path: `/docs/assets/swagger-ui-${version}/${name}`,
  load: async () => new EncodedDocument(typeOf(name), FOREVER, await readFile(join(swaggerUiFolder(), name))),
});

const libraryVersion = (): string => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(swaggerUiFolder(), "package.json"), "utf8"));
  return version;
};

/**
 * Every file the pages use.
 * @throws Error when one of our own, or the library, is missing
 */
export const openAssets = () => {
  const version = libraryVersion();
  return {
    icon: ownAsset("mark.svg"),
    stylesheet: ownAsset("docs.css"),
    theme: ownAsset("theme.js"),
    search: ownAsset("search.js"),
    reference: ownAsset("reference.js"),
    referenceStylesheet: ownAsset("reference.css"),
    libraryOverlay: ownAsset("library.css"),
    library: libraryAsset("swagger-ui-bundle.js", version),
    libraryStylesheet: libraryAsset("swagger-ui.css", version),
  } as const;
};

/** Kept for a while: a picture's name stays when the picture is taken again. */
const A_DAY = "public, max-age=86400";

const PICTURES_FOLDER = fileURLToPath(new URL("../../../../docs/assets/console/", import.meta.url));

/** The guides' pictures, where their relative links lead, read when first asked for; none when the folder is missing. */
export const openPictures = (): readonly Asset[] => {
  const names = existsSync(PICTURES_FOLDER) ? readdirSync(PICTURES_FOLDER) : [];
  return names.map((name) => ({
    path: `/docs/assets/console/${name}`,
    load: async () => new EncodedDocument(typeOf(name), A_DAY, await readFile(join(PICTURES_FOLDER, name))),
  }));
};

/** Every file the pages use, by purpose. */
export type Assets = ReturnType<typeof openAssets>;
