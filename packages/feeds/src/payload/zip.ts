/** The one file of a ZIP archive. */
import { unzipSync } from "fflate";
import { FeedError } from "../feed-error.ts";

/**
 * Unpacks the archive's only entry whose name ends so.
 * @param maxBytes the largest size it may unpack to
 * @throws FeedError when it is no archive, holds no such file or more than one, or is too large
 */
export const unzipOnly = (bytes: Uint8Array, ending: string, maxBytes: number): Uint8Array => {
  let files: Record<string, Uint8Array>;
  let tooLarge = false;
  try {
    files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!name.endsWith(ending)) return false;
        tooLarge ||= originalSize > maxBytes;
        return !tooLarge;
      },
    });
  } catch (cause) {
    throw new FeedError("payload", "the body is not a ZIP archive", { cause });
  }
  if (tooLarge) throw new FeedError("too-large", `the archive unpacks to more than ${maxBytes} bytes`);
  const [file, ...others] = Object.values(files);
  if (!file || others.length > 0) throw new FeedError("payload", `the archive does not hold exactly one ${ending}`);
  return file;
};
