/**
 * How a command asks a running service, over the socket `DATA_DIR/assay.sock`: one line of JSON with the command line, the bytes of its
 * files, then lines of JSON back, the last of which is the exit code. Who hangs up before it stops the command.
 */
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { ImportError } from "../import/import-error.ts";

export const socketPath = (dataDir: string): string => join(resolve(dataDir), "assay.sock");

/** The longest path that the address of a Unix socket can hold, in bytes. */
export const MAX_PATH_BYTES = 107;

/** Whether a path is too long for a socket. */
export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > MAX_PATH_BYTES;

export const commandRequest = z.strictObject({
  command: z.enum(["keys", "alerts", "endpoints", "import"]),
  args: z.array(z.string()),
  /** The sizes of the files that follow, in bytes. */
  files: z.array(z.int().min(0)),
});
export type CommandRequest = z.output<typeof commandRequest>;

/** A line of the answer: text to print, a step of progress that begins, goes on or ends, or the exit code. */
export const answerLine = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ err: z.string() }),
  z.strictObject({ step: z.int(), label: z.string(), total: z.number() }),
  z.strictObject({ step: z.int(), by: z.number() }),
  z.strictObject({ step: z.int(), isDone: z.literal(true) }),
  z.strictObject({ exit: z.int() }),
]);
export type AnswerLine = z.output<typeof answerLine>;

/** The other side sent something else, such as a command of another release. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** Why a command does not go on whose caller has hung up. */
export const stopped = (): ImportError => new ImportError("stopped; run the import again to finish");

const LINE_FEED = 10;

/** Reads lines and counted bytes, in whatever pieces they arrive. */
export class Incoming {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #maxLineBytes: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable, maxLineBytes: number) {
    // Kept open at its end, after which the other side may still be answered; no encoding is set.
    this.#pieces = stream.iterator({ destroyOnReturn: false });
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * The next line.
   * @returns null when nothing follows
   * @throws ProtocolError when it is too long
   */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_FEED);
      if (end >= 0) {
        const line = this.#rest.toString("utf8", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > this.#maxLineBytes) throw new ProtocolError("a line is too long");
      const next = await this.#pieces.next();
      if (next.done) return null;
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
  }

  /**
   * The next bytes.
   * @throws ImportError when there are fewer, as the caller has hung up
   */
  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#pieces.next();
        if (next.done) throw stopped();
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Resolves when the other side has hung up; what it still sends is ignored. */
  async end(): Promise<void> {
    try {
      while (!(await this.#pieces.next()).done);
    } catch {
      // It was cut off, which is an end as well.
    }
  }
}
