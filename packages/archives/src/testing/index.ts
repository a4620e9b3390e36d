/** Test helpers for other packages: an S3 server, and an independent reader of archives. */
export { askDuckDb, type ForeignBar, parquetColumns, readParquetBars } from "./read-parquet.ts";
export { startTestS3, type TestS3 } from "./s3-server.ts";
