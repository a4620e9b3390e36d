/** Reads the number of rows from a Parquet file's footer. */
import { parquetMetadataAsync } from "hyparquet";

/**
 * Reads the footer.
 * @param bytes the length of the file
 * @param read reads a range, end exclusive
 */
export const rowsOfParquet = async (
  bytes: number,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<number> => {
  const slice = (start: number, end = bytes): Promise<ArrayBuffer> => read(start, end);
  return Number((await parquetMetadataAsync({ byteLength: bytes, slice })).num_rows);
};
