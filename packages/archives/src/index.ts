/** Yearly archives of bars: their names, formats, storage and links. */
export * from "./archive-store.ts";
export { archiveOpener, type OpenedArchive } from "./file-archives.ts";
export { ARCHIVE_COLUMNS, type ArchiveBatch, CsvArchive, ParquetArchive, PRICE_SCALE, VOLUME_SCALE } from "./formats.ts";
export { type ArchivePlace, type Archives, openArchives } from "./open.ts";
export type { S3Bucket, S3Credentials } from "./s3-archives.ts";
export { ARCHIVES_PATH, LINK_TTL_MS, readLink, signLink } from "./signed-link.ts";
