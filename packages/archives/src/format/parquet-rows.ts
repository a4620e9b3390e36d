/** How many rows a Parquet file says it holds. */
import { parquetMetadataAsync } from "hyparquet";

/**
 * Reads the footer.
 * @param bytes the length of the file
 * @param read reads a part of it, the end not included
 */
export const rowsOfParquet = async (
  bytes: number,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<number> => {
  const slice = (start: number, end = bytes): Promise<ArrayBuffer> => read(start, end);
  return Number((await parquetMetadataAsync({ byteLength: bytes, slice })).num_rows);
};
