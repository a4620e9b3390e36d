/** The console at `/`: its files, as its build left them, read once at the start with their compressed forms, and serving them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { refused } from "@assay/contract";
import { isReading } from "@assay/process";
import { type ContentEncoding, EncodedDocument } from "@assay/services";
import type { Context, Hono } from "hono";
import { type Env, refuse, refuseMethod, respond } from "./http/send.ts";

/** Where `apps/console` puts its build, in the repository and in every place its folders are laid out the same. */
export const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist/", import.meta.url));

/** The page that every path of the console is shown by. */
const INDEX = "index.html";

const CONSOLE_PATHS = [
  "/",
  "/counter",
  "/curve",
  "/physical",
  "/probability",
  "/sources",
  "/corrections",
  "/account",
  "/status",
  "/streams",
] as const;

/** The name in the path changes with the content. */
const FOREVER = "public, max-age=31536000, immutable";
/** Asked for again each time, and answered 304 while nothing changed: a new version shows at once. */
const ASK_AGAIN = "no-cache";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** Compressed forms, by the ending of the file beside the plain one. */
const FORMS: Readonly<Record<string, ContentEncoding>> = { br: "br", gz: "gzip" };

const endingOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/").replace(/^\/+/, ""));
  } catch {
    return [];
  }
};

const documentOf = (folder: string, name: string, names: ReadonlySet<string>): EncodedDocument => {
  const prepared = Object.entries(FORMS)
    .filter(([ending]) => names.has(`${name}.${ending}`))
    .map(([ending, encoding]) => [encoding, readFileSync(join(folder, `${name}.${ending}`))]);
  return new EncodedDocument(
    TYPES[endingOf(name)] ?? "application/octet-stream",
    name.startsWith("assets/") ? FOREVER : ASK_AGAIN,
    readFileSync(join(folder, name)),
    Object.fromEntries(prepared),
  );
};

/**
 * Reads the console.
 * @returns every path and what it is answered with; null when the console is not built
 */
export const readConsole = (folder: string): ReadonlyMap<string, EncodedDocument> | null => {
  const names = new Set(filesIn(folder));
  if (!names.has(INDEX)) return null;
  const files = new Map<string, EncodedDocument>();
  for (const name of names) {
    const isForm = endingOf(name) in FORMS && names.has(name.slice(0, name.lastIndexOf(".")));
    if (!isForm && endingOf(name) !== "map") files.set(`/${name}`, documentOf(folder, name, names));
  }
  const index = files.get(`/${INDEX}`);
  // The page has one address for each of its paths, and no second one.
  files.delete(`/${INDEX}`);
  for (const path of CONSOLE_PATHS) if (index) files.set(path, index);
  return files;
};

/** All the page needs are files of this service: no inline script or style, no request to another host, no framing. */
const POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const NOT_BUILT = "The console is not built: run `npm run build`. The API is under /v1, its documents at /docs.";

/**
 * Mounts the console. Its paths are known beforehand: any other is answered like every unknown path.
 * @param files what is served; null when the console is not built, which its paths then say
 */
export const mountConsole = (app: Hono<Env>, files: ReadonlyMap<string, EncodedDocument> | null): void => {
  const answer = ({ req, env: { incoming } }: Context<Env>): Response | Promise<Response> => {
    const document = files?.get(req.path);
    if (!document) return refuse(incoming, refused("not_found", files ? {} : { message: NOT_BUILT }));
    if (!isReading(incoming)) return refuseMethod(incoming);
    return respond(document, incoming, POLICY);
  };
  for (const path of files?.keys() ?? CONSOLE_PATHS) app.all(path, answer);
};
