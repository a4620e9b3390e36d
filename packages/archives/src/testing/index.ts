/** What other packages' suites need of archives: an S3 service, and a reader that is not ours. */
export { askDuckDb, type ForeignBar, parquetColumns, readParquetBars } from "./read-parquet.ts";
export { startTestS3, type TestS3 } from "./s3-server.ts";
