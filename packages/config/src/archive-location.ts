/** Where archives are stored: a folder, or a bucket of an S3 store. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Variable } from "./variables.ts";

/** Where archives are stored. */
export type ArchiveLocation =
  | { readonly kind: "file"; readonly directory: string }
  /** The prefix has no slash at either end. */
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string };

/** The default archive folder. */
export const archivesUnder = (dataDir: string): ArchiveLocation => ({ kind: "file", directory: join(dataDir, "archives") });

const readLocation = (text: string, context: z.RefinementCtx): ArchiveLocation => {
  if (text.startsWith("file:")) {
    const path = text.slice("file:".length);
    if (path === "" || path === "//") context.addIssue({ code: "custom", message: "no folder is named" });
    else if (!path.startsWith("//")) return { kind: "file", directory: resolve(path) };
    else if (URL.canParse(text) && new URL(text).host === "") return { kind: "file", directory: fileURLToPath(text) };
    else context.addIssue({ code: "custom", message: "a folder on another host" });
    return z.NEVER;
  }
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(text);
  if (s3) return { kind: "s3", bucket: s3[1] ?? "", prefix: (s3[2] ?? "").replace(/^\/+|\/+$/g, "") };
  context.addIssue({ code: "invalid_format", format: "url" });
  return z.NEVER;
};

/** The setting of the archive location. */
export const archiveLocation: Variable<ArchiveLocation> = {
  schema: z.string().transform(readLocation),
  mayHold: "file:FOLDER or s3://BUCKET/PREFIX",
};
