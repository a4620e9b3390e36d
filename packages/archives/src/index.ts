/** Yearly archives of bars: their names, formats, storage and links. */
export * from "./archive-name.ts";
export * from "./archive-store.ts";
export { archiveOpener, type OpenedArchive } from "./file/opened-archive.ts";
export { ARCHIVES_PATH, LINK_TTL_MS, readLink, signLink } from "./file/signed-link.ts";
export { type ArchiveBatch, PRICE_SCALE, VOLUME_SCALE } from "./format/archive-batch.ts";
export { ARCHIVE_COLUMNS, CsvArchive } from "./format/csv-archive.ts";
export { ParquetArchive } from "./format/parquet-archive.ts";
export { type ArchivePlace, type Archives, openArchives } from "./open.ts";
export type { S3Bucket, S3Credentials } from "./s3/s3-settings.ts";
