/** Opens the archive store that the settings name. */
import type { ArchiveStore } from "./archive-store.ts";
import { fileArchives } from "./file-archives.ts";
import { type S3Archives, type S3Bucket, s3Archives } from "./s3-archives.ts";

export type ArchivePlace = { readonly kind: "file"; readonly directory: string } | ({ readonly kind: "s3" } & S3Bucket);

export type Archives =
  | (ArchiveStore & { readonly kind: "file"; readonly directory: string })
  | (S3Archives & { readonly kind: "s3" });

/** Opens the store without accessing it. */
export const openArchives = (place: ArchivePlace): Archives =>
  place.kind === "file"
    ? { kind: "file", directory: place.directory, ...fileArchives(place.directory) }
    : { kind: "s3", ...s3Archives(place) };
