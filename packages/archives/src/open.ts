/** Opens the place where archives lie, as the settings name it. */

import type { ArchiveStore } from "./archive-store.ts";
import { fileArchives } from "./file/file-archives.ts";
import { type S3Archives, s3Archives } from "./s3/s3-archives.ts";
import type { S3Bucket } from "./s3/s3-settings.ts";

/** Where archives lie. */
export type ArchivePlace = { readonly kind: "file"; readonly directory: string } | ({ readonly kind: "s3" } & S3Bucket);

/** An open place. */
export type Archives =
  | (ArchiveStore & { readonly kind: "file"; readonly directory: string })
  | (S3Archives & { readonly kind: "s3" });

/** Opens it; nothing is looked at before it is needed. */
export const openArchives = (place: ArchivePlace): Archives =>
  place.kind === "file"
    ? { kind: "file", directory: place.directory, ...fileArchives(place.directory) }
    : { kind: "s3", ...s3Archives(place) };
