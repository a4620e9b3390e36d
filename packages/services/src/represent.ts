/** Writes a verb's answer in a format other than JSON: after every gate, from the very answer that JSON callers get. */
import { Encoded, type Format, formatEntry, formatsOf, formatWriter, type Route, type TextFormat } from "@assay/contract";
import type { SignReceipt } from "./receipts/sign-receipt.ts";

/** An answer in a format. */
export interface Represented {
  readonly contentType: string;
  readonly body: string;
  /** The cursor of the next page; null when there is none. */
  readonly nextCursor: string | null;
}

/** What a receipt says besides the answer. */
export interface Asked {
  readonly requestId: string;
  readonly nowMs: number;
}

/** How a route writes one of its formats. */
export interface Representation {
  /** The validator of this form of an answer: another than that of JSON, since the bytes are others. */
  etagOf(etag: string): string;
  write(output: unknown, asked: Asked): Represented | Promise<Represented>;
}

const textOf = (body: string | Uint8Array<ArrayBuffer>): string =>
  typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");

/** The JSON value of an answer. Numbers come back as the digits they were written with; the route suite holds every route to it. */
const jsonOf = (output: unknown): unknown => (output instanceof Encoded ? JSON.parse(textOf(output.body)) : output);

const cursorIn = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || !("next_cursor" in value)) return null;
  return typeof value.next_cursor === "string" ? value.next_cursor : null;
};

/** The JSON text of an answer. */
const jsonTextOf = (output: unknown): string => (output instanceof Encoded ? textOf(output.body) : JSON.stringify(output));

/** Writes from the answer alone. Identical requests share their bytes while a page is kept, and share this form of them too. */
const textWriter = (route: Route, format: TextFormat): Representation["write"] => {
  const write = formatWriter(route, format);
  const { contentType } = formatEntry(format);
  const kept = new WeakMap<Uint8Array, Represented>();
  return (output) => {
    const bytes = output instanceof Encoded && typeof output.body !== "string" ? output.body : undefined;
    const known = bytes && kept.get(bytes);
    if (known) return known;
    const value = jsonOf(output);
    const made = { contentType, body: write(value), nextCursor: cursorIn(value) };
    if (bytes) kept.set(bytes, made);
    return made;
  };
};

const receiptWriter = (route: Route, sign: SignReceipt | undefined): Representation["write"] => {
  if (!sign) throw new Error(`${route.path} has receipts, but nothing to sign them with`);
  const { contentType } = formatEntry("jws");
  const name = `${route.method} ${route.path}`;
  return async (output, asked) => {
    const body = await sign({ route: name, ...asked, body: jsonTextOf(output) });
    return { contentType, body, nextCursor: null };
  };
};

/** Prepares every format of a route. */
export const representationsOf = (route: Route, sign: SignReceipt | undefined): ReadonlyMap<Format, Representation> =>
  new Map(
    formatsOf(route).map((format): [Format, Representation] => [
      format,
      {
        etagOf: (etag) => etag.replace(/"$/, `-${format}"`),
        write: format === "jws" ? receiptWriter(route, sign) : textWriter(route, format),
      },
    ]),
  );
