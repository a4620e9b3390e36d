/** Answers of one long list, in the pieces they are kept in: they are sent one after another, and never copied into one. */

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A page of a hundred bars has 14 KB. To copy that once costs less than to send it in pieces each time. */
const SMALL_BYTES = 16 * 1024;

const joined = (pieces: readonly Bytes[], length: number): Bytes => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};

/** Encoded rows, and the JSON around them. */
export class EncodedList {
  /** What is sent: the JSON before the rows, the rows, the JSON behind them; of a short list all in one. */
  readonly pieces: readonly Bytes[];
  readonly rows: readonly Bytes[];
  readonly byteLength: number;
  /** Called once the pieces have been sent or copied, if the list is nobody else's. */
  readonly onDone: (() => void) | undefined;
  readonly #before: string;
  readonly #after: string;

  /**
   * @param before up to the first row, such as `{"bars":[`
   * @param rows joined by commas, all with the same fields in the same order; figures, true, false, null, and text without
   *   escapes. Of several pieces each but the last ends with a comma.
   * @param after from behind the last row, such as `],"next_cursor":null}`
   * @param onDone takes back the memory of the rows, when it was lent to this answer alone
   */
  constructor(before: string, rows: readonly Bytes[], after: string, onDone?: () => void) {
    this.rows = rows;
    this.onDone = onDone;
    this.#before = before;
    this.#after = after;
    const pieces = [encoder.encode(before), ...rows, encoder.encode(after)];
    this.byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
    this.pieces = this.byteLength > SMALL_BYTES ? pieces : [joined(pieces, this.byteLength)];
  }

  /** The answer without its rows, parsed. */
  envelope(): unknown {
    return JSON.parse(this.#before + this.#after);
  }
}

/** An encoded answer: text, bytes, or a long list in pieces. */
export type EncodedBody = string | Bytes | EncodedList;

export const bodyBytes = (body: EncodedBody): Bytes => {
  if (typeof body === "string") return encoder.encode(body);
  return body instanceof EncodedList ? joined(body.pieces, body.byteLength) : body;
};

export const bodyText = (body: EncodedBody): string => (typeof body === "string" ? body : decoder.decode(bodyBytes(body)));
