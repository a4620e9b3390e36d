/** Which part of a file a request asks for. */
import parseRange from "range-parser";

/** The first and the last byte; the whole of an empty file ends before it begins. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a Range header. Several ranges at once are answered with the whole, as HTTP allows; a tail longer than the file is all of it.
 * @returns `whole`, `unsatisfiable`, or the one range
 */
export const readByteRange = (header: string | undefined, bytes: number): "whole" | "unsatisfiable" | ByteRange => {
  if (header === undefined || !/^bytes=/i.test(header)) return "whole";
  const tailsFit = header.replace(
    /([=,]\s*-)([0-9]+)/g,
    (_, before: string, tail: string) => before + Math.min(Number(tail), bytes),
  );
  const ranges = parseRange(bytes, tailsFit, { combine: true });
  if (ranges === -1) return "unsatisfiable";
  const [only] = ranges === -2 ? [] : ranges;
  return only && ranges !== -2 && ranges.length === 1 ? { start: only.start, end: only.end } : "whole";
};
