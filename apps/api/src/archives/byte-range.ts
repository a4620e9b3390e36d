/** Parses which part of a file a request asks for. */
import parseRange from "range-parser";

/** The first and the last byte; for an empty file the end is before the start. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header. Several ranges at once are answered with the whole file, as HTTP allows; a suffix longer than the file
 * is all of it.
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
