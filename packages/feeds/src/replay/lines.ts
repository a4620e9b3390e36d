/** Streams the lines of a large text file: a byte order mark, CRLF and blank lines are accepted, overlong lines are not. */
import { createReadStream } from "node:fs";
import { ReplayError } from "./replay-error.ts";

/** Longer than any record; keeps a file without line ends from being read into memory. */
export const MAX_LINE_CHARACTERS = 65_536;

/** A non-blank line. */
export interface Line {
  /** 1-based, counting blank lines. */
  readonly number: number;
  readonly text: string;
}

const pieces = async function* (file: string): AsyncGenerator<Buffer> {
  try {
    // Without an encoding the stream yields only buffers.
    for await (const piece of createReadStream(file)) yield piece as Buffer;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    throw new ReplayError(file, null, null, `cannot be read${code}`, cause);
  }
};

/**
 * The lines of a file, in order.
 * @throws ReplayError when the file cannot be read, a line is too long, or the text is not UTF-8
 */
export const readLines = async function* (file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let rest = "";
  const decode = (piece?: Buffer): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new ReplayError(file, number + 1, null, "is not UTF-8 here or shortly after", cause);
    }
  };
  const line = (text: string): Line | null => {
    number += 1;
    if (text.length > MAX_LINE_CHARACTERS) {
      throw new ReplayError(file, number, null, `is longer than ${MAX_LINE_CHARACTERS} characters`);
    }
    const trimmed = text.trim();
    return trimmed === "" ? null : { number, text: trimmed };
  };
  for await (const piece of pieces(file)) {
    const texts = (rest + decode(piece)).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) {
      const found = line(text);
      if (found) yield found;
    }
    if (rest.length > MAX_LINE_CHARACTERS) line(rest);
  }
  const last = line(rest + decode());
  if (last) yield last;
};
